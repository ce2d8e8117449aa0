import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '../../db/database.ts'
import { DISTRIBUTED_DIR } from '../../db/distribute.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { entry, grant, line, transfer } from './testing/entries.ts'

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
    yield kinds[next(kinds.length)]!()
  }
}

const TABLES = [
  'ledger_heads',
  'ledger_transactions',
  'ledger_postings',
  'ledger_balances',
  'ledger_pool_sums',
  'ledger_pool_day_sums',
  'ledger_flow_sums',
]

/** Returns what each transaction of a history came to, and the books after it. */
async function play(db: Db): Promise<unknown> {
  const ledger = createLedgerService()
  const outcomes: string[] = []
  for (const transaction of history()) {
    const outcome = await ledger.post(db, transaction).then(
      ({ posted }) => String(posted),
      (error: { code?: string }) => String(error.code),
    )
    outcomes.push(outcome)
  }
  const books = TABLES.map((table) =>
    sql`select * from ${sql.table(table)} as t order by t::text`.execute(db).then(({ rows }) => rows),
  )
  return { outcomes, books: await Promise.all(books) }
}

it('the functions of a distributed database post what those of the migrations post', async () => {
  const [plain, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  for (const file of await readdir(DISTRIBUTED_DIR))
    await sql.raw(await readFile(`${DISTRIBUTED_DIR}/${file}`, 'utf8')).execute(other.adminDb)
  const [expected, found] = [await play(plain.db), await play(other.db)] as { outcomes: string[] }[]
  expect(found).toEqual(expected)
  expect(new Set(expected!.outcomes).size).toBeGreaterThan(3)
  await Promise.all([plain.close(), other.close()])
})
