import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALES, type Locale } from '@rif/api-schema'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createServices } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'
import { simulatedChain } from '../../apps/server/src/simulate/simulated-chain.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { MAKE_HOLDINGS, MAKE_MEMBERS, MAKE_PRODUCTS } from './books.ts'
import { createSteps, type StepTimes } from './steps.ts'

const members = Number(process.env.BENCH_MEMBERS ?? 100_000)
const pdfs = Number(process.env.BENCH_PDFS ?? 1_000)
/** Every member holds units of each product, so there are ten times as many holdings as members. */
const PRODUCTS = 10
const MONTH = '2026-01'
/** The number of members with holdings at first; then a tenth of all, then all. */
const FEW = 100
/**
 * 100,000 bills must take at most three minutes, and a document must be ready while its member waits and
 * other requests are served. Documents need only computation, so their floor is in seconds of processor time,
 * on which other processes of the machine have little influence.
 */
const LEAST = { bills: 550, pdfs: 30, memoryMb: 512 } as const

const STEPS = [
  ['a valuation and its NAV', 'valuationMs'],
  ["a redemption's approval", 'approvalMs'],
  ["a redemption's payment and its NAV", 'paymentMs'],
] as const
type StepKey = (typeof STEPS)[number][1]

const ratio = (step: StepTimes, key: StepKey) => step[key] / step.bareMs

// `npm run bench -- fund`: the bills at the end of a month, and whether a NAV costs more when members hold more.
await runBenchmark('Fund', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir })
  const database = createDatabase({ url: server.adminUrl, max: 4, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    return await measure(database)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function measure(database: Database): Promise<Floor[]> {
  const { db, pool } = database
  let clock = Date.parse('2026-02-02T00:00:00Z')
  const services = createServices({
    db,
    now: () => new Date(clock),
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: {
      version: 'bench',
      publicUrl: 'http://localhost',
      browserRpcUrl: 'http://localhost',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
    },
  })
  const { fund, plans } = services
  await plans.ensureDefault(db)
  await pool.query(MAKE_PRODUCTS, [PRODUCTS])
  const steps = await createSteps(database, services, (hours) => {
    clock += hours * 3_600_000
  })
  const sizes = [FEW, members / 10, members]
  const times: StepTimes[] = []
  for (const [index, size] of sizes.entries()) {
    const from = index === 0 ? 1 : sizes[index - 1]! + 1
    await pool.query(MAKE_MEMBERS, [from, size])
    await pool.query(MAKE_HOLDINGS, [from, size, PRODUCTS])
    await steps.hold(from, size)
    await pool.query('vacuum analyze')
    times.push(await steps.measure(size, BigInt(from) + 1n))
  }

  const bills = await timed(() => fund.bills.makeMonth(db, MONTH))
  const pdf = async (place: number) => {
    const locale: Locale = LOCALES[place % LOCALES.length]!
    return fund.bills.pdf(db, BigInt(1 + (place % members)), MONTH, locale)
  }
  // The first documents also read the fonts.
  for (let place = 0; place < LOCALES.length; place++) await pdf(place)
  let bytes = 0
  const set = await timed(async () => {
    for (let place = 0; place < pdfs; place++) bytes += ((await pdf(place)).base64.length * 3) / 4
    return pdfs
  })
  const rows: Row[] = [
    [
      `bills of ${members.toLocaleString('en')} members with ${PRODUCTS} products each, s`,
      bills.seconds.toFixed(1),
    ],
    ['bills a second', bills.rate],
    ['peak memory of the process by then, MB', bills.peakMb],
    [`${pdfs.toLocaleString('en')} PDFs in four languages, s`, set.seconds.toFixed(1)],
    ['PDFs a second', set.rate.toFixed(1)],
    ['PDFs a second of processor time', set.processorRate.toFixed(1)],
    ['average size, kB', bytes / pdfs / 1_000],
    ['peak memory of the process by then, MB', set.peakMb],
  ]
  console.log(markdownTable(['', 'value'], rows))
  console.log(`\n${stepTable(sizes, times)}`)
  return [
    { name: 'bills a second', value: bills.rate, atLeast: LEAST.bills },
    { name: 'PDFs a second of processor time', value: set.processorRate, atLeast: LEAST.pdfs },
    { name: `${LEAST.memoryMb} MB against the peak memory`, value: LEAST.memoryMb / set.peakMb, atLeast: 1 },
    ...STEPS.map(([name, key]) => ({
      name: `${name} with few holdings against one with all, in bare transactions`,
      value: ratio(times[0]!, key) / ratio(times.at(-1)!, key),
      atLeast: 0.5,
    })),
  ]
}

/**
 * A table of the steps: duration, ratio to a bare transaction, and growth from a tenth of the holdings to
 * all.
 */
function stepTable(sizes: readonly number[], times: readonly StepTimes[]): string {
  const holdings = sizes.map((size) => `${(size * PRODUCTS).toLocaleString('en')} holdings`)
  const rows: Row[] = STEPS.map(([name, key]) => [
    name,
    ...times.map((step) => `${step[key].toFixed(2)} ms, ${ratio(step, key).toFixed(2)} x bare`),
    (ratio(times[2]!, key) / ratio(times[1]!, key)).toFixed(2),
  ])
  const bare = ['a bare transaction', ...times.map(({ bareMs }) => `${bareMs.toFixed(2)} ms`), '']
  return markdownTable(['', ...holdings, 'growth N to 10 N'], [bare, ...rows])
}

/**
 * Runs a number of tasks, and returns the duration, the tasks per second by the clock, the tasks per second
 * of the process's own processor time, and the peak memory of the process.
 */
async function timed(work: () => Promise<number>) {
  const start = performance.now()
  const used = process.cpuUsage()
  const count = await work()
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(used)
  return {
    seconds,
    rate: count / seconds,
    processorRate: (count * 1e6) / (user + system),
    peakMb: process.resourceUsage().maxRSS / 1_000,
  }
}
