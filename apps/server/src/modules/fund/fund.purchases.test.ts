import type { FundOrder } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFinal, type ChainEvent } from '../../chain/indexer/events.ts'
import { inTx } from '../../db/database.ts'
import { type FundProduct, HOUR_MS, startFundProduct } from './testing/fund-product.ts'

let product: FundProduct['product']
let fund: FundProduct['fund']
let member: FundProduct['member']
let other: FundProduct['other']
let services: FundProduct['services']
let audit: FundProduct['audit']
let fundAudit: FundProduct['fundAudit']
let payDue: FundProduct['payDue']

beforeAll(async () => {
  ;({ product, fund, member, other, services, audit, fundAudit, payDue } = await startFundProduct())
})
afterAll(() => product.stop())

/** Returns the payment of an order as the indexer passes it on. */
const paymentOf = (order: FundOrder, txHash: string) =>
  ({
    name: 'OrderPaid',
    txHash,
    logIndex: 0,
    blockNumber: 1n,
    blockHash: '0x',
    blockAt: product.now(),
    contract: product.chain.contracts.bank,
    args: { orderId: BigInt(order.chain_order_id), payer: order.payer, usdtAmount: 0n, amcAmount: 0n },
  }) as unknown as ChainEvent<'OrderPaid'>

test('units bought on chain are held once the payment is final, at the quoted price', async () => {
  const productId = await fund.open('On chain', '10')
  const order = await fund.buy(member, productId, 25n, 'wallet')
  expect(order).toMatchObject({ status: 'UnPaid', value: '250.000000', fee: '2.500000', total: '252.500000' })
  const { hash } = await fund.pay(member, order)
  await inTx(product.db, (dbTx) =>
    services().orders.reportPayment(dbTx, member.memberId, BigInt(order.order_id), hash),
  )
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Processing', tx_hash: hash })
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Subscription', tx_hash: hash })
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({
    status: 'Paid',
    tx_hash: hash,
    units_left: '25',
    nav: '10.000000',
    current_nav: '10.000000',
    market_value: '250.000000',
    profit: '0.000000',
    amount_received: '252.500000',
  })
  expect(await fund.custody(productId)).toBe(parseMicros('250'))
  // The event is delivered again.
  const suspense = () => product.services.ledger.pools.balances(product.db, 'suspense')
  const before = await suspense()
  await inTx(product.db, (dbTx) => applyFinal(product.services.eventHandlers, dbTx, [paymentOf(order, hash)]))
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Paid', unmatched_tx_hash: null })
  expect([await suspense(), await fund.custody(productId)]).toEqual([before, parseMicros('250')])
  expect(await audit()).toEqual([])
})

