import { formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  blockNumber as blockNumberOf,
  reorganiseAfter as replaceBlocksAfter,
} from '../../../testing/bank-actions.ts'
import { isOnCluster } from '../../../testing/test-database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { booksOf } from './testing/books.ts'

const BLOCKS_TO_FINALITY = 64
const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember
let seller: TestMember
let friend: TestMember

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  await product.publishPrice('RIF', '1')
  seller = await product.join(root)
  friend = await product.join(root)
  await buy(root, 5)
  await buy(seller, 3)
  await settleOnL1()
})
afterAll(() => product.stop())

const blockNumber = () => blockNumberOf(product)
const undone = () =>
  product.db.selectFrom('chain_undone').select(['name', 'outcome']).orderBy('undone_id').execute()
const available = async (member: TestMember) =>
  (await product.services.ledger.balances(product.db, member.memberId)).USDT.available

/** Makes everything booked so far final on L1. */
async function settleOnL1(): Promise<void> {
  await product.finalise()
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
}

async function buy(member: TestMember, level: number, useHashRate = false): Promise<string> {
  const { order_id: orderId } = await product.order(member, level, useHashRate)
  await product.pay(member, orderId, useHashRate)
  await product.finalise()
  return orderId
}

/** Replaces all blocks after `block` by empty ones, which the indexer then follows. */
async function reorganiseAfter(block: number): Promise<void> {
  await replaceBlocksAfter(product, block)
  await product.indexer.runOnce()
}

const paymentOf = async ({ memberId }: TestMember, orderId: string): Promise<Hex> =>
  (
    await product.services.shop.payment(product.db, {
      memberId,
      orderId: BigInt(orderId),
      useHashRate: undefined,
    })
  ).tx
const send = (from: TestMember, to: TestMember, amountMicros: bigint) =>
  product.transfer(from, to, 'USDT', formatMicros(amountMicros))
const operatorHolds = async () =>
  (await product.services.ledger.flows.accountsNow(product.db, ['revenue', 'fees']))
    .filter(({ asset }) => asset === 'USDT')
    .reduce((sum, { micros }) => sum + micros, 0n)
const statusOf = async (member: TestMember, orderId: string) =>
  (await product.services.shop.get(product.db, member.memberId, BigInt(orderId))).status

test('a lost package payment leaves the books in their earlier state, and the order can be paid again', async () => {
  const buyer = await product.join(seller)
  await product.grant(buyer, 'RIF', '100')
  const { order_id: orderId } = await product.order(buyer, 1, true)
  await product.finalise()
  const before = await booksOf(product)
  const block = await blockNumber()
  await product.pay(buyer, orderId, true)
  await product.finalise()
  expect(await statusOf(buyer, orderId)).toBe('Paid')
  expect(await booksOf(product)).not.toEqual(before)

  await reorganiseAfter(block)
  expect(await statusOf(buyer, orderId)).toBe('UnPaid')
  expect(await booksOf(product)).toEqual(before)
  expect((await undone()).at(-1)).toEqual({ name: 'OrderPaid', outcome: 'undone' })
  expect(await product.audit()).toEqual([])

  await product.pay(buyer, orderId, true)
  await product.finalise()
  expect(await statusOf(buyer, orderId)).toBe('Paid')
  expect(await product.audit()).toEqual([])
})

test('a payment that is in another block of the new branch is not undone', async () => {
  const buyer = await product.join(seller)
  const { order_id: orderId } = await product.order(buyer, 1)
  await product.approve(buyer, orderId)
  const block = await blockNumber()
  const tx = await paymentOf(buyer, orderId)
  await product.send(buyer, tx)
  await product.finalise()
  const booked = await booksOf(product)
  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  const { hash } = await product.send(buyer, tx)
  await product.finalise()
  expect(await booksOf(product)).toEqual(booked)
  expect(await statusOf(buyer, orderId)).toBe('Paid')
  expect((await product.services.shop.get(product.db, buyer.memberId, BigInt(orderId))).tx_hash).toBe(hash)
  expect((await undone()).at(-1)).toEqual({ name: 'OrderPaid', outcome: 'moved' })
  expect(await product.audit()).toEqual([])
})

// A cluster has no triggers on tables of members.
test.skipIf(isOnCluster())('a debt that cannot be collected does not block others', async () => {
  const debtors = [await product.join(seller), await product.join(seller)]
  for (const debtor of debtors) await buy(debtor, 1)
  await settleOnL1()
  const buyers = [await product.join(debtors[0]!), await product.join(debtors[1]!)]
  const block = await blockNumber()
  for (const buyer of buyers) await buy(buyer, 2)
  for (const debtor of debtors) await send(debtor, friend, await available(debtor))
  await reorganiseAfter(block)
  const { reversals } = product.services
  const owing = async () => (await reversals.debts(product.db)).map(({ memberId }) => memberId)
  expect((await owing()).sort()).toEqual(debtors.map(({ memberId }) => memberId).sort())
  for (const debtor of debtors) await product.grant(debtor, 'USDT', '100')
  await product.finalise()

  const [{ memberId: stuck }] = debtors as [TestMember, TestMember]
  await sql`create function refuse_one() returns trigger language plpgsql as 'begin raise exception ''stuck''; end'`.execute(
    product.database.adminDb,
  )
  await sql`create trigger stuck before update on member_debts for each row when (old.member_id = ${sql.lit(stuck)})
    execute function refuse_one()`.execute(product.database.adminDb)
  await expect(reversals.collectDebts(product.db)).rejects.toThrow('debts were not collected')
  expect(await owing()).toEqual([stuck])
  await sql`drop trigger stuck on member_debts`.execute(product.database.adminDb)
  expect(await reversals.collectDebts(product.db)).toBe(1)
  expect(await owing()).toEqual([])
  expect(await product.audit()).toEqual([])
})

