import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

const CONNECTIONS = 16
const ledger = createLedgerService()
let database: TestDatabase
let db: TestDatabase['db']

beforeAll(async () => {
  database = await createTestDatabase({ max: CONNECTIONS })
  db = database.db
})
afterAll(async () => {
  expect(await auditLedger(db)).toEqual([])
  await database.close()
})

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

async function outcome(posting: Promise<{ posted: boolean }>): Promise<string> {
  try {
    return (await posting).posted ? 'posted' : 'known'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const count = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter((outcome) => outcome === wanted).length

test('concurrent spends from many connections spend a balance once', async () => {
  await ledger.post(db, grant('spend', 1n, 100n))
  const outcomes = await Promise.all(
    times(60, (i) => outcome(ledger.post(db, transfer(`spend/${i}`, 1n, 2n, 7n)))),
  )
  expect(count(outcomes, 'posted')).toBe(14)
  expect(count(outcomes, 'INSUFFICIENT_BALANCE')).toBe(46)
  expect((await ledger.balances(db, 1n)).USDT.available).toBe(2n)
  expect((await ledger.balances(db, 2n)).USDT.available).toBe(98n)
})

test('one key from many connections at once posts once, also for a member never seen before', async () => {
  const same = await Promise.all(times(40, () => outcome(ledger.post(db, grant('same', 11n, 5n)))))
  expect(count(same, 'posted')).toBe(1)
  expect(count(same, 'known')).toBe(39)
  expect((await ledger.balances(db, 11n)).USDT.available).toBe(5n)
})

test('one key with different contents at once: one is posted, the others conflict', async () => {
  const other = await Promise.all(
    times(40, (i) => outcome(ledger.post(db, grant('other', 12n, BigInt(i + 1))))),
  )
  expect(count(other, 'posted')).toBe(1)
  expect(count(other, 'IDEMPOTENCY_CONFLICT')).toBe(39)
})

test('concurrent spends from many connections spend a pool once', async () => {
  const time = { accountingDay: DAY, at: AT }
  await postAttested(db, { destination: 'yield_pool', asset: 'USDT', amountMicros: 100n, ...time })
  const pay = (i: number) => entry(`pool/${i}`, 'static', line(BigInt(20 + i), 'yield_pool>available', 30n))
  const outcomes = await Promise.all(times(30, (i) => outcome(ledger.post(db, pay(i)))))
  expect(count(outcomes, 'posted')).toBe(3)
  expect(await ledger.pools.balances(db, 'yield_pool')).toEqual({ USDT: 10n, AMC: 0n })
})

const MEMBERS = 6
const ring = (offset: bigint, i: number, width: number): JournalEntry => {
  const members = times(width, (step) => offset + BigInt((i * (step + 1) + step * step) % MEMBERS))
  const next = (at: number) => members[(at + 1) % width]!
  return entry(
    `ring/${offset}/${i}/${width}`,
    'transfer',
    ...members.flatMap((from, at) => [
      line(from, 'available>clearing', 1n),
      line(next(at), 'clearing>available', 1n),
    ]),
  )
}

test('postings over many members in any order never deadlock', async () => {
  for (let memberId = 100n; memberId < 100n + BigInt(MEMBERS); memberId++) {
    await ledger.post(db, grant(`ring/${memberId}`, memberId, 1_000n))
  }
  const deadlocks = async () =>
    (
      await sql<{ deadlocks: bigint }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
    ).rows[0]!.deadlocks
  const before = await deadlocks()
  for (let round = 0; round < 5; round++)
    await Promise.all(times(60, (i) => ledger.post(db, ring(100n, round * 60 + i, 2 + (i % 4)))))
  await sql`select pg_stat_force_next_flush()`.execute(db)
  expect(await deadlocks()).toBe(before)
  const allBalances = await Promise.all(times(MEMBERS, (i) => ledger.balances(db, 100n + BigInt(i))))
  expect(allBalances.reduce((sum, balances) => sum + balances.USDT.available, 0n)).toBe(6_000n)
})

test('transactions that lock up front never deadlock, and those that do not are retried', async () => {
  for (let memberId = 200n; memberId < 200n + BigInt(MEMBERS); memberId++) {
    await ledger.post(db, grant(`both/${memberId}`, memberId, 1_000n))
  }
  const twoPostings = (i: number, lockFirst: boolean) =>
    inTx(db, async (dbTx) => {
      const [from, to] = [200n + BigInt(i % MEMBERS), 200n + BigInt((i * 5 + 1) % MEMBERS)]
      if (lockFirst) await ledger.lock(dbTx, { pools: ['suspense'], memberIds: [to, from] })
      await ledger.post(dbTx, transfer(`both/${lockFirst}/${i}/there`, from, to, 1n))
      await ledger.post(dbTx, entry(`both/${lockFirst}/${i}/in`, 'grant', line(to, 'external>available', 1n)))
      await ledger.post(dbTx, transfer(`both/${lockFirst}/${i}/back`, 200n, from, 1n))
    })
  await Promise.all(times(60, (i) => twoPostings(i, true)))
  for (let round = 0; round < 10; round++)
    await Promise.all(times(4, (i) => twoPostings(round * 4 + i, false)))
  const allBalances = await Promise.all(times(MEMBERS, (i) => ledger.balances(db, 200n + BigInt(i))))
  expect(allBalances.reduce((sum, balances) => sum + balances.USDT.available, 0n)).toBe(6_100n)
})
