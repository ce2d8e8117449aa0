import { parseArgs } from 'node:util'
import { auditLedger } from '../../apps/server/src/modules/books/ledger/audit.ts'
import { openCluster } from '../../apps/server/src/testing/cluster.ts'
import { cpuOfChildren } from '../kit/processes.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY } from '../settlement/books.ts'
import { limitServer } from './limits.ts'
import { giveMoney, measure, OPERATIONS, type Operation, servicesOn, settleOn } from './operations.ts'
import { CONNECTIONS, openClusterSide, type Side, sharedSettings, startPlainSide, within } from './sides.ts'

/** The share of a core that each worker gets; the coordinator is not limited. */
const SHARE = 0.15
const WORKERS = [1, 2, 3] as const
/** The aims against one worker. A miss is no error: the table says what was saturated. */
const AIMS: Readonly<Record<number, string>> = { 1: '', 2: '1.6', 3: '2.1' }
/** A server that used this part of what it may use was saturated. */
const SATURATED = 0.9
const SETTLEMENT_AT_MOST = 1.5

const { values } = parseArgs({ options: { members: { type: 'string', default: '100000' } } })
const members = Number(values.members)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
/** True when the workers are limited by other means, for instance as containers. */
const areLimited = process.env.BENCH_LIMITED === '1'

// `CITUS_DATABASE_URL=... npm run bench -- citus [-- --members 100000]`: reads and savings with one, two and three workers of a
// cluster on this machine, each limited to a share of a core, and the settlement of a day by three such workers, measured
// alternately with one PostgreSQL server that has the same share in sum.
await runBenchmark('Cluster', async () => {
  const url = process.env.CITUS_DATABASE_URL
  if (!url)
    throw new Error('the benchmark needs CITUS_DATABASE_URL, the superuser of a coordinator: docs/scale.md')
  const servers = await openCluster(url)
  const most = WORKERS.at(-1)!
  if (servers.urls.length <= most) throw new Error(`the benchmark needs a cluster with ${most} workers`)
  const sides: Side[] = []
  try {
    for (const workers of WORKERS) sides.push(await openClusterSide(servers, workers))
    for (const side of sides) await within(side, (database) => fillBooks(database, members, 'random'))
    const floors = areLimited
      ? skipSettlement()
      : await compareSettlement(sides.at(-1)!, await sharedSettings(url))
    await compareWorkers(sides)
    return floors
  } finally {
    for (const side of sides) await side.close()
  }
})

function skipSettlement(): Floor[] {
  console.log('without the settlement, because one PostgreSQL server would not be limited (BENCH_LIMITED)\n')
  return []
}

/** Runs a function while each of the servers has a share of a core. */
async function limited<T>(pids: readonly number[], share: number, work: () => Promise<T>): Promise<T> {
  const ends: (() => Promise<void>)[] = []
  try {
    for (const pid of areLimited ? [] : pids) ends.push(await limitServer(pid, share))
    return await work()
  } finally {
    for (const end of ends) await end()
  }
}

async function compareSettlement(
  cluster: Side,
  settings: Readonly<Record<string, string>>,
): Promise<Floor[]> {
  const plain = await startPlainSide(settings)
  try {
    await within(plain, (database) => fillBooks(database, members, 'random'))
    for (const side of [cluster, plain]) {
      await within(side, (database) => settleOn(database, FIRST_DAY))
      await side.vacuum()
    }
    const workers = cluster.pids.slice(1)
    const settle = (side: Side, pids: readonly number[], share: number) => () =>
      side.onCopy((copy) => limited(pids, share, () => settleOn(copy, MEASURED_DAY)))
    const figures = await inRounds(rounds, {
      cluster: settle(cluster, workers, SHARE),
      plain: settle(plain, plain.pids, SHARE * workers.length),
    })
    const ratio = medianRatio(figures.cluster, figures.plain)
    const inSeconds = (times: readonly number[]) => (median(times) / 1_000).toFixed(1)
    const rows = [
      [
        `${workers.length} workers with ${SHARE} of a core each`,
        inSeconds(figures.cluster),
        ratio.toFixed(2),
      ],
      [`one PostgreSQL with ${(SHARE * workers.length).toFixed(2)} of a core`, inSeconds(figures.plain), ''],
    ]
    console.log(`a day of ${members.toLocaleString('en')} members\n`)
    console.log(`${markdownTable(['settled by', 's', 'to one PostgreSQL'], rows)}\n`)
    return [{ name: 'a settled day to that of one PostgreSQL', value: ratio, atMost: SETTLEMENT_AT_MOST }]
  } finally {
    await plain.close()
  }
}

