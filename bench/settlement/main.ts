import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY, RANGE_MEMBERS } from './books.ts'
import { measureFloor } from './floor.ts'
import type { TreeShape } from './forest.ts'

const MAX_RATIO = 1.5
const MAX_MEMORY_MB = 1_024
/** Ten times the members may cost this much more. */
const MAX_FACTOR = 11
/** From this many members on, a tenth of them is measured first. */
const FACTOR_FROM = 1_000_000
const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

const { values } = parseArgs({
  options: { members: { type: 'string', default: '100000' }, tree: { type: 'string', default: 'random' } },
})
const members = Number(values.members)
const shape: TreeShape = values.tree === 'one-leg' ? 'one-leg' : 'random'

interface Worker {
  readonly seconds: number
  readonly memoryMb: number
}

interface Figures extends Worker {
  readonly floor: number
  readonly totals: Totals
}

interface Totals {
  readonly transactions: number
  readonly rewards: number
  readonly posted: string
  readonly fixed: string
  /** Everything that was posted on the measured day, by kind and asset. */
  readonly postings: string
}

// `npm run bench:settlement -- --members N [--tree one-leg]`: a day of N members with packages, settled by the product,
// against reading, writing and posting the same rows without it, on copies of one database.
await runBenchmark('Settlement', async () => {
  const counts = members >= FACTOR_FROM ? [members / 10, members] : [members]
  const floors: Floor[] = []
  const seconds: number[] = []
  for (const count of counts) {
    const figures = await measure(count)
    seconds.push(figures.seconds)
    print(count, figures)
    floors.push(
      { name: `floor to product, ${count}`, value: figures.floor / figures.seconds, atLeast: 1 / MAX_RATIO },
      { name: 'memory allowed to memory used', value: MAX_MEMORY_MB / figures.memoryMb, atLeast: 1 },
    )
  }
  const [small, large] = seconds
  if (small === undefined || large === undefined) return floors
  console.log(`${counts.join(' to ')} members: ${(large / small).toFixed(1)} times the cost\n`)
  return [...floors, { name: 'cost allowed to cost', value: (MAX_FACTOR * small) / large, atLeast: 1 }]
})

async function measure(count: number): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } })
  try {
    await migrateSimulation(server.adminUrl)
    return await compare(server.adminUrl, count)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(url: string, count: number): Promise<Figures> {
  await within(url, async (database) => {
    await fillBooks(database, count, shape)
    await createTestBooks(database, FIRST_DAY).begin()
  })
  say(count, 'the books are filled')
  await runWorker(url, FIRST_DAY)
  say(count, 'the first day is settled')
  await within(url, ({ pool }) => pool.query('vacuum analyze'))
  const copy = await copyOf(url)
  await within(url, readAll)
  const worker = await runWorker(url, MEASURED_DAY)
  say(count, `the measured day is settled in ${worker.seconds.toFixed(1)} s`)
  const totals = await within(url, totalsOf)
  const { floor, floorTotals } = await within(copy, async (database) => {
    const books = createTestBooks(database, FIRST_DAY, RANGE_MEMBERS)
    books.goTo('2026-01-07')
    await books.settlement.prepare(MEASURED_DAY)
    await readAll(database)
    return { floor: await measureFloor(database, copy), floorTotals: await totalsOf(database) }
  })
  if (totals.posted !== totals.fixed) throw new Error(`posted ${totals.posted}, by the rules ${totals.fixed}`)
  if (totals.postings !== floorTotals.postings) {
    throw new Error(`the product posted ${totals.postings}, the floor ${floorTotals.postings}`)
  }
  return { ...worker, floor, totals }
}

function print(count: number, { seconds, memoryMb, floor, totals }: Figures): void {
  const perSecond = (time: number) => Math.round(totals.transactions / time).toLocaleString('en')
  console.log(
    `${count.toLocaleString('en')} members with packages, tree: ${shape}, a range: ${RANGE_MEMBERS} members; ` +
      `posted ${totals.transactions.toLocaleString('en')} transactions, ${totals.rewards.toLocaleString('en')} rewards\n`,
  )
  const rows = [
    [
      'settled by the product',
      seconds.toFixed(1),
      perSecond(seconds),
      (seconds / floor).toFixed(2),
      `${MAX_RATIO}`,
    ],
    ['floor: COPY and SQL alone', floor.toFixed(1), perSecond(floor), '', ''],
    ['peak memory of the worker, MB', '', '', memoryMb.toFixed(0), `${MAX_MEMORY_MB}`],
  ]
  console.log(`${markdownTable(['', 'seconds', 'transactions/s', 'of the floor', 'at most'], rows)}\n`)
}

async function runWorker(url: string, day: string): Promise<Worker> {
  const args = ['--import', 'tsx', '--conditions=source', WORKER, url, day]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

/** Both sides begin with what the machine has read lately, not one with it and one without. */
async function readAll({ pool }: Database): Promise<void> {
  for (const table of [
    'members',
    'placements',
    'orders',
    'member_standings',
    'rewards',
    'ledger_heads',
    'ledger_balances',
  ]) {
    await pool.query(`select count(*) from (select * from ${table} offset 0) as every`)
  }
  await pool.query('checkpoint')
}

/** The postings of the measured day, and the value that the rules fixed: value paid is in the batches. */
async function totalsOf({ pool }: Database): Promise<Totals> {
  const { rows } = await pool.query<Totals>(
    `select (select count(*)::float8 from ledger_transactions where accounting_day = $1 and member_id > 0) as transactions,
      (select count(*)::float8 from rewards where day = $1) as rewards,
      (select sum(paid_micros)::text from rewards where day = $1) as posted,
      (select sum(paid_micros)::text from reward_batches where day = $1) as fixed,
      (select string_agg(line, '; ' order by line) from (
        select concat_ws(' ', kind, asset, destination, count(*), sum(amount), sum(amount::numeric * member_id)) as line
        from ledger_postings where accounting_day = $1 and member_id > 0 group by kind, asset, destination
      ) as lines) as postings`,
    [MEASURED_DAY],
  )
  return rows[0]!
}

async function within<T>(url: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url, max: 4, applicationName: 'rif-bench' })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/** A copy of a database that nobody is connected to. */
async function copyOf(url: string): Promise<string> {
  const [server, copy] = [new URL(url), new URL(url)]
  server.pathname = '/postgres'
  copy.pathname = '/bench_copy'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    await client.query(`create database bench_copy template ${new URL(url).pathname.slice(1)}`)
  } finally {
    await client.end()
  }
  return copy.href
}

function say(count: number, what: string): void {
  process.stderr.write(`${count.toLocaleString('en')} members: ${what}\n`)
}
