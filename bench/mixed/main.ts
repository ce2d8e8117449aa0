import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalPostgres, startPostgres } from '../../apps/server/src/local/postgres.ts'
import { cpuOfChildren } from '../kit/processes.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { POSTGRES } from '../kit/settings.ts'
import { type Load, type LoadReport, startLoad } from './load.ts'
import { type Product, startProduct, THIS_TREE } from './product.ts'
import { compareWithSettlement } from './settlement.ts'

const CONNECTIONS = 64
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const callers = Number(process.env.BENCH_CALLERS ?? 512)
const members = Number(process.env.BENCH_MEMBERS ?? 100_000)
/** A work tree of an older version, which is measured alternately, on its own database. */
const before = process.env.BENCH_BEFORE

// `BENCH_BEFORE=TREE npm run bench -- mixed`: sign-ins, reads, transfers, orders and savings over HTTP, by turns with an
// older version, and while a day is settled by turns with the same load alone.
await runBenchmark('Mixed load', async () => {
  const load = startLoad()
  try {
    return [
      ...(await onServer({}, (server) => compareVersions(load, server))),
      ...(await onServer(POSTGRES, (server) => {
        const url = server.bySocket(server.adminUrl)
        return compareWithSettlement(load, {
          url,
          members,
          callers,
          connections: CONNECTIONS,
          rounds,
          seconds,
        })
      })),
    ]
  } finally {
    load.end()
  }
})

async function onServer<T>(
  settings: Readonly<Record<string, string>>,
  use: (server: LocalPostgres) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings })
  try {
    return await use(server)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compareVersions(load: Load, server: LocalPostgres): Promise<Floor[]> {
  const products: Product[] = []
  try {
    products.push(await startProduct(THIS_TREE, server.bySocket(server.adminUrl), { callers }))
    if (before === undefined) console.log('without an older version, because BENCH_BEFORE is not set\n')
    else {
      await products[0]!.database.pool.query('create database before')
      const url = Object.assign(new URL(server.adminUrl), { pathname: '/before' }).href
      products.push(await startProduct(before, url, { callers }))
    }
    return await compare(load, server, products)
  } finally {
    for (const product of products) await product.close()
  }
}

async function compare(
  load: Load,
  { pid }: LocalPostgres,
  [product, older]: readonly Product[],
): Promise<Floor[]> {
  for (const target of older ? [product!, older] : [product!]) await warmUp(load, target)
  const reports: Reports = { product: [], before: [] }
  const measure =
    (name: keyof typeof reports, { address, callers }: Product) =>
    async () => {
      const serverMs = process.cpuUsage()
      const databaseMs = await cpuOfChildren(pid)
      const report = await load.put({ address, callers, connections: CONNECTIONS, seconds })
      requireNoErrors(report)
      const { user, system } = process.cpuUsage(serverMs)
      reports[name].push({
        ...report,
        serverMs: (user + system) / 1_000 / report.operations,
        databaseMs: ((await cpuOfChildren(pid)) - databaseMs) / report.operations,
      })
      return report.perSecond
    }
  const figures = await inRounds<string>(rounds, {
    product: measure('product', product!),
    ...(older && { before: measure('before', older) }),
  })
  for (const { audit } of older ? [product!, older] : [product!]) await audit()
  return show(figures, { product: reports.product.slice(1), before: reports.before.slice(1) })
}

/**
 * Brings a product into the state that it has after a minute: statements are prepared, and their plans are
 * based on filled tables.
 */
async function warmUp(load: Load, { address, callers, database }: Product): Promise<void> {
  requireNoErrors(await load.put({ address, callers, connections: CONNECTIONS, seconds }))
  await database.pool.query('vacuum analyze')
}

function requireNoErrors({ errors }: LoadReport): void {
  if (errors.length > 0) throw new Error(`${errors.length} operations failed, the first: ${errors[0]}`)
}

/** Reports a load with the processor time per operation. */
interface Measured extends LoadReport {
  readonly serverMs: number
  readonly databaseMs: number
}
type Reports = Record<'product' | 'before', Measured[]>

function show(
  { product = [], before: older }: Partial<Record<string, number[]>>,
  reports: Readonly<Reports>,
): Floor[] {
  const ratio = older ? `${medianRatio(product, older).toFixed(2)} of before` : ''
  const p99 = (name: keyof Reports) => reports[name].map(({ p99Ms }) => p99Ms)
  const loadRow = (what: string, name: keyof Reports, figures: readonly number[]) => {
    const ms = (digits: number, value: (report: Measured) => number) =>
      `${median(reports[name].map(value)).toFixed(digits)} ms`
    const times = [
      ms(0, (report) => report.p50Ms),
      ms(0, (report) => report.p99Ms),
      ms(2, (report) => report.serverMs),
      ms(2, (report) => report.databaseMs),
      ms(2, (report) => report.loadMs),
    ]
    return [what, median(figures), ...times, name === 'product' ? ratio : '']
  }
  console.log(
    `${CONNECTIONS} connections, ${callers} members, medians of ${rounds} rounds of ${seconds} s in turns`,
  )
  const rows = [
    loadRow('sign-ins, reads, transfers, orders, savings over HTTP', 'product', product),
    ...(older ? [loadRow('the same, before', 'before', older)] : []),
  ]
  const cpu = ['CPU of the server', 'of the database', 'of the load']
  const head = ['load', 'operations/s', 'p50', 'p99', ...cpu, 'ratio']
  console.log(`${markdownTable(head, rows)}\n`)
  if (!older) return []
  return [
    { name: 'operations a second to those before', value: medianRatio(product, older), atLeast: 1 },
    { name: 'p99 to that before', value: medianRatio(p99('product'), p99('before')), atMost: 1 },
  ]
}
