import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../apps/server/src/app.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { openSessions } from '../api/members.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { median } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { POSTGRES } from '../kit/settings.ts'
import type { TreeShape } from '../settlement/forest.ts'
import { fillTree } from './fill.ts'
import { measureJoins } from './joins.ts'

const MAX_PAGE_MS = 100
const PAGES = ['me/relation', 'me/tree', 'me/tree?depth=6'] as const
const CALLS = 100
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
/** The member who sends the request is the root, which has all other members below it. */
const members = 1 + Number(process.env.BENCH_MEMBERS ?? 1_000_000)

// `npm run bench -- tree`: the first page of the largest team, and sign-ups of one client and of eight, each in
// its own transaction, in a random tree and in one where each member is placed below the one before.
await runBenchmark('Tree', async () => {
  const floors: Floor[] = []
  for (const shape of ['random', 'one-leg'] as const) floors.push(...(await measureShape(shape)))
  return floors
})

async function measureShape(shape: TreeShape): Promise<Floor[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  const database = createDatabase({ url: server.adminUrl, max: 12, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    await fillTree(database, members, shape)
    process.stderr.write(`${shape}: the tree has grown\n`)
    const services = servicesOn(database)
    const floors = await measurePages(services, shape)
    return [...floors, ...(await measureJoins(services, { shape, members }))]
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measurePages(services: Services, shape: TreeShape): Promise<Floor[]> {
  const log = createLogger({ level: 'silent' })
  const app = await createApp(services, { log, rateLimits: NO_LIMITS })
  const [root] = await openSessions(services, [1n], 1)
  const headers = { authorization: `Bearer ${root!.token}`, 'x-wallet-address': root!.address }
  try {
    await requireWholeTeam(app, headers)
    const rows = []
    const floors: Floor[] = []
    for (const page of PAGES) {
      const times: number[] = []
      for (let call = 0; call < CALLS; call++) times.push(await timeOf(app, `/api/v1/${page}`, headers))
      const sorted = times.toSorted((time, other) => time - other)
      const high = sorted[Math.floor(CALLS * 0.95)]!
      rows.push([`\`${page}\``, median(sorted).toFixed(1), high.toFixed(1), `${MAX_PAGE_MS}`])
      floors.push({ name: `${shape}: ${page}, ms at p95`, value: high, atMost: MAX_PAGE_MS })
    }
    console.log(`${(members - 1).toLocaleString('en')} members below who asks, tree: ${shape}\n`)
    console.log(`${markdownTable(['first page', 'median, ms', '95% within, ms', 'at most'], rows)}\n`)
    return floors
  } finally {
    await app.close()
  }
}

async function requireWholeTeam(app: FastifyInstance, headers: Record<string, string>): Promise<void> {
  const { data } = (await app.inject({ url: '/api/v1/me/tree', headers })).json()
  const size = data.left_team_size_all + data.right_team_size_all
  if (size !== members - 1) throw new Error(`a team of ${size} instead of ${members - 1}`)
}

async function timeOf(app: FastifyInstance, url: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now()
  const answer = await app.inject({ url, headers })
  const time = performance.now() - begun
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return time
}
