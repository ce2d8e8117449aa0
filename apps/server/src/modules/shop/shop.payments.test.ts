import { toChainUnits } from '@rif/rules'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { packOnChainId } from '../../chain/onchain-id.ts'
import { inTx } from '../../db/database.ts'
import { payOtherTerms } from '../../testing/bank-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

const MINUTE_MS = 60_000

let product: TestProduct
let root: TestMember
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  await product.publishPrice('RIF', '1')
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.testChain.rpc('evm_setAutomine', [true])
  member = await product.join(root)
})

const get = (orderId: string) => product.services.shop.get(product.db, member.memberId, BigInt(orderId))
const checkoutOf = (orderId: string) => ({
  memberId: member.memberId,
  orderId: BigInt(orderId),
  useHashRate: undefined,
})
const rawPayment = async (orderId: string) =>
  (await product.services.shop.payment(product.db, checkoutOf(orderId))).tx
const report = (orderId: string, txHash: string) =>
  inTx(product.db, (dbTx) =>
    product.services.shop.reportPayment(dbTx, member.memberId, BigInt(orderId), txHash),
  )
const cancel = (orderId: string) =>
  inTx(product.db, (dbTx) => product.services.shop.cancel(dbTx, member.memberId, BigInt(orderId)))
const suspense = () => product.services.ledger.pools.balances(product.db, 'suspense')
const unmatched = () =>
  product.db.selectFrom('unmatched_payments').selectAll().orderBy('collected_at', 'desc').execute()

test('a payment is Processing when seen, UnPaid again when the chain drops it, and Paid when final', async () => {
  const order = await product.order(member, 1)
  await product.approve(member, order.order_id)
  const first = await product.send(member, await rawPayment(order.order_id))
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({
    status: 'Processing',
    tx_hash: first.hash,
    confirmations: 1,
    confirmations_needed: 3,
  })
  await expect(cancel(order.order_id)).rejects.toMatchObject({ code: 'ORDER_FINAL' })

  await product.testChain.rpc('anvil_reorg', [1, []])
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid', tx_hash: null, confirmations: 0 })

  const second = await product.pay(member, order.order_id)
  await product.finalise()
  const paid = await get(order.order_id)
  expect(paid).toMatchObject({ status: 'Paid', tx_hash: second.hash, confirmations: 3 })
  expect(await product.audit()).toEqual([])
})

test('a sped-up payment is found under its new hash', async () => {
  const order = await product.order(member, 1)
  await product.approve(member, order.order_id)
  await product.testChain.rpc('evm_setAutomine', [false])
  const nonce = await product.testChain.rpc<string>('eth_getTransactionCount', [member.wallet, 'latest'])
  const rawTx = await rawPayment(order.order_id)
  const fees = (gwei: bigint) => ({ nonce, gasPrice: `0x${(gwei * 10n ** 9n).toString(16)}` })
  const slow = await product.submit(member, rawTx, fees(5n))
  expect(await report(order.order_id, slow)).toMatchObject({ status: 'Processing', tx_hash: slow })
  const fast = await product.submit(member, rawTx, fees(50n))
  expect(await report(order.order_id, fast)).toMatchObject({ status: 'Processing', tx_hash: fast })
  // The wallet may finally use the old hash too: the event counts.
  await report(order.order_id, slow)
  await product.finalise()
  expect(await get(order.order_id)).toMatchObject({ status: 'Paid', tx_hash: fast })
})

test('a reported payment that reverted, vanished or never existed returns the order to UnPaid', async () => {
  const order = await product.order(member, 1)
  const { shop } = product.services
  // Without approvals the payment reverts.
  const reverted = await product.send(member, await rawPayment(order.order_id))
  expect(reverted.status).toBe('reverted')
  await report(order.order_id, reverted.hash)
  await shop.followReported(product.db)
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid', tx_hash: null })

  await report(order.order_id, `0x${'ab'.repeat(32)}`)
  await shop.followReported(product.db)
  expect(await get(order.order_id)).toMatchObject({ status: 'Processing' })
  await product.advance(MINUTE_MS + 1_000)
  await shop.followReported(product.db)
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid' })

  const { before, tx } = await product.services.shop.approval(product.db, 'usdt', checkoutOf(order.order_id))
  expect(before).toEqual([])
  const approval = await product.send(member, tx!)
  await report(order.order_id, approval.hash)
  await product.indexer.runOnce()
  await shop.followReported(product.db)
  expect(await get(order.order_id)).toMatchObject({ status: 'Processing' })
  await product.finalise()
  await shop.followReported(product.db)
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid' })
  await cancel(order.order_id)
})

