import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { median, medianRatio } from '../kit/rounds.ts'
import { POSTGRES } from '../kit/settings.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY, RANGE_MEMBERS } from './books.ts'
import { type FloorRows, takeFloorRows } from './floor.ts'
import type { TreeShape } from './forest.ts'
import { runWorker } from './run-worker.ts'

const MAX_RATIO = 1.8
const MAX_MEMORY_MB = 512
/** The largest accepted growth of the cost when there are ten times as many members. */
const MAX_FACTOR = 11
/** From this number of members on, a tenth of them is measured first. */
const FACTOR_FROM = 1_000_000

const { values } = parseArgs({
  options: { members: { type: 'string', default: '100000' }, tree: { type: 'string', default: 'random' } },
})
const members = Number(values.members)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const shape: TreeShape = values.tree === 'one-leg' ? 'one-leg' : 'random'

interface Figures {
  /** The seconds of each round. */
  readonly product: number[]
  readonly floor: number[]
  readonly memoryMb: number
  readonly totals: Totals
}

interface Totals {
  readonly transactions: number
  readonly rewards: number
  readonly posted: string
  readonly fixed: string
  readonly postings: number
}

// `npm run bench -- settlement --members N [--tree one-leg]`: the settlement of a day of N members with
// packages by the product, measured alternately with writing the same ledger rows without it, on copies of
// one database.
await runBenchmark('Settlement', async () => {
  const counts = members >= FACTOR_FROM ? [members / 10, members] : [members]
  const floors: Floor[] = []
  const seconds: number[] = []
  for (const count of counts) {
    const figures = await measure(count)
    const { product, floor, memoryMb } = figures
    seconds.push(median(product))
    print(count, figures)
    floors.push(
      {
        name: `${count} members: time to that of the bare rows`,
        value: medianRatio(product, floor),
        atMost: MAX_RATIO,
      },
      { name: `${count} members: memory of the worker, MB`, value: memoryMb, atMost: MAX_MEMORY_MB },
    )
  }
  const [small, large] = seconds
  if (small === undefined || large === undefined) return floors
  console.log(`${counts.join(' to ')} members: ${(large / small).toFixed(1)} times the cost\n`)
  return [
    ...floors,
    { name: `time to that of ${counts[0]} members`, value: large / small, atMost: MAX_FACTOR },
  ]
})

async function measure(count: number): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
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
  const [product, floor]: [number[], number[]] = [[], []]
  let memoryMb = 0
  let totals: Totals | undefined
  let rows: FloorRows | undefined
  try {
    for (let round = 1; round <= rounds; round++) {
      const worker = await onCopyOf(url, async (copy) => {
        await within(copy, readAll)
        const figures = await runWorker(copy, MEASURED_DAY)
        await within(copy, async (database) => {
          totals ??= await totalsOf(database)
          rows ??= await takeFloorRows(database)
        })
        return figures
      })
      product.push(worker.seconds)
      memoryMb = Math.max(memoryMb, worker.memoryMb)
      floor.push(
        await onCopyOf(url, (copy) =>
          within(copy, async (database) => {
            await readAll(database)
            return rows!.measure(database)
          }),
        ),
      )
      say(
        count,
        `round ${round}: product ${product.at(-1)!.toFixed(1)} s, floor ${floor.at(-1)!.toFixed(1)} s`,
      )
    }
  } finally {
    await rows?.remove()
  }
  const { posted, fixed } = totals!
  if (posted !== fixed) throw new Error(`posted ${posted}, by the rules ${fixed}`)
  return { product, floor, memoryMb, totals: totals! }
}

function print(count: number, { product, floor, memoryMb, totals }: Figures): void {
  const perSecond = (time: number) => Math.round(totals.transactions / time).toLocaleString('en')
  const number = (value: number) => value.toLocaleString('en')
  console.log(
    `${number(count)} members with packages, tree: ${shape}, a range: ${RANGE_MEMBERS} members; posted ` +
      `${number(totals.transactions)} transactions, ${number(totals.postings)} postings, ${number(totals.rewards)} rewards\n`,
  )
  const [seconds, least] = [median(product), median(floor)]
  const rows = [
    [
      'settled by the product',
      seconds.toFixed(1),
      perSecond(seconds),
      medianRatio(product, floor).toFixed(2),
      `${MAX_RATIO}`,
    ],
    ['floor: the rows of the ledger alone', least.toFixed(1), perSecond(least), '', ''],
    ['peak memory of the worker, MB', '', '', memoryMb.toFixed(0), `${MAX_MEMORY_MB}`],
  ]
  console.log(`${markdownTable(['', 'seconds', 'transactions/s', 'of the floor', 'at most'], rows)}\n`)
}

/** Both sides start with the same warm caches. */
async function readAll({ pool }: Database): Promise<void> {
  for (const table of ['members', 'placements', 'orders', 'member_standings', 'rewards', 'ledger_heads']) {
    await pool.query(`select count(*) from (select * from ${table} offset 0) as every`)
  }
  await pool.query('checkpoint')
}

/**
 * The postings of the measured day, and the paid value as posted in the rewards and as fixed in the batches.
 */
async function totalsOf({ pool }: Database): Promise<Totals> {
  const { rows } = await pool.query<Totals>(
    `select (select count(*)::float8 from ledger_transactions where accounting_day = $1 and member_id > 0) as transactions,
      (select count(*)::float8 from rewards where day = $1) as rewards,
      (select sum(paid_micros)::text from rewards where day = $1) as posted,
      (select sum(paid_micros)::text from reward_batches where day = $1) as fixed,
      (select count(*)::float8 from ledger_postings where accounting_day = $1 and member_id > 0) as postings`,
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

/** Runs a function on a copy of a database without other connections, and drops the copy. */
async function onCopyOf<T>(url: string, use: (copy: string) => Promise<T>): Promise<T> {
  const [server, copy] = [new URL(url), new URL(url)]
  server.pathname = '/postgres'
  copy.pathname = '/bench_copy'
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.href })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(`create database bench_copy template ${new URL(url).pathname.slice(1)}`)
  try {
    return await use(copy.href)
  } finally {
    await run('drop database bench_copy with (force)')
  }
}

function say(count: number, what: string): void {
  process.stderr.write(`${count.toLocaleString('en')} members: ${what}\n`)
}
