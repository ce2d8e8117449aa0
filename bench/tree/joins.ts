import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { Database } from '../../apps/server/src/db/database.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { type Floor, markdownTable } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { POSTGRES } from '../kit/settings.ts'
import type { TreeShape } from '../settlement/forest.ts'
import { FLOOR, FLOOR_TABLES } from './floor.ts'

const CLIENTS = 8
/** The same interval as in the worker of the product. */
const FOLD_EVERY_MS = 2_000
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
/** A work tree of an older version, whose sign-ups are measured alternately, on its own database. */
const before = process.env.BENCH_BEFORE

type SignUp = (sponsorId: bigint, side: 'left' | 'right') => Promise<bigint>

interface Version {
  readonly signUp: SignUp
  /** Folds the appended rows. An older version has nothing to fold. */
  fold(): Promise<void>
  close(): Promise<void>
}

let joined = 0
const nextAddress = () => `0x${(++joined).toString(16).padStart(40, '0')}`

/**
 * Measures sign-ups of one client and of eight against the floor, and against an older version if one is
 * given.
 */
export async function measureJoins(
  url: string,
  services: Services,
  { shape, members }: { shape: TreeShape; members: number },
): Promise<Floor[]> {
  joined = 2 * members
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS })
  // The server may stop before a connection has ended.
  pool.on('error', () => undefined)
  await pool.query(FLOOR_TABLES)
  const versions: { product: Version; before?: Version } = { product: versionOf(services) }
  if (before !== undefined) versions.before = await olderVersion(before, { shape, members })
  const rate = (clients: number, one: () => Promise<unknown>, fold?: () => Promise<void>) => async () => {
    const begun = performance.now()
    const isOver = () => performance.now() - begun > seconds * 1_000
    let done = 0
    const client = async () => {
      for (; !isOver(); done++) await one()
    }
    let folded = Promise.resolve()
    const folding = setInterval(() => {
      folded = folded.then(fold)
    }, FOLD_EVERY_MS)
    await Promise.all(Array.from({ length: clients }, client))
    clearInterval(folding)
    // Folding the rows that a round appended is part of its duration.
    await folded.then(fold)
    return (1_000 * done) / (performance.now() - begun)
  }
  const signUp = (version: Version) => {
    let last = BigInt(members)
    return async () => {
      const random = BigInt(1 + Math.floor(Math.random() * members))
      const side = shape === 'one-leg' || Math.random() < 0.5 ? 'left' : 'right'
      last = await version.signUp(shape === 'one-leg' ? last : random, side)
    }
  }
  const floor = () => pool.query({ name: 'floor', text: FLOOR, values: [++joined] })
  const sets: Record<string, () => Promise<number>> = {}
  for (const clients of [1, CLIENTS]) {
    sets[`floor ${clients}`] = rate(clients, floor)
    for (const [name, version] of Object.entries(versions)) {
      sets[`${name} ${clients}`] = rate(clients, signUp(version), version.fold)
    }
  }
  try {
    return report(shape, await inRounds(rounds, sets))
  } finally {
    await Promise.all([pool.end(), versions.before?.close()])
  }
}

function report(shape: TreeShape, figures: Readonly<Record<string, number[]>>): Floor[] {
  const rows = [1, CLIENTS].map((clients) => {
    const of = (name: string) => figures[`${name} ${clients}`]
    const [floor, product, older] = [of('floor')!, of('product')!, of('before')]
    return [
      ...[`${clients}`, median(floor), older === undefined ? '' : median(older), median(product)],
      medianRatio(product, floor).toFixed(2),
      older === undefined ? '' : medianRatio(product, older).toFixed(2),
    ]
  })
  const head = ['clients', 'floor, a second', 'before', 'sign-ups', 'to the floor', 'to before']
  console.log(`sign-ups, tree: ${shape}\n\n${markdownTable(head, rows)}\n`)
  // In a single leg every sign-up waits for the one before it, because its place is below that one.
  if (shape === 'one-leg') return []
  const many = (name: string) => figures[`${name} ${CLIENTS}`]
  const to = (name: string) => medianRatio(many('product')!, many(name)!)
  return [
    { name: `${shape}: sign-ups of ${CLIENTS} clients to the floor`, value: to('floor'), atLeast: 0.5 },
    ...(many('before') === undefined
      ? []
      : [
          {
            name: `${shape}: sign-ups of ${CLIENTS} clients to those before`,
            value: to('before'),
            atLeast: 4,
          },
        ]),
  ]
}

function versionOf({ db, members }: Services): Version {
  return {
    signUp: async (sponsorId, side) =>
      (await members.join(db, { address: nextAddress(), sponsorId, side })).memberId,
    fold: () => members.fold(db),
    close: async () => undefined,
  }
}

/** Starts an older version on its own database, with the schema of that version. */
async function olderVersion(
  directory: string,
  { shape, members: count }: { shape: TreeShape; members: number },
): Promise<Version> {
  const load = (path: string) => import(pathToFileURL(`${directory}/${path}`).href)
  const [older, { migrateSimulation }, { servicesOn }, { fillTree }] = await Promise.all([
    load('apps/server/src/db/database.ts'),
    load('apps/server/src/db/simulation.ts'),
    load('bench/kit/services.ts'),
    load('bench/tree/fill.ts'),
  ])
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-before-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  await migrateSimulation(server.adminUrl)
  const options = { url: server.adminUrl, max: CLIENTS, applicationName: 'rif-bench-before' }
  const database: Database = older.createDatabase(options)
  await fillTree(database, count, shape)
  const { members } = servicesOn(database) as Services
  return {
    signUp: async (sponsorId, side) => {
      const { memberId } = await older.inTx(database.db, (dbTx: Parameters<typeof members.join>[0]) =>
        members.join(dbTx, { address: nextAddress(), sponsorId, side }),
      )
      return memberId
    },
    fold: async () => undefined,
    close: async () => {
      await database.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
