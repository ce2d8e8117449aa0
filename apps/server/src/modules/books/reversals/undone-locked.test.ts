import { addDays, type Day } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createTestBooks, type TestBooks } from '../../settlement/testing/test-books.ts'

const FIRST_DAY: Day = '2026-03-01'
const M = 1_000_000n

let database: TestDatabase
let books: TestBooks
beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  books = createTestBooks(database, FIRST_DAY)
  await books.begin()
})
afterAll(() => database.close())

async function settleUntil(day: Day): Promise<void> {
  books.goTo(addDays(day, 1))
  await books.settlement.catchUp(0)
}

const amcOf = async (memberId: bigint) => {
  const { available, locked } = (await books.ledger.balances(books.db, memberId)).AMC
  return { available, locked }
}

test('a commission undone after part of its AMC was released takes that part back, and leaves the AMC of other rewards locked', async () => {
  await books.price('AMC', '0.5')
  const sponsor = await books.join(null, 'auto')
  const [invitee, other] = [await books.join(sponsor, 'left'), await books.join(sponsor, 'left')]
  await books.buy(sponsor, 5)
  await books.buy(invitee, 3)
  const { locked: first } = await amcOf(sponsor)
  const paid = await books.buy(other, 3)
  const { locked: both } = await amcOf(sponsor)
  expect([first, both]).toEqual([120n * M, 240n * M])

  // 10 of 30 parts of each: 40 and 40 AMC.
  await settleUntil(addDays(FIRST_DAY, 10))
  expect(await amcOf(sponsor)).toEqual({ available: 80n * M, locked: 160n * M })

  await inTx(books.db, (dbTx) => books.shop.payments.onUndone(dbTx, paid))
  expect(await amcOf(sponsor)).toEqual({ available: 40n * M, locked: 80n * M })
  expect(await books.audit()).toEqual([])

  await settleUntil(addDays(FIRST_DAY, 31))
  expect(await amcOf(sponsor)).toEqual({ available: 120n * M, locked: 0n })
  const { rows } = await sql<{ state: string }>`
    select distinct state from settlement_days`.execute(books.db)
  expect(rows).toEqual([{ state: 'settled' }])
  expect(await books.audit()).toEqual([])
})
