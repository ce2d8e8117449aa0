import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPlan, MAX_MICROS, type Plan } from '@rif/rules'
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createApp } from '../../apps/server/src/app.ts'
import { createDatabase, type Database, inDbTx } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { auditLedger } from '../../apps/server/src/modules/ledger/ledger.audit.ts'
import { createServices, type ServiceSettings, type Services } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'
import { simulatedChain } from '../../apps/server/src/simulate/simulated-chain.ts'
import { markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { findPgbench, runPgbench } from '../ledger/pgbench.ts'
import { type Caller, KINDS, type Kind, type LoadReport, putLoad, WEIGHTS } from './load.ts'
import { pgbenchScript, recordStatements, type Sent } from './statements.ts'

const CONNECTIONS = 64
const POOL_SIZE = 12
const ROLE = 'rif_app'
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
/** The most statements that an operation may send besides `begin` and `commit`. */
const MOST: Readonly<Record<Kind, number>> = { signIn: 4, read: 5, transfer: 5, order: 12, savings: 8 }
/** The first number of the recorded orders and transfers, by which a script tells them from other numbers. */
const FIRST_ID = 900_000_001n
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const members = Number(process.env.BENCH_MEMBERS ?? 512)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The plan without limits: all transfers of a day would exceed them. */
const PLAN: Plan = {
  ...defaultPlan,
  withdrawal: {
    ...defaultPlan.withdrawal,
    auditAboveMicros: MAX_MICROS,
    dayLimitMicros: defaultPlan.withdrawal.dayLimitMicros.map(() => MAX_MICROS),
  },
  leaving: { ...defaultPlan.leaving, signAboveMicros: MAX_MICROS },
}

// `npm run bench:mixed`: sign-ins, reads, transfers, orders and savings over HTTP, against the statements that the server
// sends for them, run by pgbench.
await runBenchmark('Mixed load', async () => {
  const pgbench = await findPgbench()
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir })
  const database = createDatabase({ url: server.adminUrl, max: POOL_SIZE, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    return await compare(pgbench, server.adminUrl, database)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function compare(pgbench: string, url: string, database: Database) {
  const record = recordStatements(database.pool)
  const services = servicesOn(database)
  const callers = await makeMembers(
    services,
    servicesOn(database, { transfersLimited: false, membersSign: false }),
  )
  const app = await createApp(services, { log: createLogger({ level: 'silent' }), rateLimits: NO_LIMITS })
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const scripts: Script[] = []
    // Neither the first member nor the first ids: a script tells them from other numbers by their values.
    const recorded = callers.at(-2)!
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
      const order = { address, callers: [recorded], connections: 1, seconds: 60, once: kind }
      // Once before: a process that has just started looks up what it then remembers.
      requireNoErrors(await putLoad(order))
      const sent: Sent[] = []
      record.recording = sent
      requireNoErrors(await putLoad(order))
      record.recording = null
      // Counts of rate limits and the edge's lists are written and read by the clock, not by operations.
      const own = sent.filter(({ text }) => !/rate_limits|from "refused_/.test(text))
      const statements = own.filter(({ text }) => !/^(begin|commit)$/.test(text)).length
      scripts.push({ kind, statements, script: await scriptOf(services, kind, own, recorded) })
    }
    const reports: LoadReport[] = []
    const figures = await inRounds(rounds, {
      pgbench: () =>
        runPgbench(pgbench, {
          ...{ url, role: ROLE, clients: CONNECTIONS, seconds, script: '' },
          scripts: scripts.map(({ kind, script }) => ({ script, weight: WEIGHTS[kind] })),
        }),
      product: async () => {
        const report = await putLoad({ address, callers, connections: CONNECTIONS, seconds })
        requireNoErrors(report)
        reports.push(report)
        return report.perSecond
      },
    })
    await requireCleanBooks(database)
    return show(figures, reports.slice(1), scripts)
  } finally {
    await app.close()
  }
}

function requireNoErrors({ errors }: LoadReport): void {
  if (errors.length > 0) throw new Error(`${errors.length} operations failed, the first: ${errors[0]}`)
}

interface Script {
  readonly kind: Kind
  readonly statements: number
  readonly script: string
}

/** The statements of one operation, for random members and with keys of their own. */
async function scriptOf(
  { db }: Services,
  kind: Kind,
  sent: readonly Sent[],
  caller: Caller,
): Promise<string> {
  const ids = await sql<{ address: string; id: bigint }>`
    select address, member_id as id from members where address in (${caller.address.toLowerCase()},
      ${caller.other.toLowerCase()})`.execute(db)
  const idOf = (address: string) => String(ids.rows.find((row) => row.address === address.toLowerCase())!.id)
  const variables = new Map([
    [idOf(caller.address), ':member'],
    [idOf(caller.other), ':other'],
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

function servicesOn(database: Database, settings: Partial<ServiceSettings> = {}): Services {
  return createServices({
    ...{ db: database.db, now: () => new Date(), chain: simulatedChain() },
    log: createLogger({ level: 'silent' }),
    settings: {
      ...{ version: 'bench', publicUrl: 'http://127.0.0.1:8080', browserRpcUrl: '', explorerUrl: null },
      ...{ confirmations: 1, demoWallets: null, signer: NO_SIGNER },
      ...settings,
    },
  })
}

/** Members with wallets, money and sessions; each sends to the next one. */
async function makeMembers(services: Services, unlimited: Services): Promise<Caller[]> {
  const { db, ledger } = services
  await services.plans.ensureDefault(db, PLAN)
  await inDbTx(db, (dbTx) =>
    services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'bench' }),
  )
  const root = await inDbTx(db, (dbTx) => services.members.createRoot(dbTx, `0x${'f'.repeat(40)}`))
  const keys = Array.from({ length: members }, (_, index) => numberToHex(index + 1, { size: 32 }))
  const callers: Caller[] = []
  for (const [index, key] of keys.entries()) {
    const address = privateKeyToAddress(key)
    const { memberId } = await inDbTx(db, (dbTx) =>
      services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
    )
    const at = services.now()
    await ledger.post(db, {
      ...{ key: `gift/${index}`, kind: 'grant', cause: { type: 'bench', id: '1' }, at },
      accountingDay: at.toISOString().slice(0, 10),
      lines: [
        { memberId, asset: 'USDT', source: 'external', destination: 'available', amountMicros: 10n ** 15n },
      ],
    })
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await sql`
      insert into sessions (token_hash, member_id, address, created_at, last_used_at, expires_at)
      values (${hash}, ${memberId}, ${address.toLowerCase()}, now(), now(), now() + interval '1 day')`.execute(
      db,
    )
    const other = privateKeyToAddress(keys[(index + 1) % members]!)
    callers.push({ address, key, token, other, product: `${1 + (index % 5)}` })
  }
  // A first transfer to somebody would be held for review.
  for (const { address, other } of callers) {
    const sender = (await services.members.findByAddress(db, address))!
    const order = { asset: 'USDT', amountMicros: 1_000_000n, address: other } as const
    await inDbTx(db, (dbTx) => unlimited.transfers.transfer(dbTx, sender.memberId, order))
  }
  return callers
}

async function requireCleanBooks({ db }: Database): Promise<void> {
  // pgbench repeats the statements without the decisions between them, so only the ledger's own checks apply.
  const [found] = await auditLedger(db)
  if (found) throw new Error(`the books do not agree: ${found.check} ${found.subject}`)
}

function show(
  figures: Record<'pgbench' | 'product', number[]>,
  reports: readonly LoadReport[],
  scripts: readonly Script[],
) {
  const ratio = medianRatio(figures.product, figures.pgbench)
  const ms = (of: (report: LoadReport) => number) => `${median(reports.map(of)).toFixed(0)} ms`
  console.log(
    `${CONNECTIONS} connections, ${members} members, medians of ${rounds} rounds of ${seconds} s in turns`,
  )
  const statements = scripts.map(({ kind, statements: count }) => [kind, count, `at most ${MOST[kind]}`])
  console.log(`${markdownTable(['operation', 'statements', 'required'], statements)}\n`)
  const rows = [
    ['the same statements, pgbench', median(figures.pgbench), '', '', '', ''],
    [
      ...['sign-ins, reads, transfers, orders, savings over HTTP', median(figures.product)],
      ...[ms((report) => report.p50Ms), ms((report) => report.p99Ms), '0', `${ratio.toFixed(2)} of pgbench`],
    ],
  ]
  console.log(`${markdownTable(['load', 'operations/s', 'p50', 'p99', 'errors', 'ratio'], rows)}\n`)
  return scripts.map(({ kind, statements: count }) => ({
    ...{ name: `statements allowed by statements sent, ${kind}`, value: MOST[kind] / count, atLeast: 1 },
  }))
}
