import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, it, vi } from 'vitest'
import { AUDIT_CHECKS } from './audit.ts'
import { withConnection } from './db/connection.ts'
import { inDbTx } from './db/database.ts'
import { createLogger } from './lib/logger.ts'
import { auditLedger } from './modules/ledger/ledger.audit.ts'
import { createTestBooks } from './modules/settlement/testing/test-books.ts'
import { createServices } from './services.ts'
import { NO_SIGNER } from './signer/protocol.ts'
import { addressOf, simulatedChain } from './simulate/simulated-chain.ts'
import { backupOf, createTestDatabase, type TestDatabase } from './testing/test-database.ts'

// `npm run test:citus -- --kills`, alone on a cluster whose servers run on this machine: a killed server takes all of its databases
// along.
vi.setConfig({ testTimeout: 600_000 })

const KILLS = 10
const USDT = 1_000_000n

/** The addresses of a test database on the machines with members' rows. */
const workersOf = ({ adminUrl }: TestDatabase) =>
  inject('databaseServers')
    .slice(1)
    .map((url) => Object.assign(new URL(url), { pathname: new URL(adminUrl).pathname }).href)

/** Has a commit be on disk before it is acknowledged, on every machine, as it is in production. */
async function makeDurable(database: TestDatabase): Promise<void> {
  const name = new URL(database.adminUrl).pathname.slice(1)
  for (const url of inject('databaseServers'))
    await withConnection(url, (client) => client.query(`alter database ${name} set synchronous_commit = on`))
}

/** Kills a process of a server with SIGKILL: the server ends all others, loses its memory and recovers from its log. */
async function kill(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGKILL')
    await client.query('select pg_sleep(1)').catch(() => undefined)
  })
}

/** Waits until every machine answers, and ends what was prepared on one when it died, as the cluster does by itself every minute. */
async function recover({ adminDb }: TestDatabase): Promise<void> {
  await vi.waitFor(
    async () => {
      await sql`select recover_prepared_transactions()`.execute(adminDb)
      await sql`select count(*) from ledger_heads`.execute(adminDb)
    },
    { timeout: 60_000, interval: 200 },
  )
}

