import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainEvent } from '../../chain/indexer/events.ts'
import { inDbTx } from '../../db/database.ts'
import { finalDeposit } from '../../testing/exit-actions.ts'
import { fundActions } from '../../testing/fund-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

const HOUR_MS = 3_600_000
const PAYOUT_MS = 72 * HOUR_MS

let product: TestProduct
let fund: ReturnType<typeof fundActions>
let root: TestMember
let member: TestMember
let other: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  fund = fundActions(product)
  root = await product.join(null)
  member = await product.join(root)
  other = await product.join(root)
  await product.grant(member, 'USDT', '10000')
  await product.grant(other, 'USDT', '10000')
})
afterAll(() => product.stop())

const services = () => product.services.fund
/** The differences of the audit. What leaves the books as an investment stays in the bank here, which it notes. */
async function audit() {
  await product.finalise()
  return (await product.audit()).filter(({ isNote }) => isNote !== true)
}
const payDue = () => services().payouts.payDue(product.db)

test('bought on chain, the units are held when the payment is final, at the price that was quoted', async () => {
  const productId = await fund.open('On chain', '10')
  const order = await fund.buy(member, productId, 25n, 'wallet')
  expect(order).toMatchObject({ status: 'UnPaid', value: '250.000000', fee: '2.500000', total: '252.500000' })
  const { hash } = await fund.pay(member, order)
  await inDbTx(product.db, (dbTx) =>
    services().orders.reportPayment(dbTx, member.memberId, BigInt(order.order_id), hash),
  )
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Processing', tx_hash: hash })
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Subscription', tx_hash: hash })
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({
    ...{ status: 'Paid', tx_hash: hash, units_left: '25', nav: '10.000000', current_nav: '10.000000' },
    ...{ market_value: '250.000000', profit: '0.000000', amount_received: '252.500000' },
  })
  expect(await fund.custody(productId)).toBe(parseMicros('250'))
  expect(await audit()).toEqual([])
})

test('a payment that the chain drops is awaited again, and the next one counts', async () => {
  const productId = await fund.open('Reorganised', '10')
  const order = await fund.buy(member, productId, 3n, 'wallet')
  const first = await fund.pay(member, order)
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({
    status: 'Subscription',
    tx_hash: first.hash,
  })
  await product.testChain.rpc('anvil_reorg', [1, []])
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'UnPaid', tx_hash: null })
  expect(await fund.custody(productId)).toBe(0n)
  const second = await fund.pay(member, order)
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Paid', tx_hash: second.hash })
  expect(await fund.custody(productId)).toBe(parseMicros('30'))
  expect(await audit()).toEqual([])
})

test('a payment of a cancelled purchase goes to suspense, and orders of shop and fund are never mixed up', async () => {
  const productId = await fund.open('Cancelled', '10')
  await product.publishPrice('AMC', '0.5')
  const order = await fund.buy(member, productId, 1n, 'wallet')
  const { tx } = await services().orders.payment(product.db, member.memberId, BigInt(order.order_id))
  const { tx: approval } = await services().orders.approval(
    product.db,
    member.memberId,
    BigInt(order.order_id),
  )
  if (approval !== null) await product.send(member, approval)
  await inDbTx(product.db, (dbTx) => services().orders.cancel(dbTx, member.memberId, BigInt(order.order_id)))
  const shopOrder = await product.order(member, 1)
  expect((await product.send(member, tx)).status).toBe('success')
  await product.finalise()
  const cancelled = await fund.order(member, order.order_id)
  expect(cancelled).toMatchObject({ status: 'Cancelled', unmatched_tx_hash: expect.any(String) })
  expect(
    (await product.services.shop.get(product.db, member.memberId, BigInt(shopOrder.order_id))).status,
  ).toBe('UnPaid')
  expect(await audit()).toEqual([])
})

