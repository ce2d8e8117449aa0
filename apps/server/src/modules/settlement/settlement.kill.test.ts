import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, inTx } from '../../db/database.ts'
import { migrateSimulation } from '../../db/simulation.ts'
import { type LocalPostgres, startPostgres } from '../../local/postgres.ts'
import { childProgram } from '../../testing/child-program.ts'
import { runs } from '../../testing/level.ts'
import { createTestBooks } from './testing/test-books.ts'

const CHILD = new URL('./testing/settlement-kill-child.ts', import.meta.url)
const FIRST_DAY = '2026-01-29'
const TODAY = '2026-02-02'
const MEMBERS = 45
const KILLS = runs({ usual: 3, full: 50 })

/**
 * A PostgreSQL server for this file only, because it is killed too. Its first database holds four unsettled
 * days, including a month's end.
 */
let server: LocalPostgres
let dataDir: string
/** The books after an undisturbed settlement, and its duration. */
let expected: unknown
let undisturbedMs: number
let copies = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rif-settlement-kill-'))
  await start()
  await migrateSimulation(server.urls.owner)
  await within('rif', async (database) => {
    const books = createTestBooks(database, FIRST_DAY)
    await books.begin()
    await books.price('AMC', '0.37')
    const ids = [await books.join(null, 'auto')]
    while (ids.length < MEMBERS)
      ids.push(await books.join(ids[((ids.length * 7) % ids.length) >> 1]!, 'auto'))
    for (const day of [FIRST_DAY, '2026-01-30', '2026-01-31', '2026-02-01']) {
      books.goTo(day, 1)
      for (const [place, memberId] of ids.entries()) {
        if ((place + day.charCodeAt(9)) % 3 === 0) await books.buy(memberId, 1 + (place % 5))
      }
      await books.attest('USDT', 77_000_007n)
      await books.attest('AMC', 31_000_003n)
    }
    await books.attest('USDT', 1_000_001n, 'savings_pool')
    await books.attest('USDT', 5_000_003n, 'dividend_pool')
    for (const memberId of ids.slice(10, 30)) {
      await books.grant(memberId, 'RIF', 7_000_001n + memberId)
      await inTx(books.db, async (dbTx) => {
        const order = { to: 'DIV', rifMicros: 7_000_001n + memberId } as const
        const { quote_id } = await books.exchange.quote(dbTx, memberId, order)
        await books.exchange.make(dbTx, memberId, BigInt(quote_id))
      })
    }
    for (const memberId of ids.slice(0, 20)) {
      await books.grant(memberId, 'USDT', 700_000_007n)
      const order = { asset: 'USDT', amountMicros: 600_000_001n } as const
      await inTx(books.db, (dbTx) => books.savings.transferIn(dbTx, memberId, order))
    }
  })
  await within(await freshCopy(), async (database) => {
    const begun = performance.now()
    await settleAll(database)
    undisturbedMs = performance.now() - begun
    expected = await contentOf(database)
  })
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A reported commit is on its way to the disk; only a crash of the machine could lose it. */
async function start(): Promise<void> {
  server = await startPostgres({ dataDir, fast: true, settings: { synchronous_commit: 'on' } })
}

