import { dayOf } from '@rif/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

const M = 1_000_000n
const HASH = `0x${'ab'.repeat(32)}` as const

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn
const db = () => server.database.db
const memberId = () => `${member.memberId}`

beforeAll(async () => {
  server = await startTestServer()
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
})
afterAll(() => server.close())

/** Runs a proposal by two people through to its effect. */
async function carryOut(kind: Parameters<typeof prepare>[2], payload: object) {
  const proposal = await prepare(server, operator, kind, payload)
  expect((await decide(server, operator, proposal)).status).toBe(403)
  expect(await decide(server, approver, proposal)).toMatchObject({ status: 200, data: { state: 'Applied' } })
  return JSON.parse(proposal.content)
}

it('a deposit of revenue enters its pool unchanged, once', async () => {
  const { attestedRevenue, ledger, chain } = server.services
  const token = chain.contracts.usdt
  const event = { name: 'RevenueDeposited', blockNumber: 1n, blockHash: HASH, blockAt: new Date() } as const
  await inTx(db(), (dbTx) =>
    attestedRevenue.handler.onFinal(dbTx, {
      ...event,
      txHash: HASH,
      logIndex: 0,
      contract: chain.contracts.bank,
      args: {
        depositId: 901n,
        from: token,
        label: `0x${'72656e74'.padEnd(64, '0')}`,
        token,
        amount: 40n * M,
        documentHash: HASH,
      },
    }),
  )
  const deposits = async () => (await call(server, 'admin/deposits', { as: operator })).data
  expect(await deposits()).toMatchObject({
    waiting: 1,
    items: [{ deposit_id: '901', label: 'rent', amount: '40.000000', attested: null, proposal_id: null }],
  })
  const payload = {
    pool: 'yield_pool',
    asset: 'USDT',
    amount: '40',
    source: 'rent of May',
    document_hash: HASH,
    deposit_id: '901',
  }
  const wrong = await tryPrepare(server, operator, 'attestation', { ...payload, amount: '41' })
  expect(wrong.data).toMatchObject({ error: 'VALIDATION_FAILED', details: { field: 'amountMicros' } })
  const lost = await tryPrepare(server, operator, 'attestation', { ...payload, pool: 'fund_proceeds' })
  expect(lost.data).toMatchObject({ error: 'VALIDATION_FAILED', details: { field: 'payload.pool' } })
  const { effects } = await carryOut('attestation', payload)
  expect(effects).toMatchObject([{ name: 'pool_holds', values: { before: '0.000000', after: '40.000000' } }])
  expect((await ledger.pools.balances(db(), 'yield_pool')).USDT).toBe(40n * M)
  const day = dayOf(Date.now())
  expect(await deposits()).toMatchObject({
    waiting: 0,
    items: [{ attested: { pool: 'yield_pool', source: 'rent of May', day } }],
  })
  expect((await tryPrepare(server, operator, 'attestation', payload)).data.error).toBe('DEPOSIT_USED')
})

it('a held member is released, and a member gets and loses a day cap', async () => {
  const path = `admin/members/${memberId()}`
  expect((await tryPrepare(server, operator, 'unflag', { member_id: memberId() })).status).toBe(404)
  await call(server, `${path}/flag`, { as: operator, payload: { reason: 'odd device' } })
  await carryOut('unflag', { member_id: memberId() })
  expect((await call(server, `${path}/hold`, { as: operator })).data).toMatchObject({ flagged: false })

  await carryOut('day_cap', { member_id: memberId(), cap: '25' })
  const { difference } = await carryOut('day_cap', { member_id: memberId(), cap: null })
  expect(difference).toMatchObject([{ field: 'day_cap', before: '25.000000', after: null }])
})

it('a proposal that can no longer be applied can still be refused', async () => {
  await call(server, `admin/members/${memberId()}/flag`, { as: operator, payload: { reason: 'odd device' } })
  const proposal = await prepare(server, operator, 'unflag', { member_id: memberId() })
  await inTx(db(), (dbTx) =>
    server.services.leaving.flag(dbTx, {
      memberId: member.memberId,
      flagged: false,
      actor: 'somebody',
      reason: 'another way',
    }),
  )
  expect((await decide(server, approver, proposal)).data.error).toBe('NOT_FOUND')
  expect(await decide(server, approver, proposal, { approve: false, reason: 'done' })).toMatchObject({
    status: 200,
    data: { state: 'Refused' },
  })
})

it('the terms of exchange change, and a price within a settled day is refused', async () => {
  await carryOut('exchange_terms', { asset: 'DIV', rate: '2', day_cap: '100' })
  const { rateMicros } = await server.services.exchangeTerms.at(db(), 'DIV', new Date())
  expect(rateMicros).toBe(2n * M)
  const past = { asset: 'RIF', price: '1', valid_from: '2020-01-01T00:00:00Z' }
  expect((await tryPrepare(server, operator, 'price', past)).data).toMatchObject({
    error: 'VALIDATION_FAILED',
  })
})

