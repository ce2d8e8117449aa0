import { parseMicros } from '@rif/rules'
import { getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { subscribed } from '../../../testing/subscribed.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import type { DeparturePlace } from '../leaving.queue.service.ts'

const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
  // Cancelling checks the bank at the last block that the indexer has applied.
  await product.finalise()
})
afterAll(() => product.stop())
beforeEach(async () => {
  member = await product.join(root)
})

const available = async (asset: 'USDT' | 'AMC') =>
  (await product.services.ledger.balances(product.db, member.memberId))[asset].available
const check = (asset: 'USDT' | 'AMC', amount: string, address?: string) =>
  product.services.withdrawals.judge(product.db, member.memberId, {
    asset,
    amountMicros: parseMicros(amount),
    address,
  })
const limit = () => product.services.withdrawals.limit(product.db, member.memberId)
const cancel = (withdrawalId: string) => product.cancelWithdrawal(member, withdrawalId)
const decide = (withdrawalId: string, approve: boolean) =>
  inTx(product.db, (dbTx) =>
    product.services.withdrawalReview.decide(dbTx, {
      memberId: member.memberId,
      withdrawalId: BigInt(withdrawalId),
      approve,
      actor: 'admin',
      reason: approve ? 'known to us' : 'not known to us',
    }),
  )

