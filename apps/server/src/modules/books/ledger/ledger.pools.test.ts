import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { childProgram } from '../../../testing/child-program.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { DAY, entry, line } from './testing/entries.ts'

const CHILD = new URL('./testing/pool-kill-child.ts', import.meta.url)
const ledger = createLedgerService()
let database: TestDatabase
let keys = 0

beforeAll(async () => {
  database = await createTestDatabase({ max: 8 })
})
afterAll(() => database.close())
beforeEach(async () => {
  const { USDT } = await ledger.pools.balances(database.db, 'commission_pool')
  if (USDT > 0n) await ledger.post(database.db, spend(9n, USDT))
})

const pay = (memberId: bigint, micros: bigint): JournalEntry =>
  entry(`pay/${++keys}`, 'order_payment', line(memberId, 'external>commission_pool', micros))
const spend = (memberId: bigint, micros: bigint): JournalEntry =>
  entry(`spend/${++keys}`, 'commission', line(memberId, 'commission_pool>available', micros))
const poolBalance = async () => (await ledger.pools.balances(database.db, 'commission_pool')).USDT
const waiting = async () => {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(amount), 0)::bigint as sum from ledger_pool_credits`.execute(database.db)
  return rows[0]!.sum
}

test('counts a payment at once, and folds it into the row later', async () => {
  await ledger.post(database.db, pay(1n, 5n))
  expect([await poolBalance(), await waiting()]).toEqual([5n, 5n])
  await ledger.flows.fold(database.db)
  expect([await poolBalance(), await waiting()]).toEqual([5n, 0n])
  expect(await auditLedger(database.db)).toEqual([])
})

test('spends unfolded payments, and not a micro-unit more', async () => {
  await ledger.post(database.db, pay(1n, 5n))
  await ledger.flows.fold(database.db)
  await ledger.post(database.db, pay(2n, 7n))
  await expect(ledger.post(database.db, spend(1n, 13n))).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  await ledger.post(database.db, spend(1n, 12n))
  expect([await poolBalance(), await waiting()]).toEqual([0n, 0n])
  expect(await auditLedger(database.db)).toEqual([])
})

test('reserves unfolded payments, and keeps the reserve from others', async () => {
  await ledger.post(database.db, pay(1n, 5n))
  await ledger.pools.reserve(database.db, 'commission_pool', { USDT: 5n, AMC: 0n })
  await ledger.post(database.db, pay(1n, 2n))
  await expect(ledger.post(database.db, spend(1n, 3n))).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  const part = { part: 1, account: 'commission_pool', asset: 'USDT', amountMicros: 5n } as const
  await ledger.pools.divideReserve(database.db, 'reserved', DAY, [part])
  const { kind, cause, accountingDay, at } = spend(1n, 5n)
  const flows = [{ asset: 'USDT', source: 'commission_pool', destination: 'available' }] as const
  await ledger.postBatches(database.db, {
    cause,
    accountingDay,
    at,
    batches: [{ key: 'reserved', kind, flows }],
    reserve: { batch: 'reserved', part: 1 },
    lines: sql`select 1::bigint as member_id, 1 as flow, 5::bigint as amount`,
  })
  await ledger.pools.closeParts(database.db, 'reserved')
  expect(await poolBalance()).toBe(2n)
})

test("a payment does not wait for a holder of the pool's lock, nor does the fold", async () => {
  const holder = await database.pool.connect()
  await holder.query(`begin; select ledger_lock('{commission_pool}', '{}')`)
  await ledger.post(database.db, pay(3n, 4n))
  await ledger.flows.fold(database.db)
  expect([await poolBalance(), await waiting()]).toEqual([4n, 4n])
  await holder.query('commit')
  holder.release()
  await ledger.post(database.db, spend(3n, 4n))
  expect([await poolBalance(), await waiting()]).toEqual([0n, 0n])
})

test('two concurrent spending batches, with unfolded payments, spend no more than the balance', async () => {
  const total = 60n
  for (let i = 0n; i < total; i++) await ledger.post(database.db, pay(i % 7n, 1n))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 24 }, (_, i) =>
      i % 6 === 5 ? ledger.flows.fold(database.db) : ledger.post(database.db, spend(BigInt(i % 7), 7n)),
    ),
  )
  const paid = outcomes.filter(({ status }, i) => i % 6 !== 5 && status === 'fulfilled').length
  expect(paid).toBe(Number(total / 7n))
  expect(await poolBalance()).toBe(total - 7n * BigInt(paid))
  expect(await auditLedger(database.db)).toEqual([])
})

test('row and payments together equal the sum of the postings, whatever is posted and folded concurrently', async () => {
  const step = fc.record({
    kind: fc.constantFrom('pay', 'pay', 'pay', 'spend', 'fold', 'undo'),
    memberId: fc.bigInt({ min: 1n, max: 5n }),
    micros: fc.bigInt({ min: 1n, max: 30n }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const before = await poolBalance()
      const results = await Promise.allSettled(
        steps.map(async ({ kind, memberId, micros }) => {
          if (kind === 'fold') {
            await ledger.flows.fold(database.db)
            return 0n
          }
          const posting = kind === 'spend' ? spend(memberId, micros) : pay(memberId, micros)
          if (kind === 'undo')
            return inTx(database.db, async (dbTx) => {
              await ledger.post(dbTx, posting)
              throw new Error('undone')
            })
          await ledger.post(database.db, posting)
          return kind === 'spend' ? -micros : micros
        }),
      )
      const change = results.reduce(
        (sum, result) => (result.status === 'fulfilled' ? sum + result.value : sum),
        0n,
      )
      expect(await poolBalance()).toBe(before + change)
    }),
    { numRuns: runs({ usual: 4, full: 50 }) },
  )
  expect(await auditLedger(database.db)).toEqual([])
})

test('a process killed while it pays, spends and folds leaves the pool exact', async () => {
  for (let kill = 0; kill < runs({ usual: 1, full: 5 }); kill++) {
    const args = [childProgram(CHILD), database.url, `${kill}`]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    let lines = 0
    for await (const _ of createInterface(child.stdout)) if (++lines === 40 + 30 * kill) child.kill('SIGKILL')
    expect((await closed)[1]).toBe('SIGKILL')
  }
  expect(await auditLedger(database.db)).toEqual([])
  await ledger.flows.fold(database.db)
  expect(await waiting()).toBe(0n)
  expect(await auditLedger(database.db)).toEqual([])
})