/** The parts of what they may use of a core that the processes used. */
interface Usage {
  readonly workers: number
  readonly coordinator: number
  readonly product: number
}

async function compareWorkers(sides: readonly Side[]): Promise<void> {
  for (const side of sides) {
    await within(side, (database) => giveMoney(database, members))
    await side.vacuum()
  }
  const opened = sides.map((side) => side.open('app'))
  try {
    const rows: Row[] = []
    for (const [name, operate] of Object.entries(OPERATIONS)) {
      const usage = new Map<number, Usage[]>()
      const measureOn = (index: number) => async () => {
        const run = () =>
          measure(servicesOn(opened[index]!), operate as Operation, {
            members,
            clients: CONNECTIONS,
            seconds,
          })
        const { result, used } = await limited(sides[index]!.pids.slice(1), SHARE, () =>
          withUsage(sides[index]!, run),
        )
        usage.set(index, [...(usage.get(index) ?? []), used])
        return result
      }
      const subjects = Object.fromEntries(WORKERS.map((workers, index) => [`${workers}`, measureOn(index)]))
      const figures = await inRounds<string>(rounds, subjects)
      for (const [index, workers] of WORKERS.entries()) {
        const own = figures[`${workers}`]!
        const part = (of: keyof Usage) =>
          median(
            usage
              .get(index)!
              .slice(1)
              .map((used) => used[of]),
          )
        const parts = (['workers', 'coordinator', 'product'] as const).map((of) => ({ of, value: part(of) }))
        rows.push([
          name,
          `${workers}`,
          median(own),
          workers === 1 ? '' : medianRatio(own, figures['1']!).toFixed(2),
          AIMS[workers]!,
          ...parts.map(({ value }) => value.toFixed(2)),
          parts
            .filter(({ value }) => value >= SATURATED)
            .map(({ of }) => of)
            .join(', '),
        ])
      }
    }
    for (const [index, { db }] of opened.entries()) {
      const [finding] = await auditLedger(db)
      if (finding)
        throw new Error(
          `the books of ${WORKERS[index]} workers do not agree: ${finding.check} ${finding.subject}`,
        )
    }
    console.log(
      `${CONNECTIONS} clients, ${members.toLocaleString('en')} members, medians of ${rounds} rounds of ${seconds} s in turns; ` +
        `each worker has ${SHARE} of a core\n`,
    )
    const head = [
      'operation',
      'workers',
      'a second',
      'to one worker',
      'aim',
      'used by each worker',
      'by the coordinator',
      'by the product',
    ]
    console.log(`${markdownTable([...head, 'saturated'], rows)}\n`)
  } finally {
    for (const database of opened) await database.close()
  }
}

/** Runs a function, and returns its result with the part of what they may use that the servers and this process used. */
async function withUsage<T>({ pids }: Side, work: () => Promise<T>): Promise<{ result: T; used: Usage }> {
  const times = () => Promise.all(pids.map(cpuOfChildren))
  const [before, own, begun] = [await times(), process.cpuUsage(), performance.now()]
  const result = await work()
  const elapsedMs = performance.now() - begun
  const { user, system } = process.cpuUsage(own)
  const [coordinator, ...workers] = (await times()).map((ms, index) => (ms - before[index]!) / elapsedMs)
  const ofWorkers = workers.reduce((sum, share) => sum + share, 0) / workers.length
  return {
    result,
    used: {
      workers: ofWorkers / SHARE,
      coordinator: coordinator!,
      product: (user + system) / 1_000 / elapsedMs,
    },
  }
}