test('a purchase on chain costs the NAV rounded up; when its price no longer holds, it is refunded', async () => {
  const productId = await fund.open('Moved', '10')
  await fund.buy(other, productId, 30n)
  await fund.invest(productId, '300')
  await fund.value(productId, '300.00015')
  expect(await fund.nav(productId)).toBe(10_000_005n)
  const held = await fund.buy(member, productId, 2n, 'wallet')
  const risen = await fund.buy(member, productId, 3n, 'wallet')
  expect(held).toMatchObject({ nav: '10.000100', value: '20.000200' })
  const paid = await fund.pay(member, held)
  await product.finalise()
  expect(await fund.order(member, held.order_id)).toMatchObject({ status: 'Paid', tx_hash: paid.hash })
  expect(await fund.nav(productId)).toBe(10_000_005n)
  expect(await audit()).toEqual([])
  // Dearer than quoted when the payment is final: others would pay for the difference.
  await fund.pay(member, risen)
  await fund.value(productId, '310')
  await product.finalise()
  expect(await fund.order(member, risen.order_id)).toMatchObject({
    ...{ status: 'Cancelled', cancel_reason: 'price', unmatched_tx_hash: expect.any(String) },
  })
  // More than 1% and 0.0001 cheaper: the member would pay too much.
  const fallen = await fund.buy(member, productId, 1n, 'wallet')
  await fund.pay(member, fallen)
  await fund.value(productId, '300')
  await product.finalise()
  expect(await fund.order(member, fallen.order_id)).toMatchObject({ status: 'Cancelled' })
  // Bought while a valuation waits for a decision.
  const stopped = await fund.buy(member, productId, 1n, 'wallet')
  await fund.pay(member, stopped)
  const draft = { productId, valueMicros: 1n, evidence: fund.evidence, actor: 'carl' }
  await inDbTx(product.db, (dbTx) => services().valuations.propose(dbTx, draft))
  await product.finalise()
  expect(await fund.order(member, stopped.order_id)).toMatchObject({ status: 'Cancelled' })
  const { rows } = await sql`
    select reason from unmatched_payments where reason in ('price_changed', 'sale_stopped') order by collected_at`.execute(
    product.db,
  )
  expect(rows.map((row) => (row as { reason: string }).reason)).toEqual([
    ...['price_changed', 'price_changed', 'sale_stopped'],
  ])
  expect(await audit()).toEqual([])
})

test('an unpaid purchase expires with its quote; an old valuation stops buying, approving and paying', async () => {
  const productId = await fund.open('Stale', '10')
  await fund.buy(member, productId, 5n)
  const order = await fund.buy(member, productId, 1n, 'wallet')
  await product.advance(31 * 60_000)
  await product.finalise()
  expect(await services().expire(product.db)).toBeGreaterThan(0)
  expect(await fund.order(member, order.order_id)).toMatchObject({
    status: 'Cancelled',
    cancel_reason: 'expired',
  })
  // Without an investment there is nothing to value.
  await product.advance(4 * 24 * HOUR_MS)
  await fund.buy(member, productId, 1n)
  await fund.invest(productId, '20')
  const { redemption_id } = await fund.redeem(member, productId, 1n)
  await fund.decide(member, redemption_id, true)
  const second = await fund.redeem(member, productId, 1n)
  await product.advance(3 * 24 * HOUR_MS + 1_000)
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await expect(fund.decide(member, second.redemption_id, true)).rejects.toMatchObject({ code: 'NAV_STALE' })
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ waits_for: 'valuation' })
  // A request is no dealing, and a rejection neither.
  await fund.redeem(member, productId, 1n)
  await fund.decide(member, second.redemption_id, false)
  await fund.value(productId, '26')
  expect(await payDue()).toBe(1)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ nav: '11.000000', is_estimate: false })
  const changed = { productId, units: 1n, payWith: 'available', navMicros: parseMicros('10') } as const
  await expect(
    inDbTx(product.db, (dbTx) => services().orders.buy(dbTx, member, changed)),
  ).rejects.toMatchObject({ code: 'NAV_CHANGED' })
})

