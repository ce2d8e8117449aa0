import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { giveRole } from '../../testing/roles.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'

let server: TestServer
let sponsor: SignedIn
let buyer: SignedIn
let root: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  root = await signIn(server, server.root.wallet)
  sponsor = await signIn(server, newWallet())
  buyer = await signIn(server, newWallet())
  await payCommission()
})
afterAll(() => server.close())

/** Creates a commission of an order without a payment into the pool: due, and not covered. */
async function payCommission() {
  const { ledger, plans, rewards } = server.services
  const { db } = server.database
  const at = new Date()
  const plan = await plans.planAt(db, at.toISOString().slice(0, 10))
  await inTx(db, async (dbTx) => {
    await ledger.lock(dbTx, { pools: ['commission_pool'], memberIds: [sponsor.memberId, root.memberId] })
    const work = rewards.workOutCommissions(
      {
        buyerId: buyer.memberId,
        orderId: 1n,
        batch: 'order/1/commissions',
        baseMicros: 100_000_000n,
        amcPriceMicros: 500_000n,
        plan,
        at,
        line: [
          { memberId: sponsor.memberId, level: 3, valid: true },
          { memberId: root.memberId, level: 5, valid: true },
        ],
      },
      await ledger.pools.balances(dbTx, 'commission_pool'),
    )
    await rewards.recordCommissions(dbTx, [work!])
  })
}

describe('one reward', () => {
  test('is returned with its batch and its plan', async () => {
    const { items } = (await call(server, 'profit/all?type=TeamReward', { as: root })).data
    const { status, data } = await call(server, `profit/${items[0].reward_id}`, { as: root })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      type: 'TeamReward',
      base: '100.000000',
      ratio_ppm: 40_000,
      covered_ppm: 60_000,
      paid: '0.000000',
      batch: { class: 'commission', pool: 'commission_pool', value: '18.000000', paid: '0.000000', count: 3 },
      plan: { version: '1', figures: { reward: { usdtSharePpm: 700_000 } } },
    })
  })

  test('is not found for another member, nor if it never existed', async () => {
    const { items } = (await call(server, 'profit/all', { as: root })).data
    const { reward_id } = items[0]
    for (const path of [`profit/${reward_id}`, 'profit/999999']) {
      expect(await call(server, path, { as: sponsor })).toMatchObject({
        status: 404,
        data: { error: 'REWARD_NOT_FOUND' },
      })
    }
  })
})

test('an operator sees a reward as its member does, but not the member’s own name for the buyer', async () => {
  const viewer = await signIn(server, newWallet())
  await giveRole(server.services, { address: viewer.address, role: 'viewer', person: 'Vera' })
  const payload = { member_id: `${buyer.memberId}`, label: 'My friend', pinned: false }
  await call(server, 'me/labels', { as: root, payload })
  const { items } = (await call(server, 'profit/all', { as: root })).data
  const { reward_id } = items[0]
  const { data } = await call(server, `profit/${reward_id}`, { as: root })
  expect(data).toMatchObject({ source_label: 'My friend', base: '100.000000', paid: '0.000000' })
  const path = `admin/members/${root.memberId}/rewards/${reward_id}`
  expect((await call(server, path, { as: viewer })).data).toEqual({ ...data, source_label: null })
  expect(await call(server, path, { as: root })).toMatchObject({ status: 403 })
  const ofAnother = `admin/members/${buyer.memberId}/rewards/${reward_id}`
  expect(await call(server, ofAnother, { as: viewer })).toMatchObject({
    status: 404,
    data: { error: 'REWARD_NOT_FOUND' },
  })
})

test('sums include the own rewards only', async () => {
  const mine = (await call(server, 'profit/type', { as: sponsor })).data
  expect(mine.items).toMatchObject([
    { type: 'ReferralReward', count: 1, value: '8.000000' },
    { type: 'TeamReward', count: 1, value: '6.000000' },
  ])
  expect((await call(server, 'profit/type', { as: buyer })).data.items).toEqual([])
  expect((await call(server, 'profit/day', { as: sponsor })).data.items).toMatchObject([{ group: 1 }])
  expect((await call(server, 'profit/day', { as: buyer })).data).toEqual({ items: [], next: null })
})

test('a range must be complete, forwards and at most a year', async () => {
  const paths = [
    'from=2026-01-01',
    'from=2026-01-02&to=2026-01-01',
    'from=2024-01-01&to=2026-01-01',
    'from=x&to=y',
  ]
  for (const query of paths) {
    expect(await call(server, `profit/type?${query}`, { as: root })).toMatchObject({
      status: 400,
      data: { error: 'VALIDATION_FAILED' },
    })
  }
  // The second is a number, of a day that cannot exist.
  for (const cursor of ['nonsense', 'OTk5OTk5OTk5OTk5OTk5OTk5'])
    expect(await call(server, `profit/day?cursor=${cursor}`, { as: root })).toMatchObject({ status: 400 })
})

test('coverage is public, and shows the shortfall', async () => {
  const { status, data } = await call(server, 'profit/coverage')
  expect(status).toBe(200)
  expect(data.totals).toEqual([
    { class: 'commission', value: '18.000000', paid: '0.000000', coverage_ppm: 0 },
  ])
  expect(data.attestations).toEqual([])
})

describe('the management award', () => {
  const set = (action: string, key: string) =>
    call(server, 'profit/mng', { as: sponsor, payload: { action }, headers: { 'idempotency-key': key } })

  test('is paused and resumed, once for a key', async () => {
    const before = (await call(server, 'profit/mng', { as: sponsor })).data
    expect(before).toMatchObject({
      rank: 0,
      base: '0.000000',
      paused: false,
      next: { rank: 1, from: '1000.000000' },
    })
    expect((await set('pause', 'a')).data).toEqual({ ...before, paused: true })
    expect((await set('resume', 'b')).data).toEqual(before)
    // The original response is returned, and nothing is done again.
    expect((await set('pause', 'a')).data).toMatchObject({ paused: true })
    expect((await call(server, 'profit/mng', { as: sponsor })).data).toEqual(before)
    expect(await set('resume', 'a')).toMatchObject({ status: 409, data: { error: 'IDEMPOTENCY_CONFLICT' } })
    expect(await set('stop', 'c')).toMatchObject({ status: 400 })
  })

  test('is settled with the month', async () => {
    const { settles_on } = (await call(server, 'profit/mng', { as: sponsor })).data
    const now = new Date()
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0))
    expect(settles_on).toBe(last.toISOString().slice(0, 10))
  })

  test('is shown in me with its base and rank', async () => {
    const { db } = server.database
    await db
      .insertInto('member_standings')
      .values({
        member_id: root.memberId,
        level: 5,
        carry_left_micros: 0n,
        carry_right_micros: 0n,
        manage_base_micros: 5_000_000_000n,
        release_micros: 0n,
      })
      .execute()
    expect((await call(server, 'me', { as: root })).data).toMatchObject({
      manage_leve: 2,
      manage_award_base: '5000.000000',
    })
    expect((await call(server, 'profit/mng', { as: root })).data).toMatchObject({
      rank: 2,
      ratio_ppm: 80_000,
      value: '400.000000',
      next: { rank: 3 },
    })
  })
})
