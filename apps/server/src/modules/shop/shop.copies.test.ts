import { dayOf, defaultPlan, serialisePlan, startOfDay } from '@rif/rules'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { packOnChainId } from '../../chain/onchain-id.ts'
import { inTx } from '../../db/database.ts'
import { blockNumber, payOtherTerms, recover, reorganiseAfter } from '../../testing/bank-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

// Copies are counted by the bank when they are paid, and a signed quote of a cancelled order stays payable (rules, section 4).

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

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
  member = await product.join(root)
})

const get = (orderId: string, of = member) =>
  product.services.shop.get(product.db, of.memberId, BigInt(orderId))
/** Returns the payment of an order with its signed quote. */
const signed = async (orderId: string, of = member) => {
  const request = { memberId: of.memberId, orderId: BigInt(orderId), useHashRate: undefined }
  return (await product.services.shop.payment(product.db, request)).tx
}
const left = async (level: number) =>
  (await product.services.shop.products(product.db))[level - 1]!.copies_left
const balances = async () => {
  const { USDT, RIF } = await product.services.ledger.balances(product.db, member.memberId)
  return { usdt: USDT.available, rif: RIF.available, locked: RIF.locked }
}
const suspense = () => product.services.ledger.pools.balances(product.db, 'suspense')
const level = async (of = member) => (await product.services.members.get(product.db, of.memberId)).level
/** Limits the copies of a package from the next UTC day on, which is then the current one. */
async function limit(packageLevel: number, copies: number): Promise<void> {
  const at = product.now().getTime()
  const packages = defaultPlan.packages.map((terms) =>
    terms.level === packageLevel ? { ...terms, copies } : terms,
  )
  await inTx(product.db, (dbTx) =>
    product.services.plans.publish(dbTx, {
      plan: serialisePlan({ ...defaultPlan, packages }),
      effectiveDay: dayOf(at + DAY_MS),
      actor: 'test',
    }),
  )
}
const untilMidnight = () => startOfDay(dayOf(product.now().getTime() + DAY_MS)) - product.now().getTime()

test('the chain decides between the two last buyers, and the other one pays gas alone', async () => {
  await limit(5, 1)
  await product.advance(untilMidnight() + MINUTE_MS)
  const rival = await product.join(root)
  const [mine, theirs] = [await product.order(member, 5), await product.order(rival, 5)]
  await product.approve(member, mine.order_id)
  await product.approve(rival, theirs.order_id)
  const [own, other] = [await signed(mine.order_id), await signed(theirs.order_id, rival)]
  expect(await left(5)).toBe(1)

  expect((await product.send(rival, other)).status).toBe('success')
  const refused = await product.send(member, own)
  expect(refused.status).toBe('reverted')
  await inTx(product.db, (dbTx) =>
    product.services.shop.reportPayment(dbTx, member.memberId, BigInt(mine.order_id), refused.hash),
  )
  // Not final yet, and counted all the same.
  await product.indexer.runOnce()
  expect(await left(5)).toBe(0)
  await expect(product.order(root, 5)).rejects.toMatchObject({ code: 'SOLD_OUT' })
  await product.services.shop.followReported(product.db)
  expect(await get(mine.order_id)).toMatchObject({ status: 'UnPaid', tx_hash: null })
  await product.finalise()
  expect(await get(theirs.order_id, rival)).toMatchObject({ status: 'Paid' })
  expect([await level(), await level(rival)]).toEqual([0, 5])
  await product.cancelOrder(member, mine.order_id)
  expect(await product.audit()).toEqual([])
})

test('a copy whose payment the chain drops can be bought again', async () => {
  const before = await left(1)
  const order = await product.order(member, 1)
  await product.approve(member, order.order_id)
  const block = await blockNumber(product)
  await product.send(member, await signed(order.order_id))
  await product.indexer.runOnce()
  expect(await left(1)).toBe(before - 1)
  await reorganiseAfter(product, block)
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({ status: 'UnPaid' })
  expect(await left(1)).toBe(before)
  await product.pay(member, order.order_id)
  await product.finalise()
  expect(await left(1)).toBe(before - 1)
  expect(await product.audit()).toEqual([])
})