it.each([
  ['launch', { allocation: '0' }, 'INVALID_AMOUNT', 'allocation'],
  ['launch', { allocation: '-1' }, 'INVALID_AMOUNT', 'allocation'],
  ['launch', { price: '0' }, 'INVALID_AMOUNT', 'price'],
  ['launch', { allocation: '0.000001', price: '0.1' }, 'INVALID_AMOUNT', 'allocation'],
  ['launch', { allocation: '9000000000000', price: '9' }, 'INVALID_AMOUNT', 'allocation'],
  ['launch', { ends_at: '2099-01-01T00:00:00Z' }, 'VALIDATION_FAILED', 'ends_at'],
  [
    'launch',
    { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' },
    'VALIDATION_FAILED',
    'ends_at',
  ],
  ['launch', { name: ' ' }, 'VALIDATION_FAILED', 'payload.name'],
  ['launch', { introduction: '' }, 'VALIDATION_FAILED', 'payload.introduction'],
  ['exchange_terms', { rate: '0' }, 'INVALID_AMOUNT', 'rate'],
  ['exchange_terms', { rate: '9999999999999' }, 'INVALID_AMOUNT', 'rate'],
  ['exchange_terms', { day_cap: '0' }, 'INVALID_AMOUNT', 'day_cap'],
  ['exchange_terms', { day_cap: '-1' }, 'INVALID_AMOUNT', 'day_cap'],
  ['exchange_terms', { valid_from: '2020-01-01T00:00:00Z' }, 'VALIDATION_FAILED', 'valid_from'],
  ['exchange_terms', { asset: 'RIF' }, 'VALIDATION_FAILED', 'payload.asset'],
] as const)(
  'a %s with %j is refused in its preview and when it is prepared',
  async (kind, wrong, error, field) => {
    const good = {
      launch: {
        name: 'Berths',
        introduction: 'Berths that are let',
        allocation: '1000',
        price: '0.5',
        starts_at: '2099-01-01T00:00:00Z',
        ends_at: '2099-01-09T00:00:00Z',
      },
      exchange_terms: { asset: 'VC', rate: '2', day_cap: '100', valid_from: '2099-01-01T00:00:00Z' },
    }[kind]
    const preview = (payload: object) =>
      call(server, 'admin/proposals/preview', {
        as: operator,
        payload: { kind, payload, reason: 'as tested' },
      })
    expect((await preview(good)).status).toBe(200)
    const refused = { status: 400, data: { error, details: { field } } }
    expect(await preview({ ...good, ...wrong })).toMatchObject(refused)
    expect(await tryPrepare(server, operator, kind, { ...good, ...wrong })).toMatchObject(refused)
  },
)

it('a redemption is approved, and sales of its product are stopped', async () => {
  const text = 'Bonds of one year'
  await carryOut('fund_product', {
    name: 'Bonds',
    risk_level: 2,
    estimated_annual_return: 50_000,
    minimum_usd: '50',
    lock_days: 0,
    introduction: { en: text, 'zh-Hans': text, ja: text, ko: text },
    redeemable_weekdays: [1, 2, 3, 4, 5, 6, 7],
    subscription_ppm: 0,
    redemption_ppm: 10_000,
    management_ppm: 0,
    opening_nav: '10',
    max_member_units: null,
    max_units: null,
    sold_ppm: 250_000,
    documents: [{ title: 'Terms', media_type: 'text/plain', content: 'AAAA' }],
  })
  const [product] = (await call(server, 'admin/fund/products', { as: operator })).data.items
  const { product_id } = product
  const { ledger, fund } = server.services
  const at = new Date()
  await ledger.post(db(), {
    key: 'gift',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        amountMicros: 500n * M,
        source: 'external',
        destination: 'available',
      },
    ],
  })
  const productId = BigInt(product_id)
  await inTx(db(), (dbTx) =>
    fund.orders.buy(dbTx, member as never, { productId, units: 6n, payWith: 'available' }),
  )
  const { redemption_id } = await inTx(db(), (dbTx) =>
    fund.redemptions.request(dbTx, member.memberId, productId, 2n),
  )
  await carryOut('fund_redemption', { member_id: memberId(), redemption_id, approve: true })
  const redemption = await fund.redemptions.get(db(), member.memberId, BigInt(redemption_id))
  expect(redemption.status).toBe('Approved')
  await carryOut('fund_product_state', { product_id, state: 'closed' })
  const again = await tryPrepare(server, operator, 'fund_redemption', {
    member_id: memberId(),
    redemption_id,
    approve: false,
  })
  expect(again.data.error).toBe('NOTHING_TO_REVIEW')
})
