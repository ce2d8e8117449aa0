import { parseArgs } from 'node:util'
import { markdownTable, runBenchmark } from '../kit/report.ts'
import { FIRST_DAY, fillBooks, MEASURED_DAY } from '../settlement/books.ts'
import { giveMoney, measure, OPERATIONS, servicesOn, settleOn } from './operations.ts'
import { openClusterSide, type Side, type Usage, within } from './sides.ts'

const CLIENTS = 8
const { values } = parseArgs({ options: { members: { type: 'string', default: '1000000,2000000,5000000' } } })
const seconds = Number(process.env.BENCH_SECONDS ?? 20)

/** The cost of one step, per member or per operation. */
interface Cost {
  readonly step: string
  readonly each: number
  readonly seconds: number
  readonly before: readonly Usage[]
  readonly after: readonly Usage[]
}

// `CITUS_DATABASE_URL=... npm run bench:citus-cost [-- --members 1000000,2000000,5000000]`: bytes, rows and
// processor time per member, per settled day and per operation, on a cluster whose servers are processes of
// this machine. docs/scale.md extrapolates from the results.
await runBenchmark('Cost of a cluster', async () => {
  const url = process.env.CITUS_DATABASE_URL
  if (!url)
    throw new Error(
      'bench:citus-cost needs CITUS_DATABASE_URL, the superuser of a coordinator: docs/scale.md',
    )
  for (const count of values.members.split(',').map(Number)) {
    const side = await openClusterSide(url)
    try {
      report(count, await costsOf(side, count))
    } finally {
      await side.close()
    }
  }
  return []
})

async function costsOf(side: Side, count: number): Promise<Cost[]> {
  const costs: Cost[] = []
  await side.vacuum()
  let before = await side.usage()
  /** Measures a step, which returns the number of members or operations by which its cost is divided. */
  async function measured(step: string, run: () => Promise<number>): Promise<void> {
    const begun = performance.now()
    const each = await run()
    const elapsed = (performance.now() - begun) / 1_000
    const worked = await side.usage()
    await side.vacuum()
    const stored = await side.usage()
    const after = stored.map((usage, server) => ({ ...usage, cpuMs: worked[server]!.cpuMs }))
    costs.push({ step, each, seconds: elapsed, before, after })
    process.stderr.write(`${count}: ${step}, ${elapsed.toFixed(0)} s\n`)
    before = stored
  }
  const ofAll = (use: Parameters<typeof within>[1]) => async () => {
    await within(side, use)
    return count
  }
  await measured(
    'member with a paid order',
    ofAll((database) => fillBooks(database, count, 'random')),
  )
  for (const [step, day] of [
    ['first settled day', FIRST_DAY],
    ['second settled day', MEASURED_DAY],
  ] as const) {
    await measured(
      step,
      ofAll((database) => settleOn(database, day)),
    )
  }
  await within(side, (database) => giveMoney(database, count))
  await side.vacuum()
  before = await side.usage()
  const database = side.open('app')
  const services = servicesOn(database)
  for (const [step, operate] of Object.entries(OPERATIONS)) {
    await measured(step, async () => {
      const begun = performance.now()
      const rate = await measure(services, operate, { members: count, clients: CLIENTS, seconds })
      return (rate * (performance.now() - begun)) / 1_000
    })
  }
  await database.close()
  return costs
}

function report(count: number, costs: readonly Cost[]): void {
  const head = [
    'each',
    'bytes',
    'on the coordinator',
    'rows',
    'coordinator, ms',
    'other machines, ms',
    'a second',
  ]
  const rows = costs.map(({ step, each, seconds, before, after }) => {
    const grown = (key: keyof Usage) =>
      after.map((usage, server) => (usage[key] - before[server]![key]) / each)
    const [bytes, stored, worked] = [grown('bytes'), grown('rows'), grown('cpuMs')]
    const sum = (figures: readonly number[]) => figures.reduce((all, one) => all + one, 0)
    return [
      ...[step, sum(bytes), bytes[0]!, sum(stored).toFixed(1)],
      ...[worked[0]!.toFixed(3), sum(worked.slice(1)).toFixed(3), each / seconds],
    ]
  })
  console.log(`${count.toLocaleString('en')} members\n\n${markdownTable(head, rows)}\n`)
}
