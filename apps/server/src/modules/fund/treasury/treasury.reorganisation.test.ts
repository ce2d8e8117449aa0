import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  blockNumber as blockNumberOf,
  reorganiseAfter as replaceBlocksAfter,
} from '../../../testing/bank-actions.ts'
import { startTestProduct, type TestProduct } from '../../../testing/test-product.ts'
import { DAY_MS, HOUR_MS, treasuryBank } from './testing/treasury-bank.ts'
import type { ExitRow } from './treasury.repository.ts'

const BLOCKS_TO_FINALITY = 64

let product: TestProduct
let bank: ReturnType<typeof treasuryBank>
let destination: string
let revenue: number

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  bank = treasuryBank(product)
  await product.publishPrice('AMC', '0.5')
  const root = await product.join(null)
  const buyer = await product.join(root)
  await product.pay(buyer, (await product.order(buyer, 5)).order_id)
  destination = await bank.list()
  await settleOnL1()
  revenue = (await bank.accounts()).revenue!
})
afterAll(() => product.stop())

const settle = () => product.services.exits.settleEnded()
const blockNumber = () => blockNumberOf(product)
const reorganiseAfter = async (block: number) => {
  await replaceBlocksAfter(product, block)
  await product.indexer.runOnce()
}

async function settleOnL1(): Promise<void> {
  await product.finalise()
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
}

test('an exit follows a reorganisation above L1 finality back through each step, and is finally spent once', async () => {
  const exit = await bank.approvePayout('100', destination)
  const beforeAnnouncement = await blockNumber()
  await bank.announce(exit)
  await product.finalise()
  expect((await bank.state(exit)).state).toBe('Announced')
  await reorganiseAfter(beforeAnnouncement)
  expect(await bank.state(exit)).toMatchObject({ state: 'Approved', announced_tx: null, executable_at: null })
  expect(await bank.audit()).toEqual([])

  await bank.announce(exit)
  await product.finalise()
  await product.advance(2 * DAY_MS)
  await bank.publish('0')
  const beforeExecution = await blockNumber()
  await bank.execute(exit)
  await product.finalise()
  expect((await bank.state(exit)).state).toBe('Executed')
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100 })
  await reorganiseAfter(beforeExecution)
  expect(await bank.state(exit)).toMatchObject({ state: 'Announced', ended_tx: null })
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100, exit_hold: 100 })
  expect(await bank.audit()).toEqual([])

  // At the same depth again, and in another block of the new branch.
  await bank.execute(exit)
  await product.finalise()
  await replaceBlocksAfter(product, beforeExecution)
  await bank.execute(exit)
  await product.finalise()
  expect((await bank.state(exit)).state).toBe('Executed')
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100 })
  expect(await bank.audit()).toEqual([])
  revenue -= 100
})

test('a cancellation dropped before L1 finalised it returns nothing', async () => {
  const exit = await bank.approvePayout('50', destination)
  await bank.announce(exit)
  await product.finalise()
  const block = await blockNumber()
  await bank.send('guardian', 'cancelExit', [bank.terms(exit).exitId])
  await product.finalise()
  await settle()
  expect(await bank.state(exit)).toMatchObject({ state: 'Cancelled', released_at: null })
  expect(await bank.accounts()).toEqual({ revenue: revenue - 50, exit_hold: 50 })
  await reorganiseAfter(block)
  expect((await bank.state(exit)).state).toBe('Announced')
  expect(await bank.audit()).toEqual([])

  await bank.send('guardian', 'cancelExit', [bank.terms(exit).exitId])
  await settleOnL1()
  await settle()
  expect(await bank.accounts()).toEqual({ revenue })
  expect(await bank.audit()).toEqual([])
})

test('a window that ended only above L1 finality returns nothing yet', async () => {
  const exit = await bank.approvePayout('50', destination)
  await bank.announce(exit)
  await product.finalise()
  await product.advance(9 * DAY_MS + HOUR_MS)
  await product.finalise()
  await settle()
  expect((await bank.state(exit)).state).toBe('Announced')
  await settleOnL1()
  await settle()
  expect((await bank.state(exit)).state).toBe('Lapsed')
  expect(await bank.accounts()).toEqual({ revenue })
  expect(await bank.audit()).toEqual([])
})

test('a stolen exit whose execution is dropped no longer costs the operator anything', async () => {
  const stolen = {
    ...bank.terms(await bank.approvePayout('10', destination)),
    exitId: 9n,
    amount: 60_000_000n,
  }
  await bank.send('treasurer', 'announceExit', [stolen])
  await product.finalise()
  await product.advance(2 * DAY_MS)
  await bank.publish('0')
  const block = await blockNumber()
  await bank.send('quoteSigner', 'executeExit', [stolen])
  await product.finalise()
  expect(await bank.accounts()).toEqual({ revenue: revenue - 70, exit_hold: 10 })
  await reorganiseAfter(block)
  expect(await bank.accounts()).toEqual({ revenue: revenue - 10, exit_hold: 10 })
  await bank.send('quoteSigner', 'executeExit', [stolen])
  await product.finalise()
  expect(await bank.accounts()).toEqual({ revenue: revenue - 70, exit_hold: 10 })
  expect((await bank.audit()).map(({ check }) => check)).toEqual(['unapproved exit'])
})

test('a bank that is handed over returns the amounts set aside for its exits, once L1 has finalised the hand-over', async () => {
  const exits: ExitRow[] = []
  await bank.handOver(async () => {
    await settle()
    revenue = (await bank.accounts()).revenue!
    exits.push(await bank.approvePayout('5', destination), await bank.approvePayout('6', destination))
    await bank.announce(exits[1]!)
    await product.finalise()
  })
  await product.finalise()
  await settle()
  expect(await bank.accounts()).toEqual({ revenue: revenue - 11, exit_hold: 11 })
  await settleOnL1()
  await Promise.all([settle(), settle()])
  for (const exit of exits) expect((await bank.state(exit)).state).toBe('HandedOver')
  expect(await bank.accounts()).toEqual({ revenue })
  expect(await bank.execute(exits[1]!)).toMatchObject({ status: 'reverted' })
  await expect(bank.approvePayout('1', destination)).rejects.toMatchObject({ code: 'PAUSED' })
})
