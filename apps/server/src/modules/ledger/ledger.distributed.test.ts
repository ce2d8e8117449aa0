import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, inTx } from '../../db/database.ts'
import { distributedFunctions, shardFunction } from '../../db/distribute.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import type { TransactionKind } from './ledger.accounts.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

/** Transactions of every form: members, transfers, pools, refusals, repetitions, reversals. */
function* history(): Generator<JournalEntry> {
  let state = 1
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const member = () => BigInt(1 + next(5))
  const amount = () => BigInt(1 + next(60))
  for (let step = 0; step < 250; step++) {
    const key = `k${next(200)}`
    const kinds: (() => JournalEntry)[] = [
      () => grant(key, member(), amount()),
      () => transfer(key, member(), member(), amount()),
      () => entry(key, 'savings_in', line(member(), 'available>savings', amount())),
      () => entry(key, 'unmatched_payment', line(member(), 'external>suspense', amount())),
      () => entry(key, 'suspense_release', line(member(), 'suspense>available', amount())),
      () => entry(key, 'savings_in', line(member(), 'savings>available', amount())),
      () =>
        entry(
          key,
          'order_payment',
          line(member(), 'external>commission_pool', amount()),
          line(member(), 'external>revenue', amount()),
        ),
    ]
    const transaction = kinds[next(kinds.length)]!()
    yield transaction
    if (step % 9 === 0) yield transaction
  }
  // The sender has no money, and the key belongs to the receiver: the key decides, although the sender's
  // books come first.
  yield grant('used', 21n, 5n)
  yield transfer('used', 20n, 21n, 1n)
}

const TABLES = [
  'ledger_heads',
  'ledger_transactions',
  'ledger_postings',
  'ledger_balances',
  'ledger_pool_sums',
  'ledger_pool_day_sums',
]

/**
 * Transactions of many members at once: a new key, several lines, a repetition, other content, insufficient
 * balance.
 */
const MANY: readonly (readonly [
  key: string,
  kind: TransactionKind,
  flow: string,
  lines: [number, number][],
])[] = [
  [
    'm1',
    'grant',
    'external>available',
    [
      [7, 40],
      [3, 20],
      [7, 2],
      [9, 5],
    ],
  ],
  [
    'm1',
    'grant',
    'external>available',
    [
      [7, 40],
      [3, 20],
      [7, 2],
      [9, 5],
    ],
  ],
  [
    'm1',
    'grant',
    'external>available',
    [
      [7, 40],
      [3, 21],
      [7, 2],
      [9, 5],
    ],
  ],
  [
    'm2',
    'savings_in',
    'available>savings',
    [
      [7, 42],
      [9, 5],
    ],
  ],
  [
    'm3',
    'savings_in',
    'available>savings',
    [
      [3, 1],
      [9, 6],
    ],
  ],
  [
    'm4',
    'unmatched_payment',
    'external>suspense',
    [
      [9, 3],
      [11, 4],
    ],
  ],
  [
    'm5',
    'suspense_release',
    'suspense>available',
    [
      [11, 6],
      [9, 1],
    ],
  ],
]

/** Payments of orders that are posted together; the second set repeats a key. */
const PAID: readonly (readonly JournalEntry[])[] = [
  [
    entry(
      'p1',
      'order_payment',
      line(12n, 'external>commission_pool', 30n),
      line(12n, 'external>revenue', 70n),
    ),
    entry('p1/c', 'commission', line(3n, 'commission_pool>available', 9n)),
    entry('p2', 'order_payment', line(3n, 'external>commission_pool', 1n), line(3n, 'external>revenue', 2n)),
  ],
  [entry('p2', 'order_payment', line(3n, 'external>commission_pool', 1n), line(3n, 'external>revenue', 2n))],
]

/**
 * The results: posted, posted before, the numbers that `MANY` posted, and refusals, including one by a check.
 */
const OUTCOMES = new Set([
  'true',
  'false',
  '3',
  '2',
  '0',
  'undefined',
  'IDEMPOTENCY_CONFLICT',
  'INSUFFICIENT_BALANCE',
  '23505',
  '23514',
])

const outcomeOf = (posting: Promise<{ posted: unknown } | undefined>) =>
  posting.then(
    (answer) => String(answer?.posted),
    (error: { code?: string }) => String(error.code),
  )

/** Returns the result of each transaction of a history, and the books after it. */
async function play(db: Db): Promise<unknown> {
  const ledger = createLedgerService()
  const outcomes: string[] = []
  for (const transaction of history()) outcomes.push(await outcomeOf(ledger.post(db, transaction)))
  for (const [key, kind, flow, lines] of MANY) {
    const [source, destination] = flow.split('>')
    const query = sql`select place, member_id, 'USDT' as asset, ${source}::text as source, ${destination}::text as destination, amount
      from unnest(${lines.map(([memberId]) => memberId)}::bigint[], ${lines.map(([, amount]) => amount)}::bigint[])
        with ordinality as lines (member_id, amount, place)`
    const about = { key, kind, cause: { type: 'test', id: '1' }, accountingDay: DAY, at: AT }
    outcomes.push(await outcomeOf(ledger.postMany(db, { ...about, fromReserve: false, lines: query })))
  }
  for (const entries of PAID) {
    const paid = inTx(db, (dbTx) => ledger.postEach(dbTx, entries).then(() => undefined))
    outcomes.push(await outcomeOf(paid))
  }
  const books = TABLES.map((table) =>
    sql`select * from ${sql.table(table)} as t order by t::text`.execute(db).then(({ rows }) => rows),
  )
  // A call may append one row of a flow or several.
  const flows =
    await sql`select kind, asset, source, destination, sum(amount), sum(postings) from ledger_flow_sums
    group by kind, asset, source, destination order by kind, asset, source, destination`.execute(db)
  return { outcomes, books: await Promise.all(books), flows: flows.rows }
}

it('the functions of a distributed database post the same as those of the migrations', async () => {
  const [plain, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const functions = [
    ...(await distributedFunctions()),
    ...(await Promise.all(['ledger_post_side', 'ledger_write_member'].map(shardFunction))),
  ]
  for (const text of functions) await sql.raw(text).execute(other.adminDb)
  const [expected, found] = [await play(plain.db), await play(other.db)] as { outcomes: string[] }[]
  expect(found).toEqual(expected)
  expect(new Set(expected!.outcomes)).toEqual(OUTCOMES)
  await Promise.all([plain.close(), other.close()])
})
