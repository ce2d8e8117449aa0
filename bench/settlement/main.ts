import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/settlement.fixture.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY, type TreeShape } from './books.ts'
import { measureFloor } from './floor.ts'

const RANGE_MEMBERS = 4_000
const MAX_RATIO = 1.5
const MAX_MEMORY_MB = 1_024

const { values } = parseArgs({
  options: { members: { type: 'string', default: '100000' }, tree: { type: 'string', default: 'random' } },
})
const members = Number(values.members)
const shape: TreeShape = values.tree === 'one-leg' ? 'one-leg' : 'random'

// `npm run bench:settlement -- --members N [--tree one-leg]`: a day of N members with packages, settled by the product,
// against reading, writing and posting the same rows without it, on copies of one database.
await runBenchmark('Settlement', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } })
  try {
    await migrate({ url: server.url })
    return await compare(server.url)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function compare(url: string): Promise<Floor[]> {
  await within(url, async (database) => {
    await fillBooks(database, members, shape)
    const books = booksOf(database)
    await books.begin()
    process.stderr.write('the books are filled\n')
    await settle(database, FIRST_DAY)
    process.stderr.write('the first day is settled\n')
    await database.pool.query('vacuum analyze')
  })
  const copy = await copyOf(url)
  const product = await within(url, async (database) => {
    const seconds = await timed(() => settle(database, MEASURED_DAY))
    return { seconds, ...(await totalsOf(database)) }
  })
  const memoryMb = process.resourceUsage().maxRSS / 1_024
  const floor = await within(copy, async (database) => {
    const steps = booksOf(database).settlement
    const staged = await steps.prepare(MEASURED_DAY)
    return measureFloor(database, () => steps.postAll(staged))
  })
  if (product.posted !== product.fixed) {
    throw new Error(`posted ${product.posted}, by the rules ${product.fixed}`)
  }
  console.log(
    `${members.toLocaleString('en')} members with packages, tree: ${shape}, a range: ${RANGE_MEMBERS} members\n`,
  )
  const rows = [
    [
      'settled by the product',
      product.seconds.toFixed(1),
      `${(product.seconds / floor).toFixed(2)} of the floor`,
      `${MAX_RATIO}`,
    ],
    ['floor: the same rows by COPY, and the same posting', floor.toFixed(1), '', ''],
    ['peak memory of the worker, MB', memoryMb.toFixed(0), '', `${MAX_MEMORY_MB}`],
    ['transactions posted', product.transactions, '', ''],
    ['rewards recorded', product.rewards, '', ''],
  ]
  console.log(`${markdownTable(['', 'seconds', 'ratio', 'at most'], rows)}\n`)
  return [
    { name: 'floor to product', value: floor / product.seconds, atLeast: 1 / MAX_RATIO },
    { name: 'memory allowed to memory used', value: MAX_MEMORY_MB / memoryMb, atLeast: 1 },
  ]
}

function booksOf(database: Database) {
  const books = createTestBooks(database, FIRST_DAY, RANGE_MEMBERS)
  books.goTo('2026-01-07')
  return books
}

async function settle(database: Database, day: string): Promise<void> {
  const { settled } = await booksOf(database).settlement.settle(day)
  if (!settled) throw new Error(`${day} was settled before`)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

/** What was posted of the measured day, and what the rules had fixed: value paid is in the batches. */
async function totalsOf({ pool }: Database) {
  const { rows } = await pool.query<{ posted: string; fixed: string; transactions: number; rewards: number }>(
    `select (select count(*)::float8 from ledger_transactions where accounting_day = $1 and member_id > 0) as transactions,
      (select count(*)::float8 from rewards where day = $1) as rewards,
      (select sum(paid_micros)::text from rewards where day = $1) as posted,
      (select sum(paid_micros)::text from reward_batches where day = $1) as fixed`,
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
  await client.query(`create database bench_copy template ${new URL(url).pathname.slice(1)}`)
  await client.end()
  return copy.href
}