test('fee, worth and refusals, in USDT and in AMC', async () => {
  await product.grant(member, 'USDT', '5000')
  await product.grant(member, 'AMC', '500')
  await expect(check('AMC', '10')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  await product.publishPrice('AMC', '0.5')
  expect(await check('AMC', '200')).toMatchObject({ feeMicros: 2_000_000n, worthMicros: 100_000_000n })
  expect(await check('USDT', '50')).toMatchObject({ feeMicros: 1_000_000n, netMicros: 49_000_000n })
  await expect(check('USDT', '1')).rejects.toMatchObject({ code: 'AMOUNT_NOT_ABOVE_FEE' })
  await expect(check('USDT', '0')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  await expect(check('AMC', '501')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await expect(check('AMC', '300')).rejects.toMatchObject({
    code: 'DAILY_LIMIT',
    details: { remaining: '100.000000', remaining_amount: '200.000000' },
  })
  const { bank } = product.chain.contracts
  for (const address of [bank, `0x${'0'.repeat(40)}`, `0x${'Ab'.repeat(20)}`]) {
    await expect(check('USDT', '50', address)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  }
})

test('ten concurrent requests never exceed the limit', async () => {
  await product.grant(member, 'USDT', '5000')
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => product.withdraw(member, 'USDT', '30')),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(7)
  expect(refused[0]).toMatchObject({
    code: 'DAILY_LIMIT',
    details: { remaining: '10.000000', remaining_amount: '10.000000' },
  })
  expect(await limit()).toMatchObject({ usedMicros: 90_000_000n, remainingMicros: 10_000_000n })
  expect(await available('USDT')).toBe(4_910_000_000n)
})

test('ten concurrent requests never exceed the balance', async () => {
  await product.grant(member, 'USDT', '25')
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => product.withdraw(member, 'USDT', '10')),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  expect(refused).toEqual(Array(8).fill('INSUFFICIENT_BALANCE'))
  expect(await available('USDT')).toBe(5_000_000n)
})

test('cancelling or rejecting restores amount and limit', async () => {
  const notices = await subscribed(product.db, member.memberId)
  await product.grant(member, 'USDT', '100')
  const other = getAddress(product.wallets[0]!)
  const first = await product.withdraw(member, 'USDT', '60')
  const second = await product.withdraw(member, 'USDT', '40', other)
  expect(first).toMatchObject({ status: 'Withdrawable', reasons: [], receives: '59.000000' })
  expect(second).toMatchObject({ status: 'Auditing', reasons: ['new_address'], address: other })
  expect(await available('USDT')).toBe(0n)
  expect(
    (await product.services.withdrawalReview.pending(product.db, 10)).map((row) => row.withdrawal_id),
  ).toEqual([BigInt(second.withdraw_id)])

  await expect(decide(first.withdraw_id, true)).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  await decide(second.withdraw_id, false)
  expect(await limit()).toMatchObject({ remainingMicros: 40_000_000n })
  expect(
    await product.services.withdrawals.get(product.db, member.memberId, BigInt(second.withdraw_id)),
  ).toMatchObject({
    status: 'Rejected',
    reject_reason: 'not known to us',
  })
  expect(await notices()).toMatchObject([
    { topic: 'claim_ready', facts: { amount: '60.000000' } },
    { topic: 'withdrawal_rejected', facts: { amount: '40.000000', address: other } },
  ])
  expect(await cancel(first.withdraw_id)).toMatchObject({ status: 'Cancelled' })
  await expect(cancel(first.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CANCEL' })
  expect(await limit()).toMatchObject({ usedMicros: 0n, remainingMicros: 100_000_000n })
  expect(await available('USDT')).toBe(100_000_000n)
  const actions = await product.db.selectFrom('admin_actions').selectAll().execute()
  expect(actions.at(-1)).toMatchObject({
    actor: 'admin',
    action: 'withdrawal.reject',
    reason: 'not known to us',
  })
})

test("a flagged member's requests always wait for an admin", async () => {
  await product.grant(member, 'USDT', '100')
  const flag = (flagged: boolean) =>
    inTx(product.db, (dbTx) =>
      product.services.leaving.flag(dbTx, {
        memberId: member.memberId,
        flagged,
        actor: 'admin',
        reason: 'looks odd',
      }),
    )
  await flag(true)
  expect(await check('USDT', '10')).toMatchObject({ status: 'Auditing', auditReasons: ['risk_flag'] })
  await flag(false)
  expect(await check('USDT', '10')).toMatchObject({ status: 'Withdrawable', auditReasons: [] })
})

test('the usual review time is measured on past reviews', async () => {
  await product.grant(member, 'USDT', '100')
  const reviewed = async () =>
    (
      await product.db
        .selectFrom('withdrawals')
        .select(['created_at', 'reviewed_at'])
        .where('reviewed_at', 'is not', null)
        .execute()
    )
      .map((row) => row.reviewed_at!.getTime() - row.created_at.getTime())
      .sort((time, other) => time - other)
  const requestAudited = () => product.withdraw(member, 'USDT', '5', `0x${'7'.repeat(40)}`)
  const waits = (await requestAudited()).withdraw_id
  await product.advance(2 * 3_600_000)
  await decide(waits, false)
  const times = await reviewed()
  const middle = (times.length - 1) / 2
  const median = (times[Math.floor(middle)]! + times[Math.ceil(middle)]!) / 2
  expect(times.at(-1)).toBeGreaterThanOrEqual(2 * 3_600_000)
  expect((await limit()).usualReviewMs).toBeCloseTo(median, 0)
})

test('a large amount waits for an admin', async () => {
  await product.grant(root, 'USDT', '3000')
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
  const first = await product.withdraw(root, 'USDT', '1000.000001')
  expect(first).toMatchObject({ status: 'Auditing', reasons: ['large_amount'] })
  await product.cancelWithdrawal(root, first.withdraw_id)
  expect(await product.withdraw(root, 'USDT', '1000')).toMatchObject({ status: 'Withdrawable' })
  expect(await product.withdraw(root, 'USDT', '2')).toMatchObject({
    status: 'Auditing',
    reasons: ['large_amount'],
  })
})

test('the queue marks suddenly large requests, fresh money, and look-alike addresses', async () => {
  await product.grant(member, 'USDT', '100')
  const small = await product.withdraw(member, 'USDT', '10')
  await product.claim(member, small.withdraw_id)
  await product.finalise()
  const own = member.address.toLowerCase()
  const alike = getAddress(`${own.slice(0, 10)}${'0'.repeat(24)}${own.slice(-8)}`)
  const riskOf = async (amount: string) => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', amount, alike)
    const queue = await product.services.departureQueue.page(product.db, {
      filter: { statuses: ['Auditing'] },
      order: 'oldest',
      after: undefined,
      limit: 100,
    })
    return queue.find(({ departure }) => departure.id === withdraw_id)?.departure
  }
  expect(await riskOf('30')).toMatchObject({
    reasons: ['new_address', 'look_alike'],
    looks_like: getAddress(member.address),
    paid_count: 1,
    paid_most_usdt: '10.000000',
  })
  expect((await riskOf('30.000001'))?.reasons).toEqual(['new_address', 'sudden_amount', 'look_alike'])
})

test('withdrawals that wait for an admin, or were rejected, get no voucher', async () => {
  await product.grant(member, 'USDT', '100')
  const other = getAddress(`0x${'7'.repeat(40)}`)
  const voucher = (id: string) => product.services.claims.voucher(product.db, member.memberId, BigInt(id))
  const first = await product.withdraw(member, 'USDT', '20', other)
  expect(first).toMatchObject({ status: 'Auditing', reasons: ['new_address'] })
  await expect(voucher(first.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
  await product.approveWithdrawal(member, first.withdraw_id)
  await expect(decide(first.withdraw_id, false)).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  expect(await voucher(first.withdraw_id)).toHaveProperty('tx')
  const second = await product.withdraw(member, 'USDT', '20', other)
  await decide(second.withdraw_id, false)
  await expect(voucher(second.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
})

test('operators list withdrawals that ended on a day, the last one first, without open ones', async () => {
  await product.grant(member, 'USDT', '100')
  const ids: string[] = []
  for (let count = 0; count < 4; count++) {
    ids.push((await product.withdraw(member, 'USDT', '10')).withdraw_id)
    await product.advance(1000)
  }
  const [first, second, third] = ids as [string, string, string]
  await product.cancelWithdrawal(member, second)
  await product.advance(1000)
  await product.cancelWithdrawal(member, first)
  const list = async (endedFrom: Date, after?: DeparturePlace) => {
    const page = await product.services.departureQueue.page(product.db, {
      filter: {
        statuses: ['Success', 'Rejected', 'Cancelled'],
        endedFrom,
        addressStart: member.address.toLowerCase(),
      },
      order: 'ended',
      after,
      limit: 10,
    })
    return page.map(({ departure, place }) => ({ id: departure.id, place }))
  }
  const today = new Date(`${product.now().toISOString().slice(0, 10)}T00:00:00Z`)
  const ended = await list(today)
  expect(ended.map(({ id }) => id)).toEqual([first, second])
  expect((await list(today, ended[0]!.place)).map(({ id }) => id)).toEqual([second])
  await product.advance(DAY_MS)
  await product.cancelWithdrawal(member, third)
  expect((await list(new Date(today.getTime() + DAY_MS))).map(({ id }) => id)).toEqual([third])
})

test('the limit resets at midnight UTC', async () => {
  await product.grant(member, 'USDT', '300')
  const nowMs = product.now().getTime()
  await product.advance(DAY_MS - (nowMs % DAY_MS) - 60_000)
  await product.withdraw(member, 'USDT', '100')
  await expect(product.withdraw(member, 'USDT', '2')).rejects.toMatchObject({
    code: 'DAILY_LIMIT',
    details: { remaining: '0.000000' },
  })
  const { resetsAt } = await limit()
  expect(resetsAt.getTime() % DAY_MS).toBe(0)
  await product.advance(resetsAt.getTime() - product.now().getTime())
  await product.withdraw(member, 'USDT', '100')
  await product.finalise()
  expect(await product.audit()).toEqual([])
})
