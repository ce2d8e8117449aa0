import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALES, type Locale } from '@rif/api-schema'
import { createDatabase, type Database, inDbTx } from '../../apps/server/src/db/database.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { createServices } from '../../apps/server/src/services.ts'
import { simulatedChain } from '../../apps/server/src/simulate/simulated-chain.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { MAKE_HOLDINGS, MAKE_MEMBERS, MAKE_PRODUCTS } from './books.ts'

const members = Number(process.env.BENCH_MEMBERS ?? 100_000)
const pdfs = Number(process.env.BENCH_PDFS ?? 1_000)
/** Every member holds each of them: ten times as many holdings as members. */
const PRODUCTS = 10
const MONTH = '2026-01'
const NAVS = 50
const KEY = `0x${'11'.repeat(32)}` as const

// `npm run bench:fund`: the bills of a month's end, and whether a NAV costs more where more is held.
await runBenchmark('Fund', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir })
  const database = createDatabase({ url: server.url, max: 4, applicationName: 'rif-bench' })
  try {
    await migrate({ url: server.url })
    return await measure(database)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function measure(database: Database): Promise<Floor[]> {
  const { db, pool } = database
  const { fund, plans } = createServices({
    db,
    now: () => new Date('2026-02-02T00:00:00Z'),
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: {
      ...{ version: 'bench', publicUrl: 'http://localhost', browserRpcUrl: 'http://localhost' },
      ...{ explorerUrl: null, confirmations: 1, demoWallets: null, quoteSignerKey: KEY, claimSignerKey: KEY },
    },
  })
  await plans.ensureDefault(db)
  await pool.query(MAKE_PRODUCTS, [PRODUCTS])
  const publish = async () => {
    const start = performance.now()
    for (let index = 0; index < NAVS; index++) {
      await inDbTx(db, async (dbTx) => {
        const nav = { productId: 1n, navMicros: 2_000_000n, assetsMicros: 10n ** 18n, documentHash: null }
        const { navId } = await fund.navs.prepare(dbTx, { ...nav, actor: 'a' })
        await fund.navs.approve(dbTx, { navId, actor: 'b' })
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

  const start = performance.now()
  const made = await fund.bills.makeMonth(db, MONTH)
  const billSeconds = (performance.now() - start) / 1_000
  const billMemory = process.memoryUsage().rss / 1e6

  const pdfStart = performance.now()
  let bytes = 0
  for (let index = 0; index < pdfs; index++) {
    const locale: Locale = LOCALES[index % LOCALES.length]!
    const { base64 } = await fund.bills.pdf(db, BigInt(1 + (index % members)), MONTH, locale)
    bytes += (base64.length * 3) / 4
  }
  const pdfSeconds = (performance.now() - pdfStart) / 1_000
  const pdfMemory = process.memoryUsage().rss / 1e6
  console.log(
    markdownTable(
      ['', 'value'],
      [
        [
          `bills of ${members.toLocaleString('en')} members with ${PRODUCTS} products each, seconds`,
          billSeconds.toFixed(1),
        ],
        ['bills per second', made / billSeconds],
        ['memory of the process after it, MB', billMemory],
        [`${pdfs.toLocaleString('en')} PDFs in four languages, seconds`, pdfSeconds.toFixed(1)],
        ['PDFs per second', (pdfs / pdfSeconds).toFixed(1)],
        ['average size, kB', bytes / pdfs / 1_000],
        ['memory of the process after it, MB', pdfMemory],
        ['publishing a NAV with nothing held, ms', emptyMs.toFixed(2)],
        [
          `publishing a NAV with ${(members * PRODUCTS).toLocaleString('en')} holdings, ms`,
          fullMs.toFixed(2),
        ],
      ],
    ),
  )
  return [
    {
      name: 'a NAV with nothing held against one with all held, in time',
      value: emptyMs / fullMs,
      atLeast: 0.5,
    },
  ]
}