test('a commission that was spent becomes a debt, which the next credits repay before anything can leave', async () => {
  const poor = await product.join(seller)
  await buy(poor, 1)
  await settleOnL1()
  const buyer = await product.join(poor)
  const balanceBefore = await available(poor)
  const block = await blockNumber()
  const orderId = await buy(buyer, 2)
  const commission = (await available(poor)) - balanceBefore
  expect(commission).toBeGreaterThan(0n)
  await send(poor, friend, balanceBefore + commission)
  const revenue = await operatorHolds()

  await reorganiseAfter(block)
  expect(await statusOf(buyer, orderId)).toBe('UnPaid')
  const { reversals } = product.services
  const [debt, ...others] = await reversals.debts(product.db)
  expect(debt).toMatchObject({ memberId: poor.memberId, asset: 'USDT', owedMicros: commission })
  expect(others).toEqual([])
  expect(await available(poor)).toBe(0n)
  // The operator's own money covers it: nobody else's balance changed.
  expect(await reversals.shortfall(product.db)).toEqual({ USDT: 0n, AMC: 0n })
  expect((await operatorHolds()) < revenue).toBe(true)
  expect(await product.audit()).toEqual([])

  await product.grant(poor, 'USDT', '100')
  await product.finalise()
  await expect(send(poor, friend, 1_000_000n)).rejects.toMatchObject({ code: 'AMOUNT_OWED' })
  await expect(product.withdraw(poor, 'USDT', '50')).rejects.toMatchObject({ code: 'AMOUNT_OWED' })
  expect(await reversals.collectDebts(product.db)).toBe(1)
  expect(await reversals.collectDebts(product.db)).toBe(0)
  expect(await available(poor)).toBe(100_000_000n - commission)
  expect(await reversals.debts(product.db)).toEqual([])
  expect(await product.audit()).toEqual([])
  await send(poor, friend, 1_000_000n)
})

test('a lost claim holds the amount again, and its voucher can be claimed again', async () => {
  const member = await product.join(root)
  await product.grant(member, 'USDT', '100')
  const { withdraw_id: id } = await product.withdraw(member, 'USDT', '50')
  await settleOnL1()
  const before = await booksOf(product)
  const block = await blockNumber()
  const voucher = await product.services.claims.voucher(product.db, member.memberId, BigInt(id))
  const claim = () => product.send(member, voucher.tx)
  const get = () => product.services.withdrawals.get(product.db, member.memberId, BigInt(id))
  expect((await claim()).status).toBe('success')
  await product.finalise()
  expect(await get()).toMatchObject({ status: 'Success' })
  await reorganiseAfter(block)
  expect(await get()).toMatchObject({ status: 'Withdrawable', tx_hash: null })
  expect(await booksOf(product)).toEqual(before)
  expect(await product.audit()).toEqual([])
  expect((await claim()).status).toBe('success')
  await product.finalise()
  expect(await get()).toMatchObject({ status: 'Success' })
  expect(await product.audit()).toEqual([])
})

test.each([
  ['reversal_advance', 'available'],
  ['shortfall_cover', 'revenue'],
] as const)('the database refuses %s of a shortfall that no reversal causes', async (kind, destination) => {
  const lines = [
    {
      memberId: friend.memberId,
      asset: 'USDT',
      source: 'shortfall',
      destination,
      amountMicros: 777_000_000n,
    },
  ] as const
  const posting = inTx(product.db, (dbTx) =>
    product.services.ledger.post(dbTx, {
      key: `order/1/commissions:reversal/advance/${kind}`,
      kind,
      lines,
      at: new Date(),
      cause: { type: 'theft', id: '1' },
      accountingDay: product.now().toISOString().slice(0, 10),
    }),
  )
  await expect(posting).rejects.toThrow('NOT_AN_UNDOING')
})

test('amounts that could not be reversed wait until L1 has finalised the payments of their day', async () => {
  const day = product.now().toISOString().slice(0, 10)
  await product.services.settlement.begin(day)
  await buy(await product.join(seller), 1)
  await product.advance(DAY_MS)
  await expect(product.services.settlement.settle(day)).rejects.toMatchObject({ code: 'DAY_NOT_FINAL' })
  expect(await product.services.settlement.catchUp(0)).toEqual([])
  await settleOnL1()
  expect(await product.services.settlement.catchUp(0)).toEqual([day])
  expect(await product.audit()).toEqual([])
})
