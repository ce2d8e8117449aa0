import { parseArgs } from 'node:util'
import { auditLedger } from '../../apps/server/src/modules/ledger/ledger.audit.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY } from '../settlement/books.ts'
import { giveMoney, measure, OPERATIONS, type Operation, servicesOn, settleOn } from './operations.ts'
import { openClusterSide, type Side, sharedSettings, startPlainSide, within } from './sides.ts'

const CLIENTS = 8
/** The lowest accepted throughput of the cluster, relative to one PostgreSQL server on the same machine. */
const AT_LEAST = { read: 0.6, me: 0.6, savings: 0.6, transfer: 0.3 } as const
/** The longest accepted settlement of a day on the cluster, relative to one PostgreSQL server. */
const SETTLEMENT_AT_MOST = 1.2

const { values } = parseArgs({ options: { members: { type: 'string', default: '100000' } } })
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

type Names = 'cluster' | 'plain'
type Sides = Readonly<Record<Names, Side>>

// `CITUS_DATABASE_URL=... npm run bench:citus [-- --members 100000,1000000]`: operations and the settlement
// of a day on a cluster, measured alternately with one PostgreSQL server that has the same settings, on the
// same machine.
await runBenchmark('Cluster', async () => {
  const url = process.env.CITUS_DATABASE_URL
  if (!url)
    throw new Error('bench:citus needs CITUS_DATABASE_URL, the superuser of a coordinator: docs/scale.md')
  const settings = await sharedSettings(url)
  const floors: Floor[] = []
  const tables: Record<string, string[]> = {}
  const counts = values.members.split(',').map(Number)
  for (const count of counts) {
    const sides = { cluster: await openClusterSide(url), plain: await startPlainSide(settings) }
    try {
      const { rows, held } = await compare(sides, count)
      floors.push(...held)
      for (const [name, ...cells] of rows)
        tables[name as string] = [...(tables[name as string] ?? []), ...cells.map(String)]
    } finally {
      await sides.cluster.close()
      await sides.plain.close()
    }
  }
  const head = [
    '',
    ...counts.flatMap((count) => [
      'cluster',
      'one PostgreSQL',
      `ratio, ${count.toLocaleString('en')} members`,
    ]),
  ]
  const shared = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  console.log(
    `${CLIENTS} clients, medians of ${rounds} rounds of ${seconds} s in turns; ${shared.join(', ')}\n`,
  )
  console.log(
    `${markdownTable(
      head,
      Object.entries(tables).map(([name, cells]) => [name, ...cells]),
    )}\n`,
  )
  return floors
})

async function compare(sides: Sides, count: number): Promise<{ rows: Row[]; held: Floor[] }> {
  const both = async (use: (side: Side, name: Names) => Promise<unknown>) => {
    for (const name of ['cluster', 'plain'] as const) {
      const begun = performance.now()
      await use(sides[name], name)
      process.stderr.write(`${name}: ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`)
    }
  }
  await both(async (side) => {
    await within(side, async (database) => {
      await fillBooks(database, count, 'random')
      await settleOn(database, FIRST_DAY)
    })
    await side.vacuum()
  })
  const settle = (side: Side) => () => side.onCopy((copy) => settleOn(copy, MEASURED_DAY))
  const settled = await inRounds(rounds, { cluster: settle(sides.cluster), plain: settle(sides.plain) })
  await both((side) => within(side, (database) => giveMoney(database, count)))
  await both((side) => side.vacuum())

  const opened = { cluster: sides.cluster.open('app'), plain: sides.plain.open('app') }
  const services = { cluster: servicesOn(opened.cluster), plain: servicesOn(opened.plain) }
  const rows: Row[] = []
  const held: Floor[] = []
  const operations = Object.entries(OPERATIONS) as [keyof typeof AT_LEAST, Operation][]
  const load = (side: Names, operate: Operation) =>
    measure(services[side], operate, { members: count, clients: CLIENTS, seconds })
  // Query plans depend on the size of the tables, so the tables that the operations fill must have rows
  // before the measurement.
  await both(async (side, name) => {
    for (const [, operate] of operations) await load(name, operate)
    await side.vacuum()
  })
  for (const [name, operate] of operations) {
    const run = (side: Names) => () => load(side, operate)
    const figures = await inRounds(rounds, { cluster: run('cluster'), plain: run('plain') })
    const ratio = medianRatio(figures.cluster, figures.plain)
    rows.push([
      `${name}, a second`,
      whole(median(figures.cluster)),
      whole(median(figures.plain)),
      ratio.toFixed(2),
    ])
    held.push({
      name: `${name} on the cluster of one PostgreSQL, ${count}`,
      value: ratio,
      atLeast: AT_LEAST[name],
    })
  }
  await both(async (_, name) => {
    const [found] = await auditLedger(opened[name].db)
    if (found) throw new Error(`the books of ${name} do not agree: ${found.check} ${found.subject}`)
    await opened[name].close()
  })
  const times = medianRatio(settled.cluster, settled.plain)
  const inSeconds = (figures: readonly number[]) => (median(figures) / 1_000).toFixed(1)
  rows.push([
    'a settled day, seconds',
    inSeconds(settled.cluster),
    inSeconds(settled.plain),
    times.toFixed(2),
  ])
  held.push({
    name: `settlement allowed to settlement, ${count}`,
    value: SETTLEMENT_AT_MOST / times,
    atLeast: 1,
  })
  return { rows, held }
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en')
}
