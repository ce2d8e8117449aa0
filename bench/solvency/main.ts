import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { fillBooks, POSTINGS } from './books.ts'
import { buildReports, measureAudits, measureLoad, measureProofs } from './product.ts'
import { measureTrees, medianTime, ratioOf, type Time } from './tree.ts'
import { measureVerifier } from './verifier.ts'

const MAX_TREE_S = 10
const MAX_MEMORY_MB = 1_024
const MAX_PROOF_MS = 20
const MAX_VERIFIER_S = 10
const MAX_GROWTH = 11
const MAX_OVER_FLOOR = 1.5
const MAX_AUDIT_S = 10
const members = Number(process.env.BENCH_MEMBERS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)

// `npm run bench -- solvency`: trees measured alternately with bare hashing, the published verifier as a
// process, and, on books of a million members, the report of a day, proofs, audits and the public calls under
// load.
await runBenchmark('Solvency', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  try {
    return [...(await compareTrees(folder)), ...(await useBooks(folder))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function compareTrees(folder: string): Promise<Floor[]> {
  const trees = await measureTrees(members, rounds)
  const { times, memoryMb } = await measureVerifier(trees.built, rounds, folder)
  const verifier = medianTime(times)
  const tree = medianTime(trees.tree)
  const overHashes = ratioOf(trees.tree, trees.hashes)
  const overBytes = ratioOf(trees.tree, trees.bytes)
  const tenths = ratioOf(trees.tree, trees.tenth)
  const growth = { wall: 10 * tenths.wall, cpu: 10 * tenths.cpu }
  const row = (what: string, { wall, cpu }: Time, limit = '') => [
    what,
    wall.toFixed(2),
    cpu.toFixed(2),
    limit,
  ]
  console.log(
    `${markdownTable(
      [`${members.toLocaleString('en')} members`, 'by the clock', 'of the processor', 'at most'],
      [
        row('tree, s', tree, `${MAX_TREE_S}`),
        row('as many hashes alone, s', medianTime(trees.bytes)),
        row('as many hashes alone, left as texts, s', medianTime(trees.hashes)),
        row('tree to hashes alone', overBytes, `${MAX_OVER_FLOOR}`),
        row('tree to hashes left as texts', overHashes),
        row('tree to that of a tenth of the members', growth, `${MAX_GROWTH}`),
        ['memory of the process, MB', trees.memoryMb.toFixed(0), '', `${MAX_MEMORY_MB}`],
        row('verifier over all leaves, s', verifier, `${MAX_VERIFIER_S}`),
        ['memory of the verifier, MB', memoryMb.toFixed(0), '', ''],
      ],
    )}\n`,
  )
  return [
    floor('time allowed for the tree to its time', MAX_TREE_S / tree.wall),
    floor('memory allowed to memory', MAX_MEMORY_MB / trees.memoryMb),
    // By the clock, like every limit here. Processor time would include the concurrent work of V8 on the
    // other core.
    floor('ratio allowed to the ratio over hashes alone', MAX_OVER_FLOOR / overBytes.wall),
    floor('growth allowed to growth', MAX_GROWTH / growth.wall),
    floor('time allowed for the verifier to its time', MAX_VERIFIER_S / verifier.wall),
  ]
}

async function useBooks(folder: string): Promise<Floor[]> {
  const dataDir = join(folder, 'database')
  const settings = { shared_buffers: '1GB', max_wal_size: '8GB', work_mem: '64MB' }
  const server = await startPostgres({ dataDir, settings })
  const database = createDatabase({ url: server.adminUrl, max: 8, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    await timed('books filled', () => fillBooks(database, members))
    const building = await timed('reports built', () => buildReports(database))
    const proofs = await timed('proofs', () => measureProofs(database, members))
    const audits = await timed('audits', () => measureAudits(database, members, rounds))
    const load = await timed('load', () => measureLoad(database, members, seconds))
    const proofMs = proofs[Math.floor(proofs.length * 0.95)]!
    const s = (ms: number) => (ms / 1_000).toFixed(1)
    console.log(
      `${markdownTable(
        [`${members.toLocaleString('en')} members with ${POSTINGS} postings each`, 'measured', 'at most'],
        [
          ['postings of a day added to the chain of hashes, s', s(building.chainMs), ''],
          ['books at the end of the day read, s', s(building.readMs), ''],
          ['tree of them, s', s(building.treeMs), ''],
          ['report and leaves stored, s', s(building.storeMs), ''],
          ['proof, median, ms', proofs[proofs.length >> 1]!.toFixed(1), ''],
          ['proof, 95% within, ms', proofMs.toFixed(1), `${MAX_PROOF_MS}`],
          ['load of the machine at the end', loadavg()[0]!.toFixed(1), ''],
          ['audit of changes after 10,000 postings, s', audits.changes.toFixed(1), `${MAX_AUDIT_S}`],
          ['full audit, s', audits.full.wall.toFixed(1), ''],
        ],
      )}\n\n${markdownTable(
        ['over HTTP, 32 connections', 'requests/s', 'p99, ms', 'status 304', 'refused, by status'],
        (['figures', 'conditional', 'proofs'] as const).map((name) => [
          {
            figures: '`/solvency`',
            conditional: '`/solvency`, every second with its tag',
            proofs: '`/solvency/proof`',
          }[name],
          load[name].perSecond,
          load[name].p99Ms,
          `${(load[name].unchanged * 100).toFixed(0)}%`,
          Object.entries(load[name].refused)
            .map(([status, count]) => `${status}: ${count}`)
            .join(', ') || 'none',
        ]),
      )}\n`,
    )
    return [
      floor('time allowed for a proof to its time', MAX_PROOF_MS / proofMs),
      floor('time allowed for an audit of changes to its time', MAX_AUDIT_S / audits.changes),
    ]
  } finally {
    await database.close()
    await server.stop()
  }
}

function floor(name: string, value: number): Floor {
  return { name, value, atLeast: 1 }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await work()
  process.stderr.write(`${what}: ${((performance.now() - begun) / 1_000).toFixed(1)} s\n`)
  return result
}
