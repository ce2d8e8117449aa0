import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { auditLedger } from '../../apps/server/src/modules/books/ledger/audit.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { POSTGRES } from '../kit/settings.ts'
import { fillBooks, transferScript } from './books.ts'
import { FLOOR, fillFloor, floorScript } from './floor.ts'
import { findPgbench, type PgbenchLoad, runPgbench } from './pgbench.ts'
import { installPgledger, PGLEDGER, pgledgerScript } from './pgledger.ts'
import { type Load, measureService, poolPayments, transfers } from './service-load.ts'

const CLIENTS = 8
const ROLE = 'rif_app'
const AT_LEAST = { pgledger: 1.3, bare: 0.35, service: 0.3, pool: 0.5 } as const
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const members = Number(process.env.BENCH_MEMBERS ?? 10_000)
/** The file pgledger.sql of a copy of https://github.com/pgr0ss/pgledger, which is measured too. */
const pgledger = process.env.BENCH_PGLEDGER

// `BENCH_PGLEDGER=FILE npm run bench -- ledger`: a bare transfer function, pgledger and the product's function, measured by
// pgbench, and the ledger service, on a separate durable server.
await runBenchmark('Ledger', async () => {
  const pgbench = await findPgbench()
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  try {
    await migrateSimulation(server.adminUrl)
    return await compare(pgbench, server.adminUrl)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function compare(pgbench: string, url: string): Promise<Floor[]> {
  const options = { url, max: CLIENTS, applicationName: 'rif-bench' }
  const owner = createDatabase(options)
  const app = createDatabase({ ...options, role: ROLE })
  try {
    const service = (load: Load) => () => measureService(app.db, load, CLIENTS, seconds)
    const bySql = (script: string, more: Partial<PgbenchLoad> = {}) => {
      const load = { ...more, url, role: ROLE, script, clients: CLIENTS, seconds }
      return () => runPgbench(pgbench, load)
    }
    await owner.pool.query(FLOOR)
    for (const statement of fillFloor(members)) await owner.pool.query(statement)
    if (pgledger === undefined) console.log('without pgledger, because BENCH_PGLEDGER is not set\n')
    else await installPgledger(owner.pool, { path: pgledger, last: members, role: ROLE })
    await fillBooks(owner, 1, members)
    const peer = { pgledger: bySql(pgledgerScript(members), { schema: PGLEDGER }) }
    const small = await inRounds<string>(rounds, {
      bare: bySql(floorScript(members)),
      ...(pgledger !== undefined && peer),
      sql: bySql(transferScript(members)),
      service: service(transfers(members)),
      pool: service(poolPayments(members)),
    })
    await fillBooks(owner, members + 1, 10 * members)
    const growth = await inRounds(rounds, {
      few: service(transfers(members)),
      many: service(transfers(10 * members)),
    })
    await requireCleanBooks(owner)
    return report({ ...small, ...growth })
  } finally {
    await app.close()
    await owner.close()
  }
}

/** Checks the books: a fast ledger with wrong results is useless. */
async function requireCleanBooks(database: Database): Promise<void> {
  const differences = await auditLedger(database.db)
  if (differences.length > 0) throw new Error(`the books do not agree: ${JSON.stringify(differences[0])}`)
}

function report(figures: Readonly<Record<string, number[]>>): Floor[] {
  const rate = (name: string) => median(figures[name]!)
  const ratio = (name: string, base: string) => medianRatio(figures[name]!, figures[base]!)
  const cells = (name: string, base: string, text: string): Row => [
    rate(name),
    `${ratio(name, base).toFixed(2)} of ${text}`,
  ]
  const [few, many] = [members, 10 * members].map((count) => count.toLocaleString('en'))
  const isWithPeer = figures.pgledger !== undefined
  const rows = [
    ['a bare transfer function, pgbench', rate('bare'), '', ''],
    ...(isWithPeer ? [['pgledger, pgbench', rate('pgledger'), '', '']] : []),
    [
      'transfers between random members, pgbench',
      ...cells('sql', 'bare', 'the bare function'),
      `${AT_LEAST.bare}`,
    ],
    ...(isWithPeer ? [['the same', ...cells('sql', 'pgledger', 'pgledger'), `${AT_LEAST.pgledger}`]] : []),
    ['the same, ledger service', ...cells('service', 'bare', 'the bare function'), `${AT_LEAST.service}`],
    [
      'into the pool `commission_pool`, ledger service',
      ...cells('pool', 'service', 'transfers'),
      `${AT_LEAST.pool}`,
    ],
    [`transfers, ${few} of ${many} members, ledger service`, rate('few'), '', ''],
    [`transfers, all ${many} members, ledger service`, ...cells('many', 'few', 'those'), ''],
  ]
  console.log(
    `${CLIENTS} clients, ${few} members, medians of ${rounds} rounds of ${seconds} s in turns, fsync on\n`,
  )
  console.log(`${markdownTable(['load', 'transactions/s', 'ratio', 'at least'], rows)}\n`)
  const peer = { name: 'transfers by pgbench to pgledger', atLeast: AT_LEAST.pgledger }
  return [
    ...(isWithPeer ? [{ ...peer, value: ratio('sql', 'pgledger') }] : []),
    {
      name: 'transfers by pgbench to the bare function',
      value: ratio('sql', 'bare'),
      atLeast: AT_LEAST.bare,
    },
    {
      name: 'transfers by the ledger service to the bare function',
      value: ratio('service', 'bare'),
      atLeast: AT_LEAST.service,
    },
    { name: 'one hot pool to random members', value: ratio('pool', 'service'), atLeast: AT_LEAST.pool },
  ]
}
