import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { auditLedger } from './ledger.audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { readBooks } from './testing/books.ts'
import { AT, DAY, entry, grant, line } from './testing/entries.ts'

// The posting functions that take single values have the same effect as ledger_post with the same lines, for
// every caller.

const ledger = createLedgerService()
let database: TestDatabase
let db: TestDatabase['db']

beforeAll(async () => {
  database = await createTestDatabase({ max: 2, role: 'rif_app' })
  db = database.db
  await ledger.post(db, grant('start', 1n, 1_000n))
  await ledger.post(db, grant('start', 2n, 1_000n))
  await ledger.post(db, entry('rif', 'grant', line(1n, 'external>available', 50n, 'RIF')))
  await ledger.post(db, entry('hold', 'withdrawal_request', line(1n, 'available>withdrawing', 500n)))
})
afterAll(async () => {
  expect(await auditLedger(db)).toEqual([])
  await database.close()
})

type Line = readonly [member: number, asset: string, source: string, destination: string, amount: number]

async function posted(call: RawBuilder<unknown>): Promise<boolean | null> {
  const { rows } = await sql<{ posted: boolean | null }>`select ${call} as posted`.execute(db)
  return rows[0]!.posted
}

function byLines(key: string, kind: string, ...lines: Line[]): RawBuilder<unknown> {
  const column = (index: number) => lines.map((of) => of[index])
  return sql`ledger_post(${key}, ${kind}, 'test', 'a, "b" (c)', ${DAY}, ${AT}, ${column(0)}::bigint[], ${column(1)}::text[],
    ${column(2)}::text[], ${column(3)}::text[], ${column(4)}::bigint[])`
}

const byTransfer = (key: string, from: number, to: number, asset: string, amount: number) =>
  sql`ledger_post_transfer(${key}, 'test', 'a, "b" (c)', ${DAY}, ${AT}, ${from}, ${to}, ${asset}, ${amount})`

const byOwn = (key: string | null, kind: string, own: Line, second: readonly [string, number] = ['', 0]) =>
  sql`ledger_post_own(${key}, ${kind}, 'test', 'a, "b" (c)', ${DAY}, ${AT}, ${own[0]}, ${own[1]}, ${own[2]}, ${own[3]},
    ${own[4]}, ${second[0]}, ${second[1]})`

const books = () => readBooks(db)

type Same = readonly [what: string, (key: string) => readonly [RawBuilder<unknown>, RawBuilder<unknown>]]

const sameTransfer = (from: number, to: number): Same => [
  `a transfer from ${from} to ${to}`,
  (key) => [
    byTransfer(key, from, to, 'USDT', 7),
    byLines(
      key,
      'transfer',
      [from, 'USDT', 'available', 'clearing', 7],
      [to, 'USDT', 'clearing', 'available', 7],
    ),
  ],
]

/** The same transaction by values and by lines. */
const SAME: readonly Same[] = [
  sameTransfer(1, 2),
  sameTransfer(2, 1),
  [
    'a line between two balances',
    (key) => [
      byOwn(key, 'savings_in', [1, 'USDT', 'available', 'savings', 3]),
      byLines(key, 'savings_in', [1, 'USDT', 'available', 'savings', 3]),
    ],
  ],
  [
    'a line from outside',
    (key) => [
      byOwn(key, 'hash_power_purchase', [1, 'RIF', 'external', 'available', 3]),
      byLines(key, 'hash_power_purchase', [1, 'RIF', 'external', 'available', 3]),
    ],
  ],
  [
    'two lines out of a balance',
    (key) => [
      byOwn(key, 'withdrawal_paid', [1, 'USDT', 'withdrawing', 'external', 5], ['fees', 2]),
      byLines(
        key,
        'withdrawal_paid',
        [1, 'USDT', 'withdrawing', 'external', 5],
        [1, 'USDT', 'withdrawing', 'fees', 2],
      ),
    ],
  ],
  [
    'a payment into a pool',
    (key) => [
      byOwn(key, 'order_payment', [1, 'USDT', 'external', 'commission_pool', 5], ['revenue', 2]),
      byLines(
        key,
        'order_payment',
        [1, 'USDT', 'external', 'commission_pool', 5],
        [1, 'USDT', 'external', 'revenue', 2],
      ),
    ],
  ],
]

describe.each(SAME)('%s', (what, of) => {
  test('is the same transaction by values and by lines, once', async () => {
    const [values, lines] = of(`${what}/values first`)
    expect(await posted(values)).toBe(true)
    const after = await books()
    expect(await posted(values)).toBe(false)
    expect(await posted(lines)).toBe(false)
    expect(await books()).toEqual(after)
    const [again, first] = of(`${what}/lines first`)
    expect(await posted(first)).toBe(true)
    const before = await books()
    expect(await posted(again)).toBe(false)
    expect(await books()).toEqual(before)
  })

  test('is refused under a key with other content', async () => {
    const key = `${what}/conflict`
    await posted(byOwn(key, 'savings_in', [1, 'USDT', 'available', 'savings', 1]))
    await posted(byOwn(key, 'savings_in', [2, 'USDT', 'available', 'savings', 1]))
    const before = await books()
    const other = of(key)
    for (const call of other) await expect(posted(call)).rejects.toMatchObject({ code: 'RL002' })
    expect(await books()).toEqual(before)
  })
})

const FREE = () => `free/${Math.random()}`

