import { parseMicros } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { holdTable, waitsForLock } from '../../testing/lock-waits.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestBooks, type TestBooks } from './testing/test-books.ts'

const FIRST_DAY = '2026-01-01'
const DAY = '2026-01-02'
const NEXT_DAY = '2026-01-03'
const BEFORE_MIDNIGHT_MS = 86_400_000 - 1_000
const SAVED_MICROS = parseMicros('1000')

let database: TestDatabase
let books: TestBooks
let root: bigint

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  books = createTestBooks(database, FIRST_DAY)
  await books.begin()
  await books.price('AMC', '0.5')
  root = await books.join(null, 'auto')
})
afterAll(() => database.close())

test('a day in settlement accepts nothing more when the clock is set back across midnight', async () => {
  const { db, dayCaps, ledger, management, savings, settlement } = books
  const [left, right] = [await books.join(root, 'left'), await books.join(root, 'right')]
  await books.buy(root, 1)
  const order = { asset: 'USDT', amountMicros: SAVED_MICROS } as const
  await books.grant(root, 'USDT', SAVED_MICROS)
  await inTx(db, (dbTx) => savings.transferIn(dbTx, root, order))
  books.goTo(DAY)
  await settlement.settle(FIRST_DAY)
  await books.buy(left, 1)
  books.goTo(NEXT_DAY, 60_000)
  await settlement.prepare(DAY)

  books.goTo(DAY, BEFORE_MIDNIGHT_MS)
  const isOver = { code: 'RL005' }
  // Its pairing would be lost, and interest would be paid on savings that are gone.
  await expect(inTx(db, (dbTx) => books.buy(right, 1, dbTx))).rejects.toMatchObject(isOver)
  await expect(inTx(db, (dbTx) => savings.transferOut(dbTx, root, order))).rejects.toMatchObject(isOver)
  // A process that continues the settlement would compute less than was fixed.
  const cap = { memberId: root, capMicros: 0n, actor: 'operator' }
  await expect(dayCaps.set(db, cap)).rejects.toMatchObject(isOver)
  await expect(management.set(db, root, true)).rejects.toMatchObject(isOver)
  await expect(books.price('AMC', '0.6')).rejects.toMatchObject(isOver)

  books.goTo(NEXT_DAY, 60_000)
  expect(await settlement.settle(DAY)).toEqual({ settled: true })
  await books.buy(right, 1)
  await inTx(db, (dbTx) => savings.transferOut(dbTx, root, order))
  books.tomorrow()
  await settlement.settle(NEXT_DAY)
  expect((await settlement.carried()).get(root)).toMatchObject({ carryLeftMicros: 0n, carryRightMicros: 0n })
  expect((await ledger.balances(db, root)).USDT.savings).toBe(0n)
  expect(await books.audit()).toEqual([])
})

test('nothing is taken back from a day while its settlement reads it', async () => {
  const { db, settlement, shop } = books
  const day = books.today()
  const member = await books.join(root, 'auto')
  const paid = await books.buy(member, 1)
  books.tomorrow()
  // The settlement has read the day's orders and stops before its row is written.
  const release = await holdTable(database, 'settlement_days')
  const preparing = settlement.prepare(day)
  await expect.poll(() => waitsForLock(database, 'rif-test')).toBe(true)
  const undo = () => inTx(db, (dbTx) => shop.payments.onUndone(dbTx, paid))
  // It waits for the pools, which the settlement has locked, and finds the day in settlement afterwards.
  const meanwhile = expect(undo()).rejects.toMatchObject({ code: 'RL005' })
  await release()
  await Promise.all([preparing, meanwhile])
  await expect(undo()).rejects.toMatchObject({ code: 'RL005' })
  expect(await settlement.settle(day)).toEqual({ settled: true })
  expect(await undo()).toBe('undone')
  expect(await books.audit()).toEqual([])
})
