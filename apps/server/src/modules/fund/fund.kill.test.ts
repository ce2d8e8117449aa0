import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { childProgram } from '../../testing/child-program.ts'
import { waitsForLock } from '../../testing/lock-waits.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createFundBooks, usdt } from './testing/fund-books.ts'
import { APPROVED_AT, endMonth } from './testing/month-end.ts'

const CHILD = new URL('./testing/fund-kill-child.ts', import.meta.url)
const MEMBERS = 6
const RANDOM_KILLS = 30

/** Returns the result of a month's end without kills, and its duration. */
let expected: unknown
let undisturbedMs: number

beforeAll(async () => {
  await within(async (database) => {
    const begun = performance.now()
    await endMonth(database)
    undisturbedMs = performance.now() - begun
    expected = await contentOf(database)
    expect(await auditOf(database)).toEqual([])
  })
})

/**
 * Creates a database with a month of purchases, and redemptions that one admin has approved: the same ids and
 * times each time.
 */
async function within(use: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createTestDatabase({ role: 'rif_app' })
  try {
    await makeMonth(database)
    await use(database)
  } finally {
    await database.close()
  }
}

const auditOf = (database: TestDatabase) => createFundBooks(database, '2026-03-01').audit()

async function makeMonth(database: TestDatabase): Promise<void> {
  const { db } = database
  const books = createFundBooks(database, '2026-01-05T10:00:00Z')
  const { fund } = books.services
  await books.begin()
  const terms = { minimum: 0n, lockDays: 0, weekdays: [1, 2, 3, 4, 5, 6, 7] }
  const fees = { subscription: 10_000n, redemption: 5_000n, management: 200_000n }
  const productId = await books.open('Killed', { ...terms, ...fees }, usdt(10))
  const root = await books.join(null, usdt(1_000))
  const members = [root]
  while (members.length < MEMBERS) members.push(await books.join(root.memberId, usdt(1_000)))
  for (const member of members) {
    books.advance(1_000)
    const wanted = { productId, units: 20n, payWith: 'available' } as const
    await inTx(db, (dbTx) => fund.orders.buy(dbTx, member, wanted))
  }
  // The remaining cash suffices for three redemptions at the new NAV of 12.
  await books.invest(productId, usdt(835))
  books.goTo('2026-01-20T09:59:00Z')
  for (const { memberId } of members.slice(1)) {
    books.advance(1_000)
    const redemption = await inTx(db, (dbTx) => fund.redemptions.request(dbTx, memberId, productId, 10n))
    await books.review(memberId, BigInt(redemption.redemption_id), true)
  }
  books.goTo(APPROVED_AT)
  await books.value(productId, usdt(12 * 120 - 365))
}

/** Returns everything that a month's end writes, except the numbers of records. */
async function contentOf({ db }: TestDatabase): Promise<unknown> {
  const tables: unknown[] = []
  for (const query of [
    sql`select * from ledger_entries`,
    sql`select * from ledger_balances`,
    sql`select * from ledger_pool_sums`,
    sql`select * from fund_orders`,
    sql`select * from fund_redemptions`,
    sql`select * from fund_products`,
    sql`select product_id, nav_micros, cause, cash_micros, invested_micros, units, published_at from fund_navs`,
    sql`select member_id, source_member_id, redemption_id, amount_micros, received_at from fund_income`,
    sql`select * from fund_bills`,
    sql`select * from fund_bill_runs`,
  ]) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(found)::text as line from (${query}) as found order by 1`.execute(db)
    tables.push(rows.map((row) => row.line))
  }
  return tables
}

/** Starts a process that is ready to end the month. */
async function startChild() {
  const args = [childProgram(CHILD)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  await once(reader, 'line')
  return {
    begin: (url: string) => child.stdin.write(`${url}\n`),
    /** True if the process had finished. */
    async kill(): Promise<boolean> {
      child.kill('SIGKILL')
      await closed
      return lines.includes('done')
    },
  }
}

/** Lets a process work until it waits for a lock that the test holds, and kills it there. */
async function killAt(
  database: TestDatabase,
  child: Awaited<ReturnType<typeof startChild>>,
  statement: string,
): Promise<void> {
  const { url } = database
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin')
  await holder.query(statement)
  child.begin(url)
  await expect.poll(() => waitsForLock(database, 'fund-kill-child')).toBe(true)
  expect(await child.kill()).toBe(false)
  await holder.end()
}

// Each step is killed after all its writes but the last, and must then have had no effect.
const MOMENTS = {
  'in the third approval':
    'select from fund_redemptions where member_id = 4 and redemption_id = 3 for update',
  'in the second payment, which was posted': `
    insert into fund_income (member_id, source_member_id, redemption_id, product_id, management_fee_micros,
      amount_micros, received_at) values (1, 3, 2, 1, 1, 1, now())`,
  'in the middle of the bills': `
    insert into fund_bills (member_id, month, bill, digest, made_at) values (4, '2026-01', '', '', now())`,
}

test('killed in an approval, in a payment and among the bills, the month ends with the same result', async () => {
  await within(async (database) => {
    const statements = Object.values(MOMENTS)
    const children = await Promise.all(statements.map(startChild))
    for (const [index, statement] of statements.entries()) await killAt(database, children[index]!, statement)
    const { rows } = await sql`
      select (select count(*) from fund_redemptions where status = 'Completed')::int as paid,
        (select count(*) from fund_bills)::int as bills`.execute(database.db)
    expect(rows).toEqual([{ paid: 3, bills: 2 }])
    await endMonth(database)
    expect(await contentOf(database)).toEqual(expected)
    expect(await auditOf(database)).toEqual([])
  })
})

test('killed at random moments, the month ends with the same result', { tags: ['full'] }, async () => {
  for (let kill = 0; kill < RANDOM_KILLS; kill++) {
    await within(async (database) => {
      const child = await startChild()
      child.begin(database.url)
      await sleep(Math.random() * 2 * undisturbedMs)
      await child.kill()
      await endMonth(database)
      expect(await contentOf(database)).toEqual(expected)
    })
  }
})