function urlOf(name: string): string {
  const url = new URL(server.adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function within<T>(name: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url: urlOf(name), max: 10, applicationName: 'settlement-kill' })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/**
 * Creates a database with the four unsettled days, copied as files: a copy through the log would include only
 * the logged state of the sequences, and after a crash they would repeat used numbers.
 */
async function freshCopy(): Promise<string> {
  const name = `copy_${++copies}`
  await within('postgres', ({ pool }) =>
    pool.query(`create database ${name} template rif strategy file_copy`),
  )
  return name
}

async function settleAll(database: Database): Promise<void> {
  const books = createTestBooks(database, FIRST_DAY)
  books.goTo(TODAY)
  await books.settlement.catchUp(0)
}

/** Returns everything that settlement writes, except the numbers of the records. */
async function contentOf({ db }: Database): Promise<unknown> {
  const tables: unknown[] = []
  for (const query of [
    sql`select member_id, seq, kind, idempotency_key, cause_type, cause_id, accounting_day from ledger_transactions`,
    sql`select member_id, seq, line, kind, asset, source, destination, amount, accounting_day from ledger_postings`,
    sql`select member_id, asset, account, balance from ledger_balances`,
    sql`select account, asset, balance, reserved from ledger_pool_sums`,
    sql`select account, asset, accounting_day, amount from ledger_pool_day_sums`,
    sql`select member_id, batch, type, order_id, base_micros, value_micros, coverage_ppm, paid_micros, usdt_micros,
      amc_micros, flushed_micros from rewards`,
    sql`select * from reward_totals`,
    sql`select * from reward_days`,
    sql`select * from reward_coverage`,
    sql`select * from member_standings`,
    sql`select member_id, day, div_micros, usdt_micros, amc_micros from dividends`,
    sql`select day, pool_usdt_micros, div_micros::text, holders, usdt_micros from dividend_days`,
    sql`select * from savings_interest`,
    sql`select day, asset, pool_micros, due_micros, paid_micros, coverage_ppm from savings_batches`,
    sql`select member_id, day, div_micros, usdt_micros, amc_micros from dividends`,
    sql`select day, pool_usdt_micros, pool_amc_micros, div_micros, holders from dividend_days`,
    sql`select member_id, order_id, static_paid_micros from orders`,
    sql`select day, state from settlement_days`,
  ]) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(found)::text as line from (${query}) as found order by 1`.execute(db)
    tables.push(rows.map((row) => row.line))
  }
  return tables
}

async function requireExpected(name: string): Promise<void> {
  await within(name, async (database) => {
    expect(await contentOf(database)).toEqual(expected)
    expect(await createTestBooks(database, FIRST_DAY).audit()).toEqual([])
  })
}

type Worker = Awaited<ReturnType<typeof startWorker>>

/** Starts a process that settles a given database. */
async function startWorker() {
  const args = [childProgram(CHILD), FIRST_DAY, TODAY]
  // The killed server belongs to this test, even where the others run on a cluster.
  const { CITUS_DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env })
  const closed = once(child, 'close')
  const lines: string[] = []
  let errors = ''
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await once(reader, 'line')
  return {
    /**
     * Settles, and is killed after a while; without a time, runs to its end. Reports whether it finished.
     * Throws if it failed by itself.
     */
    async settle(name: string, killAfterMs?: number): Promise<boolean> {
      let isKilled = false
      child.stdin.write(`${urlOf(name)}\n`)
      if (killAfterMs !== undefined) {
        setTimeout(() => {
          isKilled = child.kill('SIGKILL')
        }, killAfterMs)
      }
      const [code, signal] = await closed
      const isDone = lines.includes('done')
      if (!isDone && !isKilled) throw new Error(`the worker ended by itself (${code ?? signal}): ${errors}`)
      return isDone
    },
  }
}

/**
 * Settles here, while the server and all its processes are killed after a while, and restarts it. Reports
 * whether it finished before. Throws if it failed by itself.
 */
async function settleWhileServerDies(name: string, killAfterMs: number): Promise<boolean> {
  let isKilled = false
  const settling = within(name, (database) =>
    settleAll(database).then(
      () => 'done' as const,
      (error: Error) => (isKilled ? ('killed' as const) : error),
    ),
  )
  await sleep(killAfterMs)
  isKilled = true
  await killServer()
  const outcome = await settling
  await start()
  if (outcome instanceof Error) throw outcome
  return outcome === 'done'
}

async function killServer(): Promise<void> {
  const { pid } = server
  // Without /proc, the others detect by themselves that the first one is gone.
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const processId of [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(processId, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  await server.exited
}

test(`worker and database killed at ${KILLS} moments leave the books of an undisturbed run`, async () => {
  let name = await freshCopy()
  let kills = 0
  let next: Promise<Worker> = startWorker()
  while (kills < KILLS) {
    const afterMs = Math.random() * 0.2 * undisturbedMs
    let done: boolean
    if (kills % 5 === 0) {
      const worker = await next
      // The next one starts while the database is killed, which is faster.
      next = startWorker()
      done = await worker.settle(name, afterMs * 2)
    } else {
      done = await settleWhileServerDies(name, afterMs)
    }
    if (!done) kills++
    else {
      await requireExpected(name)
      name = await freshCopy()
    }
  }
  expect(await (await next).settle(name)).toBe(true)
  await requireExpected(name)
})

test('concurrent workers share the ranges, and settle once', async () => {
  const name = await freshCopy()
  const worker = await startWorker()
  await within(name, (database) =>
    Promise.all([worker.settle(name), settleAll(database), settleAll(database)]),
  )
  await requireExpected(name)
})