test('a proposed valuation stops dealing for a day at most, and after a failed one the next stops nothing', async () => {
  const productId = await fund.open('Proposed', '10')
  await fund.buy(member, productId, 10n)
  await fund.invest(productId, '50')
  const { valuations } = services()
  const propose = (actor: string) =>
    inDbTx(product.db, (dbTx) =>
      valuations.propose(dbTx, { productId, valueMicros: parseMicros('60'), evidence: fund.evidence, actor }),
    )
  const decide = (way: 'approve' | 'reject', valuationId: bigint, actor: string) =>
    inDbTx(product.db, async (dbTx) => void (await valuations[way](dbTx, { valuationId, actor })))
  const first = await propose('dora')
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await expect(propose('emil')).rejects.toMatchObject({ code: 'VALUATION_OPEN' })
  await expect(decide('approve', first.valuation_id, 'dora')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await product.advance(24 * HOUR_MS + 1_000)
  await expect(decide('approve', first.valuation_id, 'emil')).rejects.toMatchObject({
    code: 'NOTHING_TO_REVIEW',
  })
  await fund.buy(member, productId, 1n)
  const second = await propose('dora')
  expect(second.stops_dealing).toBe(false)
  await fund.buy(member, productId, 1n)
  await decide('reject', second.valuation_id, 'emil')
  await product.advance(2 * 24 * HOUR_MS)
  const third = await propose('emil')
  expect(third.stops_dealing).toBe(true)
  await decide('approve', third.valuation_id, 'dora')
  await product.advance(6 * 24 * HOUR_MS)
  expect((await propose('dora')).stops_dealing).toBe(true)
  expect(await audit()).toEqual([])
})

test('products take two admins and are closed and opened by two', async () => {
  const productId = await fund.open('Backed', '10')
  const propose = { productId, state: 'closed', actor: 'anna' } as const
  await inDbTx(product.db, (dbTx) => services().products.proposeState(dbTx, propose))
  const close = (actor: string) =>
    inDbTx(product.db, (dbTx) => services().products.approveState(dbTx, { productId, actor }))
  await expect(close('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await close('ben')
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  await expect(fund.open('Backed', '1')).rejects.toMatchObject({ code: 'PRODUCT_EXISTS' })
  await expect(fund.open('Cheap', '0.009999')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
})

test('the most units of a member, of a product, and between two valuations', async () => {
  const limits = { maxMemberUnits: 30n, maxUnits: 45n, soldPpm: 250_000 }
  const productId = await fund.open('Limited', '10', {}, limits)
  const limited = (limit: string, units: string) => ({ code: 'UNITS_LIMITED', details: { limit, units } })
  await expect(fund.buy(member, productId, 31n)).rejects.toMatchObject(limited('member', '30'))
  await fund.buy(member, productId, 20n)
  await fund.buy(other, productId, 20n)
  await expect(fund.buy(member, productId, 6n)).rejects.toMatchObject(limited('product', '5'))
  const open = await fund.open('Diluted', '10', {}, { soldPpm: 250_000 })
  await fund.buy(member, open, 20n)
  await fund.invest(open, '100')
  await fund.buy(other, open, 5n)
  await expect(fund.buy(other, open, 1n)).rejects.toMatchObject(limited('valuation', '0'))
  await fund.value(open, '100')
  await fund.buy(other, open, 6n)
})

test("A and B buy for 1,000 each, the value halves, A redeems, it recovers: B is never paid from A's principal", async () => {
  const terms = { subscriptionPpm: 0, redemptionPpm: 0, managementPpm: 0 }
  const productId = await fund.open('Two holders', '10', terms)
  await fund.buy(member, productId, 100n)
  await fund.buy(other, productId, 100n)
  await fund.invest(productId, '1000')
  await fund.value(productId, '0')
  expect(await fund.nav(productId)).toBe(parseMicros('5'))
  const before = { a: await fund.balance(member), b: await fund.balance(other) }
  const a = await fund.redeem(member, productId, 100n)
  await fund.decide(member, a.redemption_id, true)
  await product.advance(PAYOUT_MS - HOUR_MS)
  await fund.value(productId, '0')
  await product.advance(HOUR_MS)
  expect(await payDue()).toBe(1)
  expect((await fund.balance(member)).available - before.a.available).toBe(parseMicros('500'))
  // The old rule kept A's 500 as proceeds and paid B 1,500 once a net value of 15 was typed.
  expect(await fund.custody(productId)).toBe(parseMicros('500'))
  await fund.value(productId, '1000')
  expect(await fund.nav(productId)).toBe(parseMicros('15'))
  const b = await fund.redeem(other, productId, 100n)
  await fund.decide(other, b.redemption_id, true)
  await product.advance(PAYOUT_MS)
  await fund.value(productId, '1000')
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(other, b.redemption_id)).toMatchObject({
    status: 'Approved',
    is_estimate: true,
  })
  // Only money from outside pays B: without it the custody has B's own 500.
  await fund.divest(productId, '1000', '0')
  expect(await payDue()).toBe(1)
  expect((await fund.balance(other)).available - before.b.available).toBe(parseMicros('1500'))
  expect(await fund.custody(productId)).toBe(0n)
  expect(await audit()).toEqual([])
})

test('an investment that ends below the NAV at which it began closes the product; a recovery goes to those who hold', async () => {
  const productId = await fund.open('Lost', '10', { redemptionPpm: 0, managementPpm: 0 })
  await fund.buy(member, productId, 10n)
  await expect(fund.value(productId, '1')).rejects.toMatchObject({ code: 'NOTHING_INVESTED' })
  await expect(fund.divest(productId, '1', '0')).rejects.toMatchObject({ code: 'NOTHING_INVESTED' })
  await expect(fund.invest(productId, '100.000001')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await fund.invest(productId, '100')
  await fund.divest(productId, '0', '0')
  expect(await fund.nav(productId)).toBe(0n)
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  const resume = { productId, state: 'open', actor: 'anna' } as const
  const proposed = inDbTx(product.db, (dbTx) => services().products.proposeState(dbTx, resume))
  await expect(proposed).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  const { redemption_id } = await fund.redeem(member, productId, 10n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  // Nothing is paid at a NAV of 0.
  expect(await payDue()).toBe(0)
  await fund.divest(productId, '30', '0')
  expect(await fund.nav(productId)).toBe(parseMicros('3'))
  await expect(fund.invest(productId, '1')).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  expect(await payDue()).toBe(1)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ net: '30.000000', nav: '3.000000' })
  // Without a holder, what still comes is nobody's and goes to revenue.
  await fund.divest(productId, '7', '0')
  expect(await fund.custody(productId)).toBe(0n)
  const { rows } = await sql`
    select sum(amount)::bigint as micros from ledger_postings where kind = 'fund_remainder'`.execute(
    product.db,
  )
  expect(rows).toEqual([{ micros: parseMicros('7') }])
  expect(await audit()).toEqual([])
})

test('announced cash is neither paid nor invested twice, and comes back when the exit does not happen', async () => {
  const productId = await fund.open('Announced', '10', { redemptionPpm: 0 })
  await fund.buy(member, productId, 10n)
  const { investments } = services()
  const draft = {
    ...{ productId, amountMicros: parseMicros('60'), destination: '0x', evidence: fund.evidence },
    ...{ preparedBy: 'anna', approvedBy: 'ben' },
  }
  const twice = await Promise.allSettled(
    [1, 2].map(() => inDbTx(product.db, (dbTx) => investments.setAside(dbTx, draft))),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [announced] = await investments.of(product.db, productId, ['announced'])
  const { investment_id: investmentId } = announced!
  const { redemption_id } = await fund.redeem(member, productId, 5n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  expect(await payDue()).toBe(0)
  const release = () => inDbTx(product.db, (dbTx) => investments.release(dbTx, { investmentId }))
  await Promise.all([release(), release()])
  expect(await payDue()).toBe(1)
  await inDbTx(product.db, (dbTx) => investments.invest(dbTx, { investmentId }))
  expect(await fund.custody(productId)).toBe(parseMicros('50'))
  expect(await audit()).toEqual([])
})

test('the database refuses units without assets, and money that no approval brought', async () => {
  const productId = await fund.open('Guarded', '10')
  await fund.buy(member, productId, 10n)
  const writes = [
    sql`update fund_products set nav_micros = nav_micros + 1 where product_id = ${productId}`,
    sql`update fund_products set units_outstanding = 11 where product_id = ${productId}`,
    sql`update fund_products set announced_micros = 100000001 where product_id = ${productId}`,
  ]
  for (const write of writes) {
    const refused = inDbTx(product.db, (dbTx) => write.execute(dbTx))
    await expect(refused).rejects.toMatchObject({ code: 'RL011' })
  }
  const at = product.now()
  const day = at.toISOString().slice(0, 10)
  const post = (kind: 'fund_invest' | 'fund_divest' | 'fund_remainder', flow: [string, string]) =>
    inDbTx(product.db, (dbTx) =>
      product.services.ledger.post(dbTx, {
        ...{ key: `forged/${kind}`, kind, cause: { type: 'test', id: '1' }, accountingDay: day, at },
        lines: [
          {
            ...{ memberId: 0n, asset: 'USDT', amountMicros: 1n },
            ...{ source: flow[0] as never, destination: flow[1] as never },
          },
        ],
      }),
    )
  const custody = `fund_custody:${productId}`
  await expect(post('fund_divest', ['external', custody])).rejects.toMatchObject({ code: 'RL008' })
  await expect(post('fund_invest', [custody, 'external'])).rejects.toMatchObject({ code: 'RL008' })
  await expect(post('fund_remainder', [custody, 'revenue'])).rejects.toMatchObject({ code: 'RL011' })
  expect(await audit()).toEqual([])
})

test('requests of a product are approved in the order in which they were made, and an approved one can be cancelled', async () => {
  const productId = await fund.open('Ordered', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  const first = await fund.redeem(member, productId, 4n)
  const second = await fund.redeem(other, productId, 10n)
  await expect(fund.decide(other, second.redemption_id, true)).rejects.toMatchObject({ code: 'NOT_FIRST' })
  await fund.decide(member, first.redemption_id, true)
  await fund.decide(other, second.redemption_id, true)
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 2 })
  await inDbTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, member.memberId, BigInt(first.redemption_id)),
  )
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Paid', units_redeeming: '0' })
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 1 })
  await product.advance(PAYOUT_MS)
  expect(await payDue()).toBe(1)
  const late = inDbTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, other.memberId, BigInt(second.redemption_id)),
  )
  await expect(late).rejects.toMatchObject({ code: 'REDEMPTION_FINAL' })
  expect(await audit()).toEqual([])
})