describe.runIf(process.env.CITUS_KILLS)('a machine that is killed', () => {
  it('in the middle of transfers loses none that was acknowledged', async () => {
    const database = await createTestDatabase({ max: 12, role: 'rif_app' })
    await makeDurable(database)
    const { db } = database
    const services = createServices({
      ...{ db, now: () => new Date(), chain: simulatedChain(), log: createLogger({ level: 'silent' }) },
      settings: {
        ...{ version: 'test', publicUrl: 'http://localhost', browserRpcUrl: '', explorerUrl: null },
        ...{
          confirmations: 1,
          demoWallets: null,
          signer: NO_SIGNER,
          membersSign: false,
          transfersLimited: false,
        },
      },
    })
    await services.plans.ensureDefault(db)
    const root = await inDbTx(db, (dbTx) => services.members.createRoot(dbTx, addressOf('root')))
    const members: { memberId: bigint; address: string }[] = []
    for (let n = 0; n < 16; n++) {
      const address = addressOf(`member ${n}`)
      const member = await inDbTx(db, (dbTx) =>
        services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
      )
      const at = services.now()
      await services.ledger.post(db, {
        ...{ key: `gift/${n}`, kind: 'grant', cause: { type: 'test', id: '1' }, at },
        accountingDay: at.toISOString().slice(0, 10),
        lines: [
          {
            ...{ memberId: member.memberId, asset: 'USDT', source: 'external', destination: 'available' },
            amountMicros: 100_000n * USDT,
          },
        ],
      })
      members.push({ memberId: member.memberId, address })
    }
    const acknowledged: { id: bigint; memberId: bigint }[] = []
    let isOver = false
    let failed = 0
    const client = async (n: number) => {
      for (let step = 0; !isOver; step++) {
        const from = members[(n + step) % members.length]!
        const to = members[(n * 3 + step * 5 + 1) % members.length]!
        if (from === to) continue
        const order = { asset: 'USDT', amountMicros: USDT, address: to.address } as const
        try {
          const { transfer_id } = await inDbTx(db, (dbTx) =>
            services.transfers.transfer(dbTx, from.memberId, order),
          )
          acknowledged.push({ id: BigInt(transfer_id), memberId: from.memberId })
        } catch {
          failed++
          await sleep(50)
        }
      }
    }
    const clients = Array.from({ length: 8 }, (_, n) => client(n))
    const workers = workersOf(database)
    for (let n = 0; n < KILLS; n++) {
      const before = acknowledged.length
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), { timeout: 60_000 })
      await sleep(Math.random() * 300)
      await kill(workers[n % workers.length]!)
      await recover(database)
    }
    isOver = true
    await Promise.all(clients)
    await recover(database)
    const { rows } = await sql<{ id: bigint; memberId: bigint }>`
      select transfer_id as id, member_id as "memberId" from transfers where direction = 'out'`.execute(db)
    const stored = new Set(rows.map(({ id, memberId }) => `${memberId}/${id}`))
    expect(acknowledged.filter(({ id, memberId }) => !stored.has(`${memberId}/${id}`))).toEqual([])
    expect(await auditLedger(db, { checks: AUDIT_CHECKS })).toEqual([])
    expect(failed).toBeGreaterThan(0)
    process.stdout.write(`${KILLS} kills: ${acknowledged.length} transfers acknowledged, ${failed} refused\n`)
    await database.close()
  })

  it('in the middle of a settlement leaves every entry equal to an undisturbed run', async () => {
    const first = '2026-01-26'
    const world = await createTestDatabase({ max: 12, role: 'rif_app' })
    const books = createTestBooks(world, first)
    await books.begin()
    await books.price('AMC', '0.5')
    const ids = [await books.join(null, 'auto')]
    for (let n = 1; n < 40; n++) ids.push(await books.join(ids[(n * 7) % ids.length]!, 'auto'))
    for (const [n, id] of ids.entries()) await books.buy(id, 1 + (n % 4))
    const copy = await backupOf(world)
    await makeDurable(copy)
    // A day has its orders of the first day and what the pools got on it.
    const fill = async (one: typeof books) => {
      for (const asset of ['USDT', 'AMC'] as const) await one.attest(asset, 50_000_000n)
      one.tomorrow()
    }
    const days: { readonly day: string; readonly tookMs: number }[] = []
    for (let n = 0; n < KILLS; n++) {
      const day = books.today()
      await fill(books)
      const begun = performance.now()
      expect(await books.settlement.settle(day)).toEqual({ settled: true })
      days.push({ day, tookMs: performance.now() - begun })
    }

    const disturbed = createTestBooks(copy, first)
    const workers = workersOf(copy)
    let broken = 0
    for (const [n, { day, tookMs }] of days.entries()) {
      await fill(disturbed)
      // Somewhere within the time that an undisturbed settlement took.
      const killed = sleep((tookMs * (n + 1)) / (KILLS + 1)).then(() => kill(workers[n % workers.length]!))
      const outcome = await disturbed.settlement.settle(day).catch(() => undefined)
      await killed
      await recover(copy)
      if (outcome?.settled !== true) broken++
      // As the worker does, which tries again; each connection notices at its first statement that a machine was away.
      const settled = async () => expect(await disturbed.settlement.settle(day)).toMatchObject({})
      await vi.waitFor(settled, { timeout: 60_000, interval: 50 })
      await vi.waitFor(() => Promise.all(Array.from({ length: 12 }, () => disturbed.audit())), {
        timeout: 60_000,
      })
    }
    // Times, and numbers of which a killed attempt takes some, differ.
    const entries = async ({ db }: TestDatabase) => {
      const tables = [
        'rewards',
        'reward_days',
        'ledger_balances',
        'ledger_chain_days',
        'settlement_days',
      ] as const
      const found: unknown[] = []
      for (const table of tables) {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
        const texts = rows.map((row) =>
          JSON.stringify(row, (name, value) =>
            /_at$|^reward_id$/.test(name) ? undefined : typeof value === 'bigint' ? `${value}` : value,
          ),
        )
        found.push(table, texts.sort())
      }
      return found
    }
    expect(broken).toBeGreaterThan(KILLS / 3)
    expect(await disturbed.audit()).toEqual([])
    expect(await books.audit()).toEqual([])
    expect(await entries(copy)).toEqual(await entries(world))
    process.stdout.write(`${KILLS} kills, of which ${broken} ended a settlement\n`)
    await Promise.all([copy.close(), world.close()])
  })
})
