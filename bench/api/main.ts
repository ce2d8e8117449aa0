import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { createApp } from '../../apps/server/src/app.ts'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { type Figures, measure } from './load.ts'
import { type Caller, giveHistory, growTree, openSessions, settleTables } from './members.ts'

const CONNECTIONS = 32
const POOL_SIZE = 8
const CALLERS = 256
const BARE = '/member'
const ME = '/api/v1/me'
const WARM_UP_SECONDS = 10
const LEAST_RATIO = 0.5
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const members = Number(process.env.BENCH_MEMBERS ?? 2_000)

// `npm run bench -- api`: the complete `GET me` (session, limits, 45 fields from every module, validated against
// the schema), compared with a bare Fastify route that returns one row of one prepared SELECT.
await runBenchmark('API', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir })
  try {
    await migrateSimulation(server.adminUrl)
    return await withDatabase(server.adminUrl, compare)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function withDatabase<T>(url: string, run: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url, max: POOL_SIZE, applicationName: 'rif-bench' })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

async function compare(database: Database): Promise<Floor[]> {
  const services = servicesOn(database)
  const log = createLogger({ level: 'silent' })
  const app = await createApp(services, { log, rateLimits: NO_LIMITS })
  const bare = bareApp(database)
  const ids: bigint[] = []
  const p99: Record<string, number[]> = {}
  const rate =
    (name: string, target: FastifyInstance, path: string, callers: readonly Caller[]) => async () => {
      const figures: Figures = await measure(target, path, callers, { connections: CONNECTIONS, seconds })
      p99[name] = [...(p99[name] ?? []), figures.p99Ms]
      return figures.perSecond
    }
  try {
    const few = await callersAmong(database, services, ids, members)
    // The more code there is, the longer it takes until all of it is compiled. A server runs for days, so
    // compilation is not part of the comparison.
    for (const [target, path] of [[bare, BARE] as const, [app, ME] as const]) {
      await measure(target, path, few, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS })
    }
    const small = await inRounds(rounds, {
      bare: rate('bare', bare, BARE, few),
      me: rate('me', app, ME, few),
    })
    const many = await callersAmong(database, services, ids, 10 * members)
    const growth = await inRounds(rounds, {
      few: rate('few', app, ME, few),
      many: rate('many', app, ME, many),
    })
    return report({ ...small, ...growth }, p99)
  } finally {
    await Promise.all([app.close(), bare.close()])
  }
}

/** The minimum work of any such route. */
function bareApp({ pool }: Database): FastifyInstance {
  const app = Fastify()
  app.get(BARE, async (request) => {
    const values = [request.headers['x-wallet-address']]
    const text = `select address, invite_code, level, state, invited_valid, (
        select invited_no from members as last where last.sponsor_id = members.member_id order by last.member_id desc limit 1
      ) as joined from members where address = $1`
    const { rows } = await pool.query({ name: 'member', text, values })
    return rows[0]
  })
  return app
}

async function callersAmong(
  database: Database,
  services: Services,
  ids: bigint[],
  count: number,
): Promise<Caller[]> {
  const oldCount = ids.length
  await services.plans.ensureDefault(database.db)
  await growTree(services, ids, count)
  await giveHistory(services, ids.slice(oldCount))
  const callers = await openSessions(services, ids, CALLERS)
  await settleTables(database)
  return callers
}

function report(
  figures: Record<'bare' | 'me' | 'few' | 'many', number[]>,
  p99: Record<string, number[]>,
): Floor[] {
  const ratio = medianRatio(figures.me, figures.bare)
  const grown = medianRatio(figures.many, figures.few)
  const row = (what: string, name: keyof typeof figures, ratios: string, atLeast: string) =>
    [what, median(figures[name]), `${median(p99[name]!.slice(1))} ms`, ratios, atLeast] as const
  const small = members.toLocaleString('en')
  const large = (10 * members).toLocaleString('en')
  console.log(
    `${CONNECTIONS} connections, pool of ${POOL_SIZE}, medians of ${rounds} rounds of ${seconds} s in turns\n`,
  )
  const rows = [
    row('bare route, one prepared SELECT', 'bare', '', ''),
    row(`\`GET me\`, ${small} members`, 'me', `${ratio.toFixed(2)} of bare`, `${LEAST_RATIO}`),
    row(`\`GET me\`, the same callers among ${large} members`, 'few', '', ''),
    row(`\`GET me\`, callers of all ${large} members`, 'many', `${grown.toFixed(2)} of those`, ''),
  ]
  console.log(`${markdownTable(['route', 'requests/s', 'p99', 'ratio', 'at least'], rows)}\n`)
  return [{ name: 'GET me to the bare route', value: ratio, atLeast: LEAST_RATIO }]
}