test('of redemptions of the same lot at once one wins', async () => {
  const productId = await fund.open('Contended', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => fund.redeem(member, productId, 6n)),
  )
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused).toHaveLength(7)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 'UNITS_NOT_REDEEMABLE', details: { redeemable: '4' } })
  }
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Redemption', units_redeeming: '6' })
})

test('reviewed by one and confirmed by another, cancelled or rejected gives the units back', async () => {
  const productId = await fund.open('Reviewed', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  const first = await fund.redeem(member, productId, 4n)
  const subject = { memberId: member.memberId, redemptionId: BigInt(first.redemption_id) }
  const confirm = (actor: string) =>
    inDbTx(product.db, (dbTx) => services().review.confirm(dbTx, { ...subject, actor }))
  await expect(confirm('ben')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  await inDbTx(product.db, (dbTx) =>
    services().review.review(dbTx, { ...subject, approve: true, reason: 'fine', actor: 'anna' }),
  )
  await expect(confirm('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const cancel = () =>
    inDbTx(product.db, (dbTx) => services().redemptions.cancel(dbTx, subject.memberId, subject.redemptionId))
  expect(await cancel()).toMatchObject({ status: 'Cancelled' })
  await expect(cancel()).rejects.toMatchObject({ code: 'REDEMPTION_FINAL' })
  await expect(confirm('ben')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  const second = await fund.redeem(member, productId, 10n)
  await fund.decide(member, second.redemption_id, false)
  expect(await fund.redemption(member, second.redemption_id)).toMatchObject({
    ...{ status: 'Rejected', reject_reason: 'looked at' },
  })
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Paid', units_redeeming: '0' })
})

test('paid 72 hours after approval in that order, at the NAV of the payment, as far as the own custody has cash', async () => {
  const productId = await fund.open('Queue', '10')
  const rich = await fund.open('Rich', '10')
  await fund.buy(other, rich, 100n)
  await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  await fund.invest(productId, '150')
  const first = await fund.redeem(member, productId, 10n)
  await fund.decide(member, first.redemption_id, true)
  const second = await fund.redeem(other, productId, 1n)
  await fund.decide(other, second.redemption_id, true)
  await product.advance(PAYOUT_MS - HOUR_MS)
  await fund.value(productId, '190')
  expect(await payDue()).toBe(0)
  await product.advance(2 * HOUR_MS)
  // The second one could be paid, and none overtakes.
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(member, first.redemption_id)).toMatchObject({
    ...{ status: 'Approved', waits_for: 'cash', queue_place: 1, net: '115.400000', is_estimate: true },
  })
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 2 })
  const before = {
    member: await fund.balance(member),
    other: await fund.balance(other),
    root: await fund.balance(root),
  }
  await fund.divest(productId, '90', '100')
  const paid = await Promise.all([payDue(), payDue(), payDue()])
  expect(paid.reduce((sum, one) => sum + one, 0)).toBe(2)
  expect((await fund.balance(member)).available - before.member.available).toBe(parseMicros('115.4'))
  expect((await fund.balance(other)).available - before.other.available).toBe(parseMicros('11.54'))
  expect((await fund.balance(root)).fund_income - before.root.fund_income).toBe(parseMicros('0.44'))
  expect(await fund.custody(productId)).toBe(parseMicros('8'))
  expect(await fund.custody(rich)).toBe(parseMicros('1000'))
  expect(await fund.nav(productId)).toBe(parseMicros('12'))
  expect(await audit()).toEqual([])
})

test('killed around approval and payment, nothing is half done and nothing is done twice', async () => {
  const productId = await fund.open('Killed', '10')
  await fund.buy(member, productId, 3n)
  const ids: string[] = []
  for (let index = 0; index < 3; index++) ids.push((await fund.redeem(member, productId, 1n)).redemption_id)
  for (const id of ids) {
    const subject = { memberId: member.memberId, redemptionId: BigInt(id) }
    const review = { ...subject, approve: true, reason: 'ok', actor: 'anna' }
    await inDbTx(product.db, (dbTx) => services().review.review(dbTx, review))
    const dying = inDbTx(product.db, async (dbTx) => {
      await services().review.confirm(dbTx, { ...subject, actor: 'ben' })
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
    })
    await expect(dying).rejects.toThrow()
    expect(await fund.redemption(member, id)).toMatchObject({ status: 'Pending' })
    await inDbTx(product.db, (dbTx) => services().review.confirm(dbTx, { ...subject, actor: 'ben' }))
  }
  await product.advance(PAYOUT_MS)
  const before = (await fund.balance(member)).available
  const dying = inDbTx(product.db, async (dbTx) => {
    expect(await services().payouts.payDue(dbTx)).toBe(3)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
  })
  await expect(dying).rejects.toThrow()
  expect((await fund.balance(member)).available).toBe(before)
  expect(await payDue()).toBe(3)
  expect(await payDue()).toBe(0)
  expect((await fund.balance(member)).available - before).toBe(parseMicros('29.85'))
  expect(await audit()).toEqual([])
})

test('what belongs to another member does not exist', async () => {
  const productId = await fund.open('Private', '10')
  const order = await fund.buy(member, productId, 2n)
  const { redemption_id } = await fund.redeem(member, productId, 1n)
  await expect(fund.order(other, order.order_id)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  await expect(fund.redemption(other, redemption_id)).rejects.toMatchObject({ code: 'REDEMPTION_NOT_FOUND' })
  const cancel = inDbTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, other.memberId, BigInt(redemption_id)),
  )
  await expect(cancel).rejects.toMatchObject({ code: 'REDEMPTION_NOT_FOUND' })
  await expect(fund.redeem(other, productId, 1n)).rejects.toMatchObject({ code: 'UNITS_NOT_REDEEMABLE' })
  const { orders } = services()
  for (const ask of [orders.approval, orders.payment]) {
    const asked = ask(product.db, other.memberId, BigInt(order.order_id))
    await expect(asked).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  }
})

/** The differences between the fund and the ledger; the events of these tests are not on the chain. */
const fundAudit = async () => (await product.audit()).filter(({ check }) => check.startsWith('fund'))

test.each([
  // At 5 custody gives back the 500 that the other holder's units do not need; the operator adds the rest.
  ['Fallen', { invested: '1500', value: '500', nav: '5', operator: '500', custody: '0' }],
  // At 15 it gives back the price, and what was gained stays with the holder.
  ['Risen', { invested: '1000', value: '2000', nav: '15', operator: '0', custody: '0' }],
] as const)(
  'a purchase that a reorganisation undoes after the NAV changed gives back what it paid, and no holder pays for it: %s',
  async (name, { invested, value, nav, operator, custody }) => {
    const terms = { subscriptionPpm: 0, redemptionPpm: 0, managementPpm: 0 }
    const operatorHolds = async () =>
      (await product.services.ledger.accountsNow(product.db, ['shortfall', 'revenue', 'fees']))
        .filter(({ asset }) => asset === 'USDT')
        .reduce((sum, { micros }) => sum + micros, 0n)
    const productId = await fund.open(name, '10', terms)
    await fund.buy(other, productId, 100n)
    const order = await fund.buy(member, productId, 100n, 'wallet')
    const { hash } = await fund.pay(member, order)
    await product.finalise()
    await fund.invest(productId, invested)
    await fund.value(productId, value)
    expect(await fund.nav(productId)).toBe(parseMicros(nav))
    const before = await operatorHolds()
    const event = {
      ...{ name: 'OrderPaid', txHash: hash, logIndex: 0, blockNumber: 1n, blockHash: '0x' },
      ...{ blockAt: product.now(), contract: product.chain.contracts.bank },
      args: { orderId: BigInt(order.chain_order_id), payer: order.payer, usdtAmount: 0n, amcAmount: 0n },
    } as unknown as ChainEvent<'OrderPaid'>
    const undone = inDbTx(product.db, (dbTx) => services().payments.onUndone(dbTx, event))
    await expect(undone).resolves.toBe('undone')
    expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'UnPaid', units_left: '0' })
    expect(await fund.nav(productId)).toBe(parseMicros(nav))
    expect(before - (await operatorHolds())).toBe(parseMicros(operator))
    expect(await fund.custody(productId)).toBe(parseMicros(custody))
    expect(await fundAudit()).toEqual([])
  },
)

