import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../apps/server/src/db/database.ts'
import type { SentStatement } from '../../apps/server/src/db/sender.ts'
import { type LocalPostgres, startPostgres } from '../../apps/server/src/local/postgres.ts'
import { cpuOfChildren } from '../kit/processes.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { findPgbench, runPgbench } from '../ledger/pgbench.ts'
import { type Caller, KINDS, type Kind, type Load, type LoadReport, startLoad, WEIGHTS } from './load.ts'
import { type Message, type Product, startProduct, THIS_TREE } from './product.ts'
import { pgbenchScript } from './statements.ts'

const CONNECTIONS = 64
const ROLE = 'rif_app'
/**
 * The largest number of messages that an operation may send to the database, including those of `begin` and
 * `commit`.
 */
const MOST: Readonly<Record<Kind, number>> = { signIn: 4, read: 5, transfer: 5, order: 12, savings: 8 }
/**
 * The first number of the recorded orders and transfers, which lets a script distinguish them from other
 * numbers.
 */
const FIRST_ID = 900_000_001n
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const members = Number(process.env.BENCH_MEMBERS ?? 512)
/** A work tree of an older version, which is measured alternately, on its own database. */
const before = process.env.BENCH_BEFORE

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// `npm run bench:mixed`: sign-ins, reads, transfers, orders and savings over HTTP, compared with the same SQL
// statements run by pgbench.
await runBenchmark('Mixed load', async () => {
  const pgbench = await findPgbench()
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir })
  const load = startLoad()
  const products: Product[] = []
  try {
    products.push(await startProduct(THIS_TREE, server.bySocket(server.adminUrl), members))
    if (before !== undefined) {
      await products[0]!.database.pool.query('create database before')
      const url = Object.assign(new URL(server.adminUrl), { pathname: '/before' }).href
      products.push(await startProduct(before, url, members))
    }
    return await compare(load, pgbench, server, products)
  } finally {
    load.end()
    for (const product of products) await product.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function compare(
  load: Load,
  pgbench: string,
  { adminUrl, bySocket, pid }: LocalPostgres,
  [product, older]: readonly Product[],
) {
  for (const one of older ? [product!, older] : [product!]) await warmUp(load, one)
  const scripts = await recordScripts(load, product!)
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
    ...(older === undefined && {
      pgbench: () =>
        runPgbench(pgbench, {
          ...{ url: bySocket(adminUrl), role: ROLE, clients: CONNECTIONS, seconds, script: '' },
          scripts: scripts.map(({ kind, script }) => ({ script, weight: WEIGHTS[kind] })),
        }),
    }),
    product: measure('product', product!),
    ...(older && { before: measure('before', older) }),
  })
  for (const { audit } of older ? [product!, older] : [product!]) await audit()
  return show(figures, { product: reports.product.slice(1), before: reports.before.slice(1) }, scripts)
}

/**
 * Brings a product into the state that it has after a minute: statements are prepared, and their plans are
 * based on filled tables.
 */
async function warmUp(load: Load, { address, callers, database }: Product): Promise<void> {
  requireNoErrors(await load.put({ address, callers, connections: CONNECTIONS, seconds }))
  await database.pool.query('vacuum analyze')
}

