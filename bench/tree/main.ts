import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../apps/server/src/app.ts'
import { createDatabase, type Database, inDbTx } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { openSessions } from '../api/members.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import type { TreeShape } from '../settlement/forest.ts'
import { fillTree } from './fill.ts'
import { FLOOR, FLOOR_TABLES } from './floor.ts'

const MAX_PAGE_MS = 100
const PAGES = ['me/relation', 'me/tree', 'me/tree?depth=6'] as const
const CALLS = 100
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
/** So many are below the member who asks: the root's are all but itself. */
const members = 1 + Number(process.env.BENCH_MEMBERS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

// `npm run bench:tree`: the first page of the largest team, and sign-ups one after the other, each in a transaction, in a
// random tree and in one where everybody stands below the one before, against inserting the same rows alone.
await runBenchmark('Tree', async () => {
  const floors: Floor[] = []
  for (const shape of ['random', 'one-leg'] as const) floors.push(...(await measureShape(shape)))
  return floors
})

async function measureShape(shape: TreeShape): Promise<Floor[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } })
  const database = createDatabase({ url: server.adminUrl, max: 4, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    await fillTree(database, members, shape)
    process.stderr.write(`${shape}: the tree has grown\n`)
    const services = servicesOn(database)
    const floors = await measurePages(services, shape)
    await measureJoins(database, services, shape)
    return floors
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
      const sorted = times.toSorted((one, other) => one - other)
      const high = sorted[Math.floor(CALLS * 0.95)]!
      rows.push([`\`${page}\``, median(sorted).toFixed(1), high.toFixed(1), `${MAX_PAGE_MS}`])
      floors.push({ name: `${shape}: ${page}, time allowed to time`, value: MAX_PAGE_MS / high, atLeast: 1 })
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

async function measureJoins(database: Database, services: Services, shape: TreeShape): Promise<void> {
  await database.pool.query(FLOOR_TABLES)
  let joined = members
  let last = BigInt(members)
  const address = () => `0x${(++joined).toString(16).padStart(40, '0')}`
  const perSecond = (one: () => Promise<unknown>) => async () => {
    const begun = performance.now()
    let done = 0
    while (performance.now() - begun < seconds * 1_000) {
      await one()
      done++
    }
    return (1_000 * done) / (performance.now() - begun)
  }
  const figures = await inRounds(rounds, {
    floor: perSecond(() => database.pool.query({ name: 'floor', text: FLOOR, values: [++joined] })),
    product: perSecond(async () => {
      const random = BigInt(1 + Math.floor(Math.random() * members))
      const side = shape === 'one-leg' || Math.random() < 0.5 ? 'left' : 'right'
      const sponsorId = shape === 'one-leg' ? last : random
      const member = await inDbTx(database.db, (dbTx) =>
        services.members.join(dbTx, { address: address(), sponsorId, side }),
      )
      last = member.memberId
    }),
  })
  const ratio = medianRatio(figures.product, figures.floor)
  const rows = [
    ['a member, a leg and a place inserted, no more', median(figures.floor), ''],
    [`sign-ups, tree: ${shape}`, median(figures.product), `${ratio.toFixed(2)} of those`],
  ]
  console.log(`${markdownTable(['one after the other', 'a second', 'ratio'], rows)}\n`)
}