test('an investment and a divestment that the chain dropped are taken back, and no unit loses its backing', async () => {
  const cause = { type: 'test', id: 'dropped' }
  const productId = await fund.open('Dropped', '10')
  await fund.buy(member, productId, 10n)
  const { investments, valuations } = services()
  await fund.invest(productId, '60')
  const [placed] = await investments.of(product.db, productId, ['invested'])
  const uninvest = () =>
    inDbTx(product.db, (dbTx) => investments.uninvest(dbTx, { investmentId: placed!.investment_id, cause }))
  expect(await uninvest()).toBe('undone')
  expect(await uninvest()).toBe('undone')
  expect(await fund.custody(productId)).toBe(parseMicros('100'))
  expect(await fundAudit()).toEqual([])
  await inDbTx(product.db, (dbTx) => investments.invest(dbTx, { investmentId: placed!.investment_id }))
  await fund.value(productId, '90')
  expect(await uninvest()).toBe('covered')
  const draft = { productId, amountMicros: parseMicros('50'), valueMicros: parseMicros('40') }
  await finalDeposit(product, 7001n, '50')
  const { valuation_id: valuationId } = await inDbTx(product.db, (dbTx) =>
    valuations.propose(dbTx, { ...draft, depositId: '7001', evidence: fund.evidence, actor: 'anna' }),
  )
  await inDbTx(
    product.db,
    async (dbTx) => void (await valuations.approve(dbTx, { valuationId, actor: 'ben' })),
  )
  const { redemption_id } = await fund.redeem(member, productId, 5n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  await fund.value(productId, '40')
  expect(await payDue()).toBe(1)
  const undo = () => inDbTx(product.db, (dbTx) => valuations.undo(dbTx, { depositId: '7001', cause }))
  expect(await undo()).toBe('undone')
  expect(await undo()).toBeUndefined()
  // 90 of cash less 65 paid out had 25 left; the operator added the other 25.
  expect(await fund.custody(productId)).toBe(0n)
  expect((await services().products.get(product.db, productId)).invested_micros).toBe(parseMicros('90'))
  expect(await fund.nav(productId)).toBe(parseMicros('13'))
  expect(await fundAudit()).toEqual([])
})

test('the audit finds a value, a NAV, a queue and a cost that do not follow from the records', async () => {
  const productId = await fund.open('Tampered', '10')
  await fund.buy(member, productId, 10n)
  await fund.invest(productId, '60')
  const { investments } = services()
  const [placed] = await investments.of(product.db, productId, ['invested'])
  const id = placed!.investment_id
  const of = sql`where product_id = ${productId}`
  const tamper = (statement: ReturnType<typeof sql>) =>
    product.database.adminDb.transaction().execute(async (dbTx) => {
      await sql`set local session_replication_role = replica`.execute(dbTx)
      await statement.execute(dbTx)
    })
  const tampered: [ReturnType<typeof sql>, ReturnType<typeof sql>, string][] = [
    [sql`value_micros = value_micros - 1`, sql`value_micros = value_micros + 1`, 'fund assets'],
    [sql`cost_micros = cost_micros - 1`, sql`cost_micros = cost_micros + 1`, 'fund investment'],
  ]
  for (const [there, back, check] of tampered) {
    await tamper(sql`update fund_investments set ${there} where investment_id = ${id}`)
    expect((await fundAudit()).map((difference) => difference.check)).toEqual([check])
    await tamper(sql`update fund_investments set ${back} where investment_id = ${id}`)
  }
  await sql`update fund_products set nav_micros = nav_micros - 1 ${of}`.execute(product.db)
  expect((await fundAudit()).map((difference) => difference.check)).toEqual(['fund assets'])
  await sql`update fund_products set nav_micros = nav_micros + 1, units_approved = 1 ${of}`.execute(
    product.db,
  )
  expect((await fundAudit()).map((difference) => difference.check)).toEqual(['fund queue'])
  await sql`update fund_products set units_approved = 0 ${of}`.execute(product.db)
  expect(await fundAudit()).toEqual([])
})
