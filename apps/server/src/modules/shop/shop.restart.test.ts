import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { childProgram } from '../../testing/child-program.ts'
import { holdTable, waitsForLock } from '../../testing/lock-waits.ts'
import type { ChildSettings } from '../../testing/product-child.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../testing/test-product.ts'

const CHILD = new URL('../../testing/product-child.ts', import.meta.url)

let product: TestProduct
let root: TestMember
let member: TestMember
const children = new Set<ChildProcess>()

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  member = await product.join(root)
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
})
afterEach(() => Promise.all([...children].map(kill9)))
afterAll(() => product.stop())

function startChild(): ChildProcess {
  const { database, chain, settings } = product
  const argument: ChildSettings = {
    databaseUrl: database.url,
    contracts: chain.contracts,
    settings,
    clockOffsetMs: product.clockOffsetMs(),
  }
  const args = [childProgram(CHILD), JSON.stringify(argument)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  children.add(child)
  return child
}

async function kill9(child: ChildProcess): Promise<void> {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

const statusOf = async (orderId: string) =>
  (await product.services.shop.get(product.db, member.memberId, BigInt(orderId))).status
const rewardCount = async () => (await product.db.selectFrom('rewards').selectAll().execute()).length

/** Locks a table, so that the next writer stops there; resolves when the child has reached it. */
async function stopChildAt(table: string): Promise<{ reached: Promise<void>; release(): Promise<void> }> {
  const release = await holdTable(product.database, table)
  const isWaiting = () => waitsForLock(product.database, 'product-child')
  return { reached: expect.poll(isWaiting).toBe(true), release }
}

// From the money through the order to the last sum: wherever the process dies, nothing of the collection has
// happened.
test.each(['ledger_entries', 'reward_coverage'])(
  'killed while writing %s, the finalisation is done once by the next process',
  async (table) => {
    const order = await product.order(member, 1)
    await product.pay(member, order.order_id)
    const rewardsBefore = await rewardCount()
    await product.indexer.runOnce()
    expect(await statusOf(order.order_id)).toBe('Processing')

    const stop = await stopChildAt(table)
    const child = startChild()
    await product.testChain.mine(CONFIRMATIONS)
    await stop.reached
    await kill9(child)
    await stop.release()
    expect(await statusOf(order.order_id)).toBe('Processing')
    expect(await rewardCount()).toBe(rewardsBefore)

    const next = startChild()
    await expect.poll(() => statusOf(order.order_id)).toBe('Paid')
    await kill9(next)
    expect(await rewardCount()).toBe(rewardsBefore + 2)
    await product.indexer.runOnce()
    expect(await product.audit()).toEqual([])
  },
)

// To the last row, the count of copies.
test.each(['ledger_entries', 'package_copies'])(
  'killed while writing %s, the payment of a cancelled order pays it once',
  { tags: ['full'] },
  async (table) => {
    await product.publishPrice('RIF', '1')
    await product.grant(member, 'RIF', '10')
    const rif = async () => (await product.services.ledger.balances(product.db, member.memberId)).RIF
    const before = await rif()
    const copiesLeft = async () => (await product.services.shop.products(product.db))[1]!.copies_left
    const [copies, order] = [await copiesLeft(), await product.order(member, 2, true)]
    await product.approve(member, order.order_id)
    const request = { memberId: member.memberId, orderId: BigInt(order.order_id), useHashRate: undefined }
    const { tx } = await product.services.shop.payment(product.db, request)
    await product.cancelOrder(member, order.order_id)
    expect((await product.send(member, tx)).status).toBe('success')

    const stop = await stopChildAt(table)
    const child = startChild()
    await product.testChain.mine(CONFIRMATIONS)
    await stop.reached
    await kill9(child)
    await stop.release()
    expect(await statusOf(order.order_id)).toBe('Cancelled')
    expect(await copiesLeft()).toBe(copies)
    expect(await rif()).toEqual({ ...before, available: 0n, locked: 10_000_000n })

    const next = startChild()
    await expect.poll(() => statusOf(order.order_id)).toBe('Paid')
    await kill9(next)
    expect(await copiesLeft()).toBe(copies - 1)
    expect(await rif()).toEqual({ ...before, available: 0n, locked: 0n })
    await product.indexer.runOnce()
    expect(await product.audit()).toEqual([])
  },
)

test('killed again and again in the middle of many payments of one transaction, every payment is booked exactly once', {
  tags: ['full'],
}, async () => {
  const orders: string[] = []
  for (let count = 0; count < 20; count++) {
    const { order_id } = await product.order(member, 1)
    const { hash } = await product.pay(member, order_id)
    await inTx(product.db, (dbTx) =>
      product.services.shop.reportPayment(dbTx, member.memberId, BigInt(order_id), hash),
    )
    orders.push(order_id)
  }
  await product.testChain.mine(CONFIRMATIONS)
  const rewardsBefore = await rewardCount()

  const paid = async () =>
    (await Promise.all(orders.map(statusOf))).filter((status) => status === 'Paid').length
  // From the first row of a batch to the last one.
  for (const table of ['ledger_entries', 'orders', 'sales_days', 'reward_totals']) {
    const stop = await stopChildAt(table)
    const child = startChild()
    await stop.reached
    await kill9(child)
    await stop.release()
    expect(await paid(), table).toBe(0)
    expect(await rewardCount(), table).toBe(rewardsBefore)
  }
  startChild()
  await expect.poll(paid).toBe(orders.length)
  expect(await rewardCount()).toBe(rewardsBefore + 2 * orders.length)
  await product.indexer.runOnce()
  expect(await product.audit()).toEqual([])
})