test('after a payment that the chain drops, the order waits for another one', async () => {
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

test('a payment pays a cancelled purchase at its price, and shop and fund orders are never confused', async () => {
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
  await inTx(product.db, (dbTx) => services().orders.cancel(dbTx, member.memberId, BigInt(order.order_id)))
  const shopOrder = await product.order(member, 1)
  const before = await product.services.ledger.pools.balances(product.db, 'suspense')
  const { status, hash } = await product.send(member, tx)
  expect(status).toBe('success')
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Cancelled', tx_hash: hash })
  // A reorganisation drops it, and it is mined again.
  await product.testChain.rpc('anvil_reorg', [1, []])
  await product.indexer.runOnce()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Cancelled', tx_hash: null })
  const again = await product.send(member, tx)
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({
    status: 'Paid',
    tx_hash: again.hash,
    units_left: '1',
    unmatched_tx_hash: null,
  })
  expect(await product.services.ledger.pools.balances(product.db, 'suspense')).toEqual(before)
  expect(await fund.custody(productId)).toBe(parseMicros('10'))
  // An undone payment leaves the purchase cancelled, as the member wished.
  await inTx(product.db, (dbTx) => services().payments.onUndone(dbTx, paymentOf(order, again.hash)))
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Cancelled', units_left: '0' })
  expect(await fund.custody(productId)).toBe(0n)
  expect(await fundAudit()).toEqual([])
  await product.db
    .updateTable('chain_events')
    .set({ told: 'nothing', told_at: null })
    .where('name', '=', 'OrderPaid')
    .where('tx_hash', '=', again.hash)
    .execute()
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Paid', tx_hash: again.hash })
  expect(
    (await product.services.shop.get(product.db, member.memberId, BigInt(shopOrder.order_id))).status,
  ).toBe('UnPaid')
  expect(await audit()).toEqual([])
})

test('a purchase on chain costs the NAV rounded up, and is refunded when its price no longer holds', async () => {
  const productId = await fund.open('Moved', '10')
  await fund.buy(other, productId, 30n)
  await fund.invest(productId, '300')
  await fund.value(productId, '300.00015')
  expect(await fund.nav(productId)).toBe(10_000_005n)
  const firstOrder = await fund.buy(member, productId, 2n, 'wallet')
  const risen = await fund.buy(member, productId, 3n, 'wallet')
  expect(firstOrder).toMatchObject({ nav: '10.000100', value: '20.000200' })
  const paid = await fund.pay(member, firstOrder)
  await product.finalise()
  expect(await fund.order(member, firstOrder.order_id)).toMatchObject({ status: 'Paid', tx_hash: paid.hash })
  expect(await fund.nav(productId)).toBe(10_000_005n)
  expect(await audit()).toEqual([])
  // The NAV is above the quote when the payment is final: others would pay the difference.
  await fund.pay(member, risen)
  await fund.value(productId, '310')
  await product.finalise()
  expect(await fund.order(member, risen.order_id)).toMatchObject({
    status: 'Cancelled',
    cancel_reason: 'price',
    unmatched_tx_hash: expect.any(String),
  })
  // The NAV is lower by more than 1% and 0.0001: the member would pay too much.
  const fallen = await fund.buy(member, productId, 1n, 'wallet')
  await fund.pay(member, fallen)
  await fund.value(productId, '300')
  await product.finalise()
  expect(await fund.order(member, fallen.order_id)).toMatchObject({ status: 'Cancelled' })
  // Bought while a valuation is pending.
  const stopped = await fund.buy(member, productId, 1n, 'wallet')
  await fund.pay(member, stopped)
  const draft = { productId, valueMicros: 1n, evidence: fund.evidence, actor: 'carl' }
  await inTx(product.db, (dbTx) => services().valuations.propose(dbTx, draft))
  await product.finalise()
  expect(await fund.order(member, stopped.order_id)).toMatchObject({ status: 'Cancelled' })
  const { rows } = await sql`
    select reason from unmatched_payments where reason in ('price_changed', 'sale_stopped') order by collected_at`.execute(
    product.db,
  )
  expect(rows.map((row) => (row as { reason: string }).reason)).toEqual([
    'price_changed',
    'price_changed',
    'sale_stopped',
  ])
  expect(await audit()).toEqual([])
})

test('a payment that becomes final after the units are sold out or the sale is closed is refunded', async () => {
  const productId = await fund.open('Ended', '10', {}, { maxUnits: 10n })
  const many = await fund.buy(member, productId, 6n, 'wallet')
  const smallOrder = await fund.buy(member, productId, 1n, 'wallet')
  await fund.pay(member, many)
  await fund.buy(other, productId, 5n)
  await product.finalise()
  expect(await fund.order(member, many.order_id)).toMatchObject({ status: 'Cancelled' })
  await fund.pay(member, smallOrder)
  await inTx(product.db, async (dbTx) => {
    await services().products.proposeState(dbTx, { productId, state: 'closed', actor: 'anna' })
    await services().products.approveState(dbTx, { productId, actor: 'ben' })
  })
  await product.finalise()
  expect(await fund.order(member, smallOrder.order_id)).toMatchObject({ status: 'Cancelled' })
  const { rows } = await sql`
    select reason, usdt_micros from unmatched_payments order by collected_at desc limit 2`.execute(product.db)
  expect(rows).toEqual([
    { reason: 'sale_stopped', usdt_micros: parseMicros('10.1') },
    { reason: 'sale_stopped', usdt_micros: parseMicros('60.6') },
  ])
  expect(await fund.custody(productId)).toBe(parseMicros('50'))
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
  // Requesting and rejecting a redemption do not count as dealing.
  await fund.redeem(member, productId, 1n)
  await fund.decide(member, second.redemption_id, false)
  await fund.value(productId, '26')
  expect(await payDue()).toBe(1)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ nav: '11.000000', is_estimate: false })
  const changed = { productId, units: 1n, payWith: 'available', navMicros: parseMicros('10') } as const
  await expect(
    inTx(product.db, (dbTx) => services().orders.buy(dbTx, member, changed)),
  ).rejects.toMatchObject({ code: 'NAV_CHANGED' })
})