/** Records the statements that a product sends for one operation of each kind, as scripts of pgbench. */
async function recordScripts(
  load: Load,
  { address, callers, database, recorded: record }: Product,
): Promise<Script[]> {
  const scripts: Script[] = []
  // Neither the first member nor the first ids, because a script distinguishes them from other numbers by
  // their values.
  const recorded = callers.at(-2)!
  const once = async (kind: Kind) =>
    requireNoErrors(await load.put({ address, callers: [recorded], connections: 1, seconds: 60, once: kind }))
  // Each connection prepares its own statements, and a single caller always gets the same connection.
  for (const kind of KINDS) await once(kind)
  for (const [table, id] of [
    ['orders', 'order_id'],
    ['transfers', 'transfer_id'],
    ['savings_transfers', 'transfer_id'],
  ] as const) {
    await sql`alter table ${sql.table(table)} alter ${sql.ref(id)} restart with ${sql.lit(FIRST_ID)}`.execute(
      database.db,
    )
  }
  for (const kind of KINDS) {
    const own = await recordShortest(async () => {
      const messages = await record(() => once(kind))
      // The counts of rate limits and the lists of the edge are written and read by timers, not by
      // operations.
      return messages.filter(([first]) => !/rate_limits|from "refused_/.test(first!.text))
    })
    const statements = own.flat()
    // The timeout of a shared transaction. pgbench has none, because its clients wait for each other.
    const run = statements.filter(({ text }) => !text.includes('lock_timeout'))
    const script = await scriptOf(database.db, kind, run, recorded)
    scripts.push({ kind, messages: own.length, statements: statements.length, script })
  }
  return scripts
}

/**
 * Records an operation several times and returns the shortest recording, because an operation gets a
 * connection without prepared statements while a timer's statements use the usual one.
 */
async function recordShortest(record: () => Promise<Message[]>): Promise<Message[]> {
  let shortest = await record()
  for (let more = 0; more < 3; more++) {
    const recorded = await record()
    if (recorded.length < shortest.length) shortest = recorded
  }
  return shortest
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

interface Script {
  readonly kind: Kind
  readonly messages: number
  readonly statements: number
  readonly script: string
}

/** Returns the statements of one operation, for random members and with new keys. */
async function scriptOf(db: Db, kind: Kind, sent: readonly SentStatement[], caller: Caller): Promise<string> {
  const ids = await sql<{ address: string; id: bigint }>`
    select address, member_id as id from members where address in (${caller.address.toLowerCase()},
      ${caller.other.toLowerCase()})`.execute(db)
  const idOf = (address: string) => String(ids.rows.find((row) => row.address === address.toLowerCase())!.id)
  const variables = new Map([
    [idOf(caller.address), ':member'],
    [idOf(caller.other), ':other'],
    [caller.address.toLowerCase(), '(select address from members where member_id = :member)'],
    [caller.other.toLowerCase(), '(select address from members where member_id = :other)'],
  ])
  const [keys, made] = [new Set<string>(), new Set<string>()]
  for (const { text, values } of sent) {
    if (/insert into sign_in_nonces/i.test(text)) variables.set(String(values[0]), ':key')
    for (const value of values) {
      if (typeof value === 'string' && UUID.test(value)) keys.add(value)
      if (typeof value === 'bigint' && value >= FIRST_ID && value < FIRST_ID + 1000n) made.add(`${value}`)
    }
  }
  for (const [index, key] of [...keys].entries()) variables.set(key, `((:key)::bigint + ${index})`)
  for (const [index, id] of [...made].entries()) variables.set(id, `((:key)::bigint + ${index})`)
  if (kind === 'signIn') variables.set('bytes', "sha256(convert_to((:key)::text, 'UTF8'))")
  return `
\\set member random(2, ${members + 1})
\\set other 2 + (:member - 1) % ${members}
\\set key random(1000000000000, 9000000000000000000)
${pgbenchScript(sent, variables)}
`
}

function show(
  { pgbench, product = [], before: older }: Partial<Record<string, number[]>>,
  reports: Readonly<Reports>,
  scripts: readonly Script[],
): Floor[] {
  // A round measures either pgbench or the older version beside the product.
  const [other, of] = pgbench ? [pgbench, 'pgbench'] : [older!, 'before']
  const ratio = `${medianRatio(product, other).toFixed(2)} of ${of}`
  const p99 = (name: keyof Reports) => reports[name].map(({ p99Ms }) => p99Ms)
  const loadRow = (load: string, name: keyof Reports, figures: readonly number[]) => {
    const ms = (digits: number, value: (report: Measured) => number) =>
      `${median(reports[name].map(value)).toFixed(digits)} ms`
    const times = [
      ...[ms(0, (report) => report.p50Ms), ms(0, (report) => report.p99Ms)],
      ...[ms(2, (report) => report.serverMs), ms(2, (report) => report.databaseMs)],
      ms(2, (report) => report.loadMs),
    ]
    return [load, median(figures), ...times, name === 'product' ? ratio : '']
  }
  console.log(
    `${CONNECTIONS} connections, ${members} members, medians of ${rounds} rounds of ${seconds} s in turns`,
  )
  const counts = scripts.map(({ kind, messages, statements }) => [kind, messages, MOST[kind], statements])
  console.log(`${markdownTable(['operation', 'messages', 'at most', 'statements in them'], counts)}\n`)
  const rows = [
    ...(pgbench ? [['the same statements, pgbench', median(pgbench), '', '', '', '', '', '']] : []),
    loadRow('sign-ins, reads, transfers, orders, savings over HTTP', 'product', product),
    ...(older ? [loadRow('the same, before', 'before', older)] : []),
  ]
  const cpu = ['CPU of the server', 'of the database', 'of the load']
  const head = ['load', 'operations/s', 'p50', 'p99', ...cpu, 'ratio']
  console.log(`${markdownTable(head, rows)}\n`)
  return [
    ...scripts.map(({ kind, messages }) => ({
      ...{ name: `messages allowed by messages sent, ${kind}`, value: MOST[kind] / messages, atLeast: 1 },
    })),
    ...(older
      ? [
          { name: 'operations a second to those before', value: medianRatio(product, older), atLeast: 2.5 },
          { name: 'p99 before to p99', value: medianRatio(p99('before'), p99('product')), atLeast: 2 },
        ]
      : []),
  ]
}