test('a lowered limit undoes no paid copy, old quotes pass until their deadline, and a raised one sells again', async () => {
  const [second, third] = [await product.join(root), await product.join(root)]
  await product.pay(member, (await product.order(member, 3)).order_id)
  await limit(3, 1)
  await product.advance(untilMidnight() - MINUTE_MS)
  const [old, late] = [await product.order(second, 3), await product.order(third, 3)]
  await product.approve(second, old.order_id)
  await product.approve(third, late.order_id)
  const [oldTx, lateTx] = [await signed(old.order_id, second), await signed(late.order_id, third)]
  await product.advance(2 * MINUTE_MS)
  await product.finalise()
  expect(await left(3)).toBe(0)
  await expect(product.order(root, 3)).rejects.toMatchObject({ code: 'SOLD_OUT' })
  // The signer takes the limit of today's plan, so an order of yesterday gets no larger one.
  const afresh = await signed(late.order_id, third)
  expect((await product.send(third, afresh)).status).toBe('reverted')

  expect((await product.send(second, oldTx)).status).toBe('success')
  await product.finalise()
  expect(await get(old.order_id, second)).toMatchObject({ status: 'Paid' })
  expect(await left(3)).toBe(0)
  await product.advance(31 * MINUTE_MS)
  expect((await product.send(third, lateTx)).status).toBe('reverted')
  expect(await product.audit()).toEqual([])

  await limit(3, 3)
  await product.advance(DAY_MS)
  expect(await left(3)).toBe(1)
  await product.pay(third, (await product.order(third, 3)).order_id)
  await product.finalise()
  expect(await left(3)).toBe(0)
  expect(await product.audit()).toEqual([])
})

test('an order cancelled before its quote was signed gives its RIF back at once, and cannot be signed', async () => {
  await product.grant(member, 'RIF', '10')
  const order = await product.order(member, 1, true)
  expect(await balances()).toMatchObject({ rif: 0n, locked: 10_000_000n })
  await product.cancelOrder(member, order.order_id)
  expect(await balances()).toMatchObject({ rif: 10_000_000n, locked: 0n })
  await expect(signed(order.order_id)).rejects.toMatchObject({ code: 'ORDER_FINAL' })
  await expect(
    product.services.signer.quote('shop', member.memberId, BigInt(order.order_id)),
  ).rejects.toMatchObject({ code: 'ORDER_FINAL' })
  expect(await product.audit()).toEqual([])
})

test('an order cancelled after its quote was signed blocks no new one and is paid inside the deadline', async () => {
  await product.grant(member, 'RIF', '10')
  const order = await product.order(member, 1, true)
  await product.approve(member, order.order_id)
  const tx = await signed(order.order_id)
  expect(await product.cancelOrder(member, order.order_id)).toMatchObject({
    status: 'Cancelled',
    cancel_reason: 'member',
  })
  expect(await balances()).toMatchObject({ rif: 0n, locked: 10_000_000n })
  const next = await product.order(member, 1)
  const [copies, before] = [await left(1), await suspense()]

  const { hash } = await product.send(member, tx)
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({ status: 'Cancelled', tx_hash: hash, confirmations: 1 })
  expect(await left(1)).toBe(copies - 1)
  expect(await product.audit()).toEqual([])
  await product.finalise()
  expect(await get(order.order_id)).toMatchObject({
    status: 'Paid',
    use_hash_rate: true,
    cancelled_at: null,
    cancel_reason: null,
    unmatched_tx_hash: null,
    quote: { due: '90.000000' },
  })
  expect(await balances()).toEqual({ usdt: 0n, rif: 0n, locked: 0n })
  expect(await suspense()).toEqual(before)
  expect([await level(), await left(1)]).toEqual([1, copies - 1])
  expect(await get(next.order_id)).toMatchObject({ status: 'UnPaid' })
  await product.cancelOrder(member, next.order_id)
  expect(await product.audit()).toEqual([])
})

