import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

const BLOCKS_TO_FINALITY = 10

let product: TestProduct
let root: TestMember
let buyer: TestMember

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  const first = await product.order(root, 5)
  await product.pay(root, first.order_id)
  await product.finalise()
  buyer = await product.join(root)
})
afterAll(() => product.stop())

const voucher = (withdrawalId: string) =>
  product.services.claims.voucher(product.db, root.memberId, BigInt(withdrawalId))
const get = (withdrawalId: string) =>
  product.services.withdrawals.get(product.db, root.memberId, BigInt(withdrawalId))
/** Makes L1 finalise everything on the chain. */
const finaliseOnL1 = async () => {
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
}

test('nothing can leave that depends on a payment not final on L1', async () => {
  const order = await product.order(buyer, 5)
  const payment = await product.pay(buyer, order.order_id)
  await product.finalise()
  // The payment is booked, and its commission can be withdrawn, but a reorganisation can still undo both.
  expect((await product.services.ledger.balances(product.db, root.memberId)).USDT.available).toBeGreaterThan(
    100_000_000n,
  )
  const { withdraw_id, ...requested } = await product.withdraw(root, 'USDT', '100')
  expect(requested.status).toBe('Withdrawable')
  const waits = {
    block: `${payment.blockNumber}`,
    l1_final_block: expect.any(String),
    usual_seconds: expect.any(Number),
    expected_at: expect.any(String),
  }
  expect(requested.claim_wait).toEqual(waits)
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_NOT_FINAL_YET', details: waits })
  expect(await get(withdraw_id)).toMatchObject({ claim_expires_at: null, claim_wait: waits })

  // A later payment does not delay it.
  const later = await product.order(buyer, 4)
  await finaliseOnL1()
  await product.pay(buyer, later.order_id)
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ claim_wait: null })
  expect((await product.send(root, (await voucher(withdraw_id)).tx)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
  expect(await product.audit()).toEqual([])
})

test('a member sees the usual wait, measured on earlier payments', async () => {
  const { claim_wait } = await product.withdraw(root, 'USDT', '10')
  expect(claim_wait).toMatchObject({ usual_seconds: expect.any(Number) })
  expect(await product.order(buyer, 3)).toMatchObject({ usual_seconds: expect.any(Number) })
})