test('an order expires only once a final block has passed its deadline', async () => {
  await product.grant(member, 'RIF', '10')
  const order = await product.order(member, 1, true)
  const reported = await product.order(member, 2)
  await product.approve(member, order.order_id)
  const rawTx = await rawPayment(order.order_id)
  await report(reported.order_id, `0x${'cd'.repeat(32)}`)
  const { shop } = product.services
  // Block times are whole seconds: a second after the deadline could still be the deadline.
  await product.advance(30 * MINUTE_MS + 3_000)
  await expect(rawPayment(order.order_id)).rejects.toMatchObject({ code: 'ORDER_EXPIRED' })
  await product.indexer.runOnce()
  expect(await shop.expire(product.db)).toBe(0)
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid' })

  await product.finalise()
  expect(await shop.expire(product.db)).toBe(2)
  expect(await shop.expire(product.db)).toBe(0)
  expect(await get(order.order_id)).toMatchObject({ status: 'Cancelled', cancel_reason: 'expired' })
  expect(await get(reported.order_id)).toMatchObject({ status: 'Cancelled', cancel_reason: 'expired' })
  expect((await product.services.ledger.balances(product.db, member.memberId)).RIF).toMatchObject({
    available: 10_000_000n,
    locked: 0n,
  })
  expect((await product.send(member, rawTx)).status).toBe('reverted')
})

test('a payment seen in time is not expired while it waits for confirmations', async () => {
  const order = await product.order(member, 1)
  await product.pay(member, order.order_id)
  await product.advance(31 * MINUTE_MS)
  await product.testChain.mine(1)
  await product.indexer.runOnce()
  expect(await product.services.shop.expire(product.db)).toBe(0)
  await product.finalise()
  expect(await product.services.shop.expire(product.db)).toBe(0)
  expect(await get(order.order_id)).toMatchObject({ status: 'Paid' })
})

test('payments with foreign quotes go to suspense with their reason, and dust is stored separately', async () => {
  const order = await product.order(member, 1)
  await product.approve(member, order.order_id)
  const id = packOnChainId(member.memberId, BigInt(order.order_id))
  const usdt = toChainUnits(1_000_000n, 6)
  const amc = toChainUnits(2_000_000n, 18) + 7n
  const before = await suspense()
  await payOtherTerms(product, member, id, { usdt, amc })
  await payOtherTerms(product, member, 5n, { usdt, amc })
  await payOtherTerms(product, member, packOnChainId(member.memberId, 999_999n), { usdt, amc })
  await product.finalise()
  const records = await unmatched()
  expect(new Set(records.slice(0, 3).map((record) => record.reason))).toEqual(
    new Set(['wrong_amount', 'unknown_order']),
  )
  expect(records[0]).toMatchObject({ usdt_micros: 1_000_000n, amc_micros: 2_000_000n, amc_dust: '7' })
  expect(await suspense()).toEqual({ USDT: before.USDT + 3_000_000n, AMC: before.AMC + 6_000_000n })
  expect(await get(order.order_id)).toMatchObject({
    status: 'UnPaid',
    unmatched_tx_hash: records.at(0) && expect.any(String),
  })
  await cancel(order.order_id)
  expect(await product.audit()).toEqual([])
})

test('a stolen quote key cannot use up the order of another member', async () => {
  const order = await product.order(member, 1)
  const other = await product.join(root)
  const others = await product.order(other, 1)
  await product.approve(other, others.order_id)
  const id = packOnChainId(member.memberId, BigInt(order.order_id))
  await payOtherTerms(product, other, id, {
    usdt: toChainUnits(70_000_000n, 6),
    amc: toChainUnits(60_000_000n, 18),
  })
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid' })
  await product.finalise()
  expect((await unmatched())[0]).toMatchObject({ reason: 'wrong_payer', member_id: member.memberId })
  await product.pay(member, order.order_id)
  await product.finalise()
  expect(await get(order.order_id)).toMatchObject({ status: 'Paid' })
  expect(await product.audit()).toEqual([])
})

test('a repeated event of a payment changes nothing', async () => {
  const order = await product.order(member, 1)
  await product.pay(member, order.order_id)
  await product.finalise()
  const pool = await product.services.ledger.pools.balances(product.db, 'commission_pool')
  await product.db
    .updateTable('chain_events')
    .set({ told: 'nothing', told_at: null })
    .where('name', '=', 'OrderPaid')
    .execute()
  await product.finalise()
  expect(await product.services.ledger.pools.balances(product.db, 'commission_pool')).toEqual(pool)
  expect(await product.audit()).toEqual([])
})