test('the RIF of a cancelled order stay locked until final blocks are past its deadline', async () => {
  await product.grant(member, 'RIF', '10')
  const order = await product.order(member, 1, true)
  await product.approve(member, order.order_id)
  const tx = await signed(order.order_id)
  await product.cancelOrder(member, order.order_id)
  const { shop } = product.services
  await product.finalise()
  await shop.expire(product.db)
  expect(await balances()).toMatchObject({ locked: 10_000_000n })
  // A payment in a block that the chain drops changes nothing.
  const block = await blockNumber(product)
  await product.send(member, tx)
  await product.indexer.runOnce()
  await reorganiseAfter(product, block)
  await product.indexer.runOnce()
  expect(await get(order.order_id)).toMatchObject({ status: 'Cancelled', tx_hash: null })

  await product.advance(30 * MINUTE_MS + 3_000)
  await product.indexer.runOnce()
  await shop.expire(product.db)
  expect(await balances()).toMatchObject({ rif: 0n, locked: 10_000_000n })
  await product.finalise()
  await shop.expire(product.db)
  expect(await balances()).toMatchObject({ rif: 10_000_000n, locked: 0n })
  await shop.expire(product.db)
  expect(await balances()).toMatchObject({ rif: 10_000_000n, locked: 0n })
  expect((await product.send(member, tx)).status).toBe('reverted')
  expect(await get(order.order_id)).toMatchObject({ status: 'Cancelled', cancel_reason: 'member' })
  expect(await product.audit()).toEqual([])
})

test.each([{ useHashRate: true }, { useHashRate: false }])(
  'a payment of a cancelled order that a deep reorganisation removes leaves it cancelled (%j)',
  async ({ useHashRate }) => {
    await product.grant(member, 'RIF', '10')
    const order = await product.order(member, 1, true)
    await product.approve(member, order.order_id, useHashRate)
    const request = { memberId: member.memberId, orderId: BigInt(order.order_id), useHashRate }
    const { tx } = await product.services.shop.payment(product.db, request)
    await product.cancelOrder(member, order.order_id)
    const copies = await left(1)
    const block = await blockNumber(product)
    await product.send(member, tx)
    await product.finalise()
    expect(await get(order.order_id)).toMatchObject({ status: 'Paid', use_hash_rate: useHashRate })
    expect(await balances()).toMatchObject({ rif: useHashRate ? 0n : 10_000_000n, locked: 0n })

    await reorganiseAfter(product, block)
    await recover(product)
    expect(await get(order.order_id)).toMatchObject({ status: 'Cancelled', cancel_reason: 'member' })
    expect(await balances()).toMatchObject({ rif: 0n, locked: 10_000_000n })
    expect([await level(), await left(1)]).toEqual([0, copies])
    expect(await product.audit()).toEqual([])

    // The same payment is mined again inside the deadline.
    await product.send(member, tx)
    await product.finalise()
    expect(await get(order.order_id)).toMatchObject({ status: 'Paid' })
    expect([await level(), await left(1)]).toEqual([1, copies - 1])
    expect(await product.audit()).toEqual([])
  },
)

test('to cancel, pay and ask for a refund in a loop gains nothing', async () => {
  const [copies, before] = [await left(1), await suspense()]
  const bought = []
  for (let round = 0; round < 3; round++) {
    const { order_id } = await product.order(member, 1)
    await product.approve(member, order_id)
    const tx = await signed(order_id)
    await product.cancelOrder(member, order_id)
    expect((await product.send(member, tx)).status).toBe('success')
    expect((await product.send(member, tx)).status).toBe('reverted')
    await product.finalise()
    bought.push(order_id)
  }
  for (const id of bought) expect(await get(id)).toMatchObject({ status: 'Paid', unmatched_tx_hash: null })
  // Nothing is in suspense to be refunded, each copy was paid for, and each is counted once.
  expect(await suspense()).toEqual(before)
  expect((await balances()).usdt).toBe(0n)
  expect(await left(1)).toBe(copies - 3)
  const { investedMicros } = await product.services.members.get(product.db, member.memberId)
  expect(investedMicros).toBe(300_000_000n)
  expect(await product.audit()).toEqual([])
})

test('the audit finds a copy that the bank has counted and the books do not have', async () => {
  const order = await product.order(member, 2)
  await product.approve(member, order.order_id)
  const terms = { usdt: 1_000_000n, amc: 0n, package: 2n }
  // Under the id of an order of another member: nothing in the books explains the copy.
  await payOtherTerms(product, member, packOnChainId(root.memberId, 999_999n), terms)
  await product.finalise()
  const counted = 200 - (await left(2))
  expect(await product.audit()).toEqual([
    {
      check: 'copies',
      subject: 'package 2: copies paid on chain',
      expected: `${counted}`,
      actual: `${counted + 1}`,
    },
  ])
})
