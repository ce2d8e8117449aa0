import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { auditLedger } from '../../apps/server/src/modules/ledger/ledger.audit.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { POSTGRES } from '../kit/settings.ts'
import { fillBooks, transferScript } from './books.ts'
import { FLOOR, fillFloor, floorScript } from './floor.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { feePayments, type Load, measureService, poolPayments, transfers } from './service-load.ts'

const CLIENTS = 8
const ROLE = 'rif_app'
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const members = Number(process.env.BENCH_MEMBERS ?? 10_000)

// `npm run bench:ledger`: a bare transfer function and the product's function, measured by pgbench, and the
// ledger service, on a separate durable server.
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
    const bySql = (script: string) => () =>
      runPgbench(pgbench, { url, role: ROLE, script, clients: CLIENTS, seconds })
    await owner.pool.query(FLOOR)
    for (const statement of fillFloor(members)) await owner.pool.query(statement)
    await fillBooks(owner, 1, members)
    const small = await inRounds(rounds, {
      bare: bySql(floorScript(members)),
      pgbench: bySql(transferScript(members)),
      transfers: service(transfers(members)),
      fees: service(feePayments(members)),
      pool: service(poolPayments(members)),
    })
    await fillBooks(owner, members + 1, 10 * members)
    const growth = await inRounds(rounds, {
      small: service(transfers(members)),
      large: service(transfers(10 * members)),
    })
    await requireCleanBooks(owner)
    return report(small, growth)
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

function report(
  small: Record<'bare' | 'pgbench' | 'transfers' | 'fees' | 'pool', number[]>,
  growth: Record<'small' | 'large', number[]>,
): Floor[] {
  const sqlToBare = medianRatio(small.pgbench, small.bare)
  const serviceToBare = medianRatio(small.transfers, small.bare)
  const fees = medianRatio(small.fees, small.transfers)
  const pool = medianRatio(small.pool, small.transfers)
  const grown = medianRatio(growth.large, growth.small)
  const count = members.toLocaleString('en')
  const ratio = (value: number, to: string) => `${value.toFixed(2)} of ${to}`
  const rows = [
    ['a bare transfer function, pgbench', median(small.bare), '', ''],
    [
      'transfers between random members, pgbench',
      median(small.pgbench),
      ratio(sqlToBare, 'the bare function'),
      '0.6',
    ],
    ['the same, ledger service', median(small.transfers), ratio(serviceToBare, 'the bare function'), '0.5'],
    [
      'into the one operator account `fees`, ledger service',
      median(small.fees),
      ratio(fees, 'transfers'),
      '0.9',
    ],
    [
      'into the one pool `commission_pool`, ledger service',
      median(small.pool),
      ratio(pool, 'transfers'),
      '0.5',
    ],
    [`transfers, ${count} of ${(10 * members).toLocaleString('en')} members`, median(growth.small), '', ''],
    [
      `transfers, all ${(10 * members).toLocaleString('en')} members`,
      median(growth.large),
      ratio(grown, 'those'),
      '',
    ],
  ]
  console.log(
    `${CLIENTS} clients, ${count} members, medians of ${rounds} rounds of ${seconds} s in turns, fsync on\n`,
  )
  console.log(`${markdownTable(['load', 'transactions/s', 'ratio', 'at least'], rows)}\n`)
  return [
    { name: 'the product by pgbench to the bare function', value: sqlToBare, atLeast: 0.35 },
    { name: 'the ledger service to the bare function', value: serviceToBare, atLeast: 0.3 },
    { name: 'one operator account to random members', value: fees, atLeast: 0.9 },
    { name: 'one hot pool to random members', value: pool, atLeast: 0.5 },
  ]
}
