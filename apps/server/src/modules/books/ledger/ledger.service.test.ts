import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { LEDGER_SLOTS } from './accounts.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

const ledger = createLedgerService()
const MAX = 2n ** 63n - 1n
const cause = { type: 'test', id: 'mistake' }
let database: TestDatabase
let db: TestDatabase['db']

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(async () => {
  expect(await auditLedger(db)).toEqual([])
  await database.close()
})

const available = async (memberId: bigint) => (await ledger.balances(db, memberId)).USDT.available

test('the positions of balances equal those of the database', async () => {
  const { rows } = await sql<{ slots: string[] }>`select ledger_slots() as slots`.execute(db)
  expect(LEDGER_SLOTS.map((slot) => slot.join(' '))).toEqual(rows[0]!.slots)
})

describe('post', () => {
  test('moves money between a member and the outside, and between members', async () => {
    expect(await ledger.post(db, grant('a1', 11n, 100n))).toEqual({ posted: true })
    expect(await ledger.post(db, transfer('a2', 11n, 12n, 30n))).toEqual({ posted: true })
    expect(await available(11n)).toBe(70n)
    expect(await available(12n)).toBe(30n)
  })

  test('has no effect the second time, even after midnight', async () => {
    await ledger.post(db, grant('b1', 21n, 100n))
    const first = transfer('b2', 21n, 22n, 40n)
    expect(await ledger.post(db, first)).toEqual({ posted: true })
    const late = { ...first, accountingDay: '2026-01-06', at: new Date('2026-01-06T00:00:01Z') }
    expect(await ledger.post(db, late)).toEqual({ posted: false })
    expect(await available(22n)).toBe(40n)
    expect(await ledger.post(db, transfer('b3', 22n, 21n, 1n))).toEqual({ posted: true })
  })

  test.each<[string, (first: JournalEntry) => JournalEntry]>([
    ['another amount', (first) => ({ ...first, lines: [{ ...first.lines[0]!, amountMicros: 11n }] })],
    [
      'another kind',
      (first) => ({ ...first, kind: 'unmatched_payment', lines: [line(31n, 'external>suspense', 10n)] }),
    ],
    ['another cause', (first) => ({ ...first, cause: { type: 'test', id: '2' } })],
    [
      'one more line',
      (first) => ({ ...first, lines: [...first.lines, line(31n, 'external>available', 1n)] }),
    ],
    [
      'one more member',
      (first) => ({ ...first, lines: [...first.lines, line(32n, 'external>available', 1n)] }),
    ],
    [
      'one more member before',
      (first) => ({ ...first, lines: [line(30n, 'external>available', 1n), ...first.lines] }),
    ],
  ])('refuses a used key with %s', async (_, change) => {
    const first = grant('c1', 31n, 10n)
    await ledger.post(db, first)
    await expect(ledger.post(db, change(first))).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(await available(30n)).toBe(0n)
    expect(await available(31n)).toBe(10n)
    expect(await available(32n)).toBe(0n)
  })

  test('refuses to overdraw, without any effect', async () => {
    await ledger.post(db, grant('d1', 41n, 10n))
    await expect(ledger.post(db, transfer('d2', 41n, 40n, 11n))).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    await expect(ledger.post(db, transfer('d3', 42n, 41n, 1n))).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    expect(await available(40n)).toBe(0n)
    expect(await ledger.post(db, transfer('d2', 41n, 40n, 10n))).toEqual({ posted: true })
  })

  test('refuses amounts beyond 64 bits', async () => {
    await ledger.post(db, grant('e1', 51n, MAX))
    for (const refused of [
      grant('e2', 51n, 1n),
      grant('e3', 52n, MAX + 1n),
      grant('e4', 52n, 0n),
      grant('e5', 52n, -1n),
    ]) {
      await expect(ledger.post(db, refused)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    }
    expect(await available(51n)).toBe(MAX)
  })

  test('refuses a transaction without lines, and one that leaves a balance in clearing', async () => {
    await expect(ledger.post(db, entry('f1', 'transfer'))).rejects.toThrow('lines')
    await ledger.post(db, grant('f2', 61n, 10n))
    const half = entry('f3', 'transfer', line(61n, 'available>clearing', 5n))
    await expect(ledger.post(db, half)).rejects.toMatchObject({ code: 'RL003' })
  })

  test('is rolled back with the enclosing transaction', async () => {
    await expect(
      inTx(db, async (dbTx) => {
        await ledger.post(dbTx, grant('g1', 71n, 10n))
        throw new Error('after all not')
      }),
    ).rejects.toThrow('after all not')
    expect(await available(71n)).toBe(0n)
  })
})

describe('pools', () => {
  test('hold the payments, by day, and cannot be overspent', async () => {
    const payment = (key: string, accountingDay: string, amountMicros: bigint) => ({
      ...entry(
        key,
        'order_payment',
        line(81n, 'external>commission_pool', amountMicros),
        line(81n, 'external>revenue', 65n),
      ),
      accountingDay,
    })
    await ledger.post(db, payment('h1', '2026-01-03', 35n))
    await ledger.post(db, payment('h2', '2026-01-05', 5n))
    await ledger.post(db, entry('h3', 'commission', line(82n, 'commission_pool>available', 10n)))
    expect(await ledger.pools.balances(db, 'commission_pool')).toEqual({ USDT: 30n, AMC: 0n })
    expect(await ledger.pools.balances(db, 'commission_pool', '2026-01-02')).toEqual({ USDT: 0n, AMC: 0n })
    expect(await ledger.pools.balances(db, 'commission_pool', '2026-01-04')).toEqual({ USDT: 35n, AMC: 0n })
    expect(await ledger.pools.balances(db, 'commission_pool', '2026-01-05')).toEqual({ USDT: 30n, AMC: 0n })
    const tooMuch = entry('h4', 'commission', line(82n, 'commission_pool>available', 31n))
    await expect(ledger.post(db, tooMuch)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const otherAsset = entry('h5', 'commission', line(82n, 'commission_pool>locked', 1n, 'AMC'))
    await expect(ledger.post(db, otherAsset)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })
})

describe('reverse', () => {
  test('posts the opposite transaction, once', async () => {
    await ledger.post(db, grant('i1', 91n, 100n))
    await ledger.post(db, transfer('i2', 91n, 92n, 60n))
    const reversal = { key: 'i2', memberIds: [91n, 92n], cause, accountingDay: DAY, at: AT }
    expect(await ledger.reverse(db, reversal)).toEqual({ posted: true })
    expect(await ledger.reverse(db, reversal)).toEqual({ posted: false })
    expect(await available(91n)).toBe(100n)
    expect(await available(92n)).toBe(0n)
  })

  test('needs all members, an existing transaction, and a sufficient balance', async () => {
    await ledger.post(db, grant('j1', 93n, 100n))
    await ledger.post(db, transfer('j2', 93n, 94n, 60n))
    const reverse = (key: string, memberIds: bigint[]) =>
      ledger.reverse(db, { key, memberIds, cause, accountingDay: DAY, at: AT })
    await expect(reverse('j2', [93n])).rejects.toThrow('more members')
    await expect(reverse('j3', [93n])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await ledger.post(db, transfer('j4', 94n, 95n, 1n))
    await expect(reverse('j2', [93n, 94n])).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })
})

describe('entries', () => {
  test('are returned newest first, page by page, with their causes', async () => {
    for (let n = 1; n <= 5; n++) await ledger.post(db, grant(`k${n}`, 101n, BigInt(n)))
    const first = await ledger.history.entries(db, 101n, { limit: 3 })
    expect(first.items.map((item) => item.amountMicros)).toEqual([5n, 4n, 3n])
    expect(first.items[0]).toEqual({
      seq: 5n,
      line: 1,
      kind: 'grant',
      asset: 'USDT',
      source: 'external',
      destination: 'available',
      amountMicros: 5n,
      cause: { type: 'test', id: '1' },
      accountingDay: DAY,
      postedAt: AT,
    })
    const rest = await ledger.history.entries(db, 101n, { cursor: first.next ?? undefined, limit: 3 })
    expect(rest.items.map((item) => item.amountMicros)).toEqual([2n, 1n])
    expect(rest.next).toBeNull()
  })
})