test.each<[what: string, code: string, () => RawBuilder<unknown>]>([
  ['a transfer of too much', 'RL001', () => byTransfer(FREE(), 2, 1, 'USDT', 1_000_000)],
  ['a transfer of too much to somebody new', 'RL001', () => byTransfer(FREE(), 9, 10, 'USDT', 1)],
  ['a transfer of nothing', '23514', () => byTransfer(FREE(), 1, 2, 'USDT', 0)],
  ['a transfer of less than nothing', '23514', () => byTransfer(FREE(), 1, 2, 'USDT', -5)],
  ['a transfer of RIF', '23514', () => byTransfer(FREE(), 1, 2, 'RIF', 1)],
  ['a transfer of an unknown asset', '23514', () => byTransfer(FREE(), 1, 2, 'X', 1)],
  [
    'more than there is',
    'RL001',
    () => byOwn(FREE(), 'savings_in', [1, 'USDT', 'available', 'savings', 9_999]),
  ],
  [
    'more than there is in two lines',
    'RL001',
    () => byOwn(FREE(), 'withdrawal_paid', [1, 'USDT', 'withdrawing', 'external', 400], ['fees', 400]),
  ],
  [
    'a flow that is not allowed',
    '23514',
    () => byOwn(FREE(), 'savings_in', [1, 'USDT', 'available', 'locked', 1]),
  ],
  ['half a transfer', 'RL003', () => byOwn(FREE(), 'transfer', [1, 'USDT', 'available', 'clearing', 1])],
  ['the other half', 'RL003', () => byOwn(FREE(), 'transfer', [1, 'USDT', 'clearing', 'available', 1])],
  [
    'a reversal of nothing',
    '23514',
    () => byOwn(FREE(), 'grant:reversal', [1, 'USDT', 'available', 'external', 1]),
  ],
  [
    'revenue that nobody attested',
    'RL008',
    () => byOwn(FREE(), 'attested_revenue', [0, 'USDT', 'external', 'yield_pool', 1]),
  ],
  [
    'a payout of nobody',
    'RL001',
    () => byOwn(FREE(), 'treasury_payout', [0, 'USDT', 'exit_hold', 'external', 1]),
  ],
  [
    'a second line of less than nothing',
    '23514',
    () => byOwn(FREE(), 'withdrawal_paid', [1, 'USDT', 'withdrawing', 'external', 5], ['fees', -4]),
  ],
  [
    'a second amount without a destination',
    '23514',
    () => byOwn(FREE(), 'savings_in', [1, 'USDT', 'available', 'savings', 5], ['', -4]),
  ],
  [
    'a second destination without an amount',
    '23514',
    () => byOwn(FREE(), 'withdrawal_paid', [1, 'USDT', 'withdrawing', 'external', 5], ['fees', 0]),
  ],
  [
    'a second balance of the wrong kind',
    '23514',
    () => byOwn(FREE(), 'savings_in', [1, 'USDT', 'available', 'savings', 5], ['locked', 1]),
  ],
  [
    'a pool that does not exist',
    'RL001',
    () => byOwn(FREE(), 'fund_purchase', [1, 'USDT', 'external', 'fund_custody:77', 5]),
  ],
])('%s is refused with %s, and changes nothing', async (_, code, call) => {
  const before = await books()
  await expect(posted(call())).rejects.toMatchObject({ code })
  expect(await books()).toEqual(before)
})

test('nothing can be posted without a key', async () => {
  const before = await books()
  expect(await posted(byOwn(null, 'savings_in', [1, 'USDT', 'available', 'savings', 5]))).toBeNull()
  const withoutKey = sql`ledger_post(null, 'savings_in', 'test', '1', ${DAY}, ${AT}, '{1}', '{USDT}', '{available}', '{savings}', '{5}')`
  await expect(posted(withoutKey)).rejects.toMatchObject({ code: '23502' })
  expect(await books()).toEqual(before)
})

test('a transfer to a new member, and one back to the sender, open the books of the receiver', async () => {
  expect(await posted(byTransfer('new/low', 1, 100, 'USDT', 3))).toBe(true)
  expect(await posted(byTransfer('new/high', 100, 50, 'USDT', 2))).toBe(true)
  expect(await posted(byTransfer('new/back', 50, 1, 'USDT', 2))).toBe(true)
  expect(await posted(byTransfer('new/same', 1, 1, 'USDT', 2))).toBe(true)
  expect((await ledger.balances(db, 100n)).USDT.available).toBe(1n)
  expect((await ledger.balances(db, 50n)).USDT.available).toBe(0n)
})

test('arrays whose indexes do not start at 1 are refused', async () => {
  const before = await books()
  const shifted = sql`ledger_post(${FREE()}, 'savings_in', 'test', '1', ${DAY}, ${AT}, '[0:1]={2,1}', '{USDT,USDT}',
    '{available,available}', '{savings,savings}', '{5,5}')`
  await expect(posted(shifted)).rejects.toMatchObject({ code: 'RL003' })
  const square = sql`ledger_post(${FREE()}, 'savings_in', 'test', '1', ${DAY}, ${AT}, '{{1,2}}', '{{USDT,USDT}}',
    '{{available,available}}', '{{savings,savings}}', '{{5,5}}')`
  await expect(posted(square)).rejects.toMatchObject({ code: 'RL003' })
  expect(await books()).toEqual(before)
})