test('the maximum units of a member, of a product, and between two valuations', async () => {
  const limits = { maxMemberUnits: 30n, maxUnits: 45n, soldPpm: 250_000 }
  const productId = await fund.open('Limited', '10', {}, limits)
  const limited = (limit: string, units: string) => ({ code: 'UNITS_LIMITED', details: { limit, units } })
  await expect(fund.buy(member, productId, 31n)).rejects.toMatchObject(limited('member', '30'))
  await fund.buy(member, productId, 20n)
  await fund.buy(other, productId, 20n)
  await expect(fund.buy(member, productId, 6n)).rejects.toMatchObject(limited('product', '5'))
  // Unpaid purchases hold no units, so nobody sells a product out without paying.
  const unpaid = [
    await fund.buy(member, productId, 5n, 'wallet'),
    await fund.buy(other, productId, 5n, 'wallet'),
  ]
  expect(unpaid.map(({ status }) => status)).toEqual(['UnPaid', 'UnPaid'])
  await fund.buy(other, productId, 5n)
  const open = await fund.open('Diluted', '10', {}, 'default')
  await fund.buy(member, open, 20n)
  await fund.invest(open, '100')
  await fund.buy(other, open, 5n)
  await expect(fund.buy(other, open, 1n)).rejects.toMatchObject(limited('valuation', '0'))
  await fund.value(open, '100')
  await fund.buy(other, open, 6n)
})

test.each([
  // At 5, custody returns the 500 that the other holder's units do not need; the operator adds the rest.
  ['Fallen', { invested: '1500', value: '500', nav: '5', operator: '500', custody: '0' }],
  // At 15, it returns the price, and the gain stays with the holder.
  ['Risen', { invested: '1000', value: '2000', nav: '15', operator: '0', custody: '0' }],
] as const)(
  'a purchase that a reorganisation undoes after the NAV changed gives back what it paid, and no holder pays for it: %s',
  async (name, { invested, value, nav, operator, custody }) => {
    const terms = { subscriptionPpm: 0, redemptionPpm: 0, managementPpm: 0 }
    const operatorHolds = async () =>
      (await product.services.ledger.flows.accountsNow(product.db, ['shortfall', 'revenue', 'fees']))
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
    const undone = inTx(product.db, (dbTx) => services().payments.onUndone(dbTx, paymentOf(order, hash)))
    await expect(undone).resolves.toBe('undone')
    expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'UnPaid', units_left: '0' })
    expect(await fund.nav(productId)).toBe(parseMicros(nav))
    expect(before - (await operatorHolds())).toBe(parseMicros(operator))
    expect(await fund.custody(productId)).toBe(parseMicros(custody))
    expect(await fundAudit()).toEqual([])
  },
)

test('cash that was announced when its last holder was undone goes to revenue if the exit does not happen', async () => {
  const productId = await fund.open('Left', '10', { subscriptionPpm: 0 })
  const order = await fund.buy(member, productId, 10n, 'wallet')
  const { hash } = await fund.pay(member, order)
  await product.finalise()
  const { investments, payments } = services()
  const { investment_id: investmentId } = await inTx(product.db, (dbTx) =>
    investments.setAside(dbTx, {
      productId,
      amountMicros: parseMicros('60'),
      destination: '0x',
      evidence: fund.evidence,
      preparedBy: 'anna',
      approvedBy: 'ben',
    }),
  )
  await inTx(product.db, (dbTx) => payments.onUndone(dbTx, paymentOf(order, hash)))
  expect(await fund.custody(productId)).toBe(parseMicros('60'))
  const release = () => inTx(product.db, (dbTx) => investments.release(dbTx, { investmentId }))
  await Promise.all([release(), release()])
  expect(await fund.custody(productId)).toBe(0n)
  const { rows } = await sql`
    select sum(amount)::bigint as micros from ledger_postings
    where kind = 'fund_remainder' and source = ${`fund_custody:${productId}`}`.execute(product.db)
  expect(rows).toEqual([{ micros: parseMicros('60') }])
  expect(await fundAudit()).toEqual([])
})
