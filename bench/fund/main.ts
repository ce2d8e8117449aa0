import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALES, type Locale } from '@rif/api-schema'
import { createDatabase, type Database, inDbTx } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createServices } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'
import { simulatedChain } from '../../apps/server/src/simulate/simulated-chain.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { MAKE_HOLDINGS, MAKE_MEMBERS, MAKE_PRODUCTS } from './books.ts'

const members = Number(process.env.BENCH_MEMBERS ?? 100_000)
const pdfs = Number(process.env.BENCH_PDFS ?? 1_000)
/** Every member holds each of them: ten times as many holdings as members. */
const PRODUCTS = 10
const MONTH = '2026-01'
const NAVS = 50
/** 100,000 bills in three minutes; a document while somebody waits, and others are served. */
const LEAST = { bills: 550, pdfs: 30, memoryMb: 512 } as const

// `npm run bench:fund`: the bills of a month's end, and whether a NAV costs more where more is held.
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

const EVIDENCE = { heldAt: 'bench', document: null }

async function measure(database: Database): Promise<Floor[]> {
  const { db, pool } = database
  const { fund, plans } = createServices({
    db,
    now: () => new Date('2026-02-02T00:00:00Z'),
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: {
      ...{ version: 'bench', publicUrl: 'http://localhost', browserRpcUrl: 'http://localhost' },
      ...{ explorerUrl: null, confirmations: 1, demoWallets: null, signer: NO_SIGNER },
    },
  })
  await plans.ensureDefault(db)
  await pool.query(MAKE_PRODUCTS, [PRODUCTS])
  const publish = async () => {
    const start = performance.now()
    for (let index = 0; index < NAVS; index++) {
      await inDbTx(db, async (dbTx) => {
        const draft = { productId: 1n, valueMicros: 10n ** 15n, evidence: EVIDENCE, actor: 'a' }
        const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
        await fund.valuations.approve(dbTx, { valuationId, actor: 'b' })
      })
    }
    return (performance.now() - start) / NAVS
  }
  await publish()
  const emptyMs = await publish()
  await pool.query(MAKE_MEMBERS, [members])
  await pool.query(MAKE_HOLDINGS, [members, PRODUCTS])
  await pool.query('vacuum analyze')
  const fullMs = await publish()

  const bills = await timed(() => fund.bills.makeMonth(db, MONTH))
  const pdf = async (place: number) => {
    const locale: Locale = LOCALES[place % LOCALES.length]!
    return fund.bills.pdf(db, BigInt(1 + (place % members)), MONTH, locale)
  }
  // Reading the fonts is the first ones' work.
  for (let place = 0; place < LOCALES.length; place++) await pdf(place)
  let bytes = 0
  const set = await timed(async () => {
    for (let place = 0; place < pdfs; place++) bytes += ((await pdf(place)).base64.length * 3) / 4
    return pdfs
  })
  const holdings = (members * PRODUCTS).toLocaleString('en')
  const rows: Row[] = [
    [
      `bills of ${members.toLocaleString('en')} members with ${PRODUCTS} products each, s`,
      bills.seconds.toFixed(1),
    ],
    ['bills a second', bills.rate],
    ['peak memory of the process by then, MB', bills.peakMb],
    [`${pdfs.toLocaleString('en')} PDFs in four languages, s`, set.seconds.toFixed(1)],
    ['PDFs a second', set.rate.toFixed(1)],
    ['average size, kB', bytes / pdfs / 1_000],
    ['peak memory of the process by then, MB', set.peakMb],
    ['publishing a NAV with nothing held, ms', emptyMs.toFixed(2)],
    [`publishing a NAV with ${holdings} holdings, ms`, fullMs.toFixed(2)],
  ]
  console.log(markdownTable(['', 'value'], rows))
  return [
    { name: 'bills a second', value: bills.rate, atLeast: LEAST.bills },
    { name: 'PDFs a second', value: set.rate, atLeast: LEAST.pdfs },
    { name: `${LEAST.memoryMb} MB against the peak memory`, value: LEAST.memoryMb / set.peakMb, atLeast: 1 },
    {
      name: 'a NAV with nothing held against one with all held, in time',
      value: emptyMs / fullMs,
      atLeast: 0.5,
    },
  ]
}

/** Does a number of things: how long that took, how many in a second, and the most memory the process has had by then. */
async function timed(work: () => Promise<number>) {
  const start = performance.now()
  const count = await work()
  const seconds = (performance.now() - start) / 1_000
  return { seconds, rate: count / seconds, peakMb: process.resourceUsage().maxRSS / 1_000 }
}
