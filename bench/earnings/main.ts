import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createEarnings } from '../../apps/server/src/modules/trust/earnings/earnings.service.ts'
import { markdownTable, runBenchmark } from '../kit/report.ts'
import { median } from '../kit/rounds.ts'
import { addDay, fillBooks } from './books.ts'

const MAX_FIRST_S = 120
const MAX_DAY_S = 30
const MAX_MB = 256
const MAX_GROWTH = 12
const LOOK_MS = 20
/** The number of following days, whose median counts. */
const DAYS = 3
const members = Number(process.env.BENCH_MEMBERS ?? 100_000)

interface Run {
  readonly seconds: number
  /** The locks for which other transactions may have to wait, by table. */
  readonly locks: ReadonlySet<string>
}

interface Published {
  readonly first: Run
  readonly day: Run
}

// `npm run bench -- earnings`: the first publication of the members' earnings, which computes every age that has
// ended, and the publication of the following day, with a tenth of the members and with all.
await runBenchmark('Earnings', async () => {
  const tenth = await measure(members / 10)
  const all = await measure(members)
  const memoryMb = process.resourceUsage().maxRSS / 1_024
  const row = (name: string, count: number, { seconds }: Run, most: string) => [
    name,
    count.toLocaleString('en'),
    seconds.toFixed(2),
    most,
  ]
  console.log(
    `${markdownTable(
      ['publication', 'members', 's', 'at most'],
      [
        row('first, all ages', members / 10, tenth.first, ''),
        row('first, all ages', members, all.first, `${MAX_FIRST_S}`),
        row('of the next day', members / 10, tenth.day, ''),
        row('of the next day', members, all.day, `${MAX_DAY_S}`),
        ['peak memory of the process, MB', '', memoryMb.toFixed(0), `${MAX_MB}`],
      ],
    )}\n`,
  )
  const locks = [...new Set([...all.first.locks, ...all.day.locks])].sort()
  console.log(`Locks besides those of reading: ${locks.join(', ')}\n`)
  return [
    { name: 'time allowed for the first to its time', value: MAX_FIRST_S / all.first.seconds, atLeast: 1 },
    { name: 'time allowed for a day to its time', value: MAX_DAY_S / all.day.seconds, atLeast: 1 },
    { name: 'memory allowed to memory', value: MAX_MB / memoryMb, atLeast: 1 },
    {
      name: 'growth allowed from a tenth to its growth',
      value: MAX_GROWTH / (all.day.seconds / tenth.day.seconds),
      atLeast: 1,
    },
  ]
})

async function measure(count: number): Promise<Published> {
  const folder = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir: folder, fast: true, settings: { max_wal_size: '4GB' } })
  const database = createDatabase({ url: server.adminUrl, max: 4, applicationName: 'bench-earnings' })
  try {
    await migrateSimulation(server.adminUrl)
    await fillBooks(database, count)
    const { db } = database
    const { publishDue } = createEarnings({ db, now: () => new Date() })
    const first = await watched(database, publishDue)
    const days: Run[] = []
    for (let day = 1; day <= DAYS; day++) {
      await addDay(database, day)
      days.push(await watched(database, publishDue))
    }
    const seconds = median(days.map((day) => day.seconds))
    return { first, day: { seconds, locks: days[0]!.locks } }
  } finally {
    await database.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a publication, and repeatedly reads the locks that it holds. */
async function watched({ pool }: Database, publish: () => Promise<string | null>): Promise<Run> {
  const locks = new Set<string>()
  const look = async () => {
    const { rows } = await pool.query<{ lock: string }>(`
      select distinct coalesce(relation::regclass::text, locktype) || ' ' || mode as lock from pg_locks
        join pg_stat_activity using (pid)
      where pid <> pg_backend_pid() and application_name = 'bench-earnings' and mode <> 'AccessShareLock'
        and locktype <> 'virtualxid'`)
    for (const { lock } of rows) locks.add(lock)
  }
  const begun = performance.now()
  let isDone = false
  const work = publish().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await look()
    await Promise.race([work, new Promise((resolve) => setTimeout(resolve, LOOK_MS))])
  }
  if ((await work) === null) throw new Error('nothing was published')
  return { seconds: (performance.now() - begun) / 1_000, locks }
}
