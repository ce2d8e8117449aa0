import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
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
async function audit() {
  await product.finalise()
  return product.audit()
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
  await fund.nav(productId, '12')
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({
    ...{ status: 'Paid', tx_hash: hash, units_left: '25', nav: '10.000000', current_nav: '12.000000' },
    ...{ market_value: '300.000000', profit: '50.000000', amount_received: '252.500000' },
  })
  expect(await fund.custody(productId, 'principal')).toBe(parseMicros('250'))
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
  expect(await fund.custody(productId, 'principal')).toBe(0n)
  const second = await fund.pay(member, order)
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Paid', tx_hash: second.hash })
  expect(await fund.custody(productId, 'principal')).toBe(parseMicros('30'))
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

test('an unpaid purchase expires with its quote, and a stale NAV stops buying and redeeming', async () => {
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
  await product.advance(3 * 24 * HOUR_MS)
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await expect(fund.redeem(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await fund.nav(productId, '11')
  const changed = { productId, units: 1n, payWith: 'available', navMicros: parseMicros('10') } as const
  await expect(
    inDbTx(product.db, (dbTx) => services().orders.buy(dbTx, member, changed)),
  ).rejects.toMatchObject({ code: 'NAV_CHANGED' })
})

test('products and NAVs take two admins, and a NAV above the attested assets is refused', async () => {
  const productId = await fund.open('Backed', '10')
  await fund.buy(member, productId, 10n)
  await expect(fund.nav(productId, '12', '119.999999')).rejects.toMatchObject({ code: 'NAV_NOT_BACKED' })
  await fund.nav(productId, '12', '120')
  const draft = { productId, navMicros: 1n, assetsMicros: 0n, documentHash: null, actor: 'anna' }
  const { navId } = await services().navs.prepare(product.db, draft)
  const approve = (actor: string) =>
    inDbTx(product.db, (dbTx) => services().navs.approve(dbTx, { navId, actor }))
  await expect(approve('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(approve('ben')).rejects.toMatchObject({ code: 'NAV_NOT_BACKED' })
  const propose = { productId, state: 'closed', actor: 'anna' } as const
  await inDbTx(product.db, (dbTx) => services().products.proposeState(dbTx, propose))
  const close = (actor: string) =>
    inDbTx(product.db, (dbTx) => services().products.approveState(dbTx, { productId, actor }))
  await expect(close('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await close('ben')
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  await expect(fund.open('Backed', '1')).rejects.toMatchObject({ code: 'PRODUCT_EXISTS' })
})

test('a gain is paid out of what the operator brings back: attested by two admins, deposited on chain', async () => {
  const productId = await fund.open('Brought back', '10')
  await fund.buy(member, productId, 10n)
  await fund.nav(productId, '12')
  const { redemption_id } = await fund.redeem(member, productId, 10n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  const { depositId, documentHash } = await fund.deposit(root, '20')
  const { attestedRevenue } = product.services
  const attest = (asset: 'USDT' | 'AMC') =>
    inDbTx(product.db, (dbTx) =>
      attestedRevenue.prepare(dbTx, {
        ...{ pool: 'fund_proceeds', productId, asset, source: 'a sale', actor: 'anna' },
        ...{ amountMicros: parseMicros('20'), depositId, documentHash },
      }),
    )
  await expect(attest('AMC')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  const { attestationId } = await attest('USDT')
  const approve = (actor: string) =>
    inDbTx(product.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor }))
  await expect(approve('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  // Not final on chain yet.
  await expect(approve('ben')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await product.finalise()
  expect(await payDue()).toBe(0)
  await approve('ben')
  expect(await fund.custody(productId, 'proceeds')).toBe(parseMicros('20'))
  expect(await payDue()).toBe(1)
  expect(await fund.custody(productId, 'proceeds')).toBe(0n)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({
    status: 'Completed',
    net: '115.400000',
  })
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

test('paid 72 hours after approval in the order of approval, as far as the own custody has cash; none overtakes', async () => {
  const productId = await fund.open('Queue', '10')
  const rich = await fund.open('Rich', '10')
  await fund.proceeds(rich, '1000')
  await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  await fund.nav(productId, '12')
  const first = await fund.redeem(member, productId, 10n)
  await fund.decide(member, first.redemption_id, true)
  await fund.nav(productId, '8')
  const second = await fund.redeem(other, productId, 10n)
  await fund.decide(other, second.redemption_id, true)
  await product.advance(PAYOUT_MS - HOUR_MS)
  expect(await payDue()).toBe(0)
  await product.advance(2 * HOUR_MS)
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(member, first.redemption_id)).toMatchObject({
    ...{ status: 'Approved', waits_for_cash: true, queue_place: 1, net: '115.400000' },
  })
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 2 })
  const before = {
    member: await fund.balance(member),
    other: await fund.balance(other),
    root: await fund.balance(root),
  }
  await fund.proceeds(productId, '20')
  const paid = await Promise.all([payDue(), payDue(), payDue()])
  expect(paid.reduce((sum, one) => sum + one, 0)).toBe(2)
  expect((await fund.balance(member)).available - before.member.available).toBe(parseMicros('115.4'))
  expect((await fund.balance(other)).available - before.other.available).toBe(parseMicros('79.6'))
  expect((await fund.balance(root)).fund_income - before.root.fund_income).toBe(parseMicros('0.4'))
  expect(await fund.custody(productId, 'principal')).toBe(0n)
  expect(await fund.custody(productId, 'proceeds')).toBe(parseMicros('20'))
  expect(await fund.custody(rich, 'proceeds')).toBe(parseMicros('1000'))
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
