import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, it, vi } from 'vitest'
import { AUDIT_CHECKS } from './audit.ts'
import { withConnection } from './db/connection.ts'
import { auditLedger } from './modules/books/ledger/audit.ts'
import { createTestBooks } from './modules/settlement/testing/test-books.ts'
import { entriesOf, misplaced, startLoad, workersOf } from './testing/cluster-load.ts'
import { backupOf, createTestDatabase, type TestDatabase } from './testing/test-database.ts'

// `npm run test:citus -- --kills`, alone on a cluster whose servers run on this machine, because a killed
// server affects all of its databases.
vi.setConfig({ testTimeout: 600_000 })

const KILLS = 10

/** Makes a commit reach the disk before it is acknowledged, on every machine, as in production. */
async function makeDurable(database: TestDatabase): Promise<void> {
  const name = new URL(database.adminUrl).pathname.slice(1)
  for (const url of inject('databaseServers'))
    await withConnection(url, (client) => client.query(`alter database ${name} set synchronous_commit = on`))
}

/**
 * Kills a process of a server with SIGKILL: the server terminates all others, loses its memory and recovers
 * from its log.
 */
async function kill(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGKILL')
    await client.query('select pg_sleep(1)').catch(() => undefined)
  })
}

/**
 * Waits until every machine answers, and completes transactions that were prepared on one when it died, as
 * the cluster does every minute.
 */
async function recover(database: TestDatabase): Promise<void> {
  const { adminDb, adminUrl } = database
  await vi.waitFor(
    async () => {
      // Each ends what it has begun itself.
      for (const url of [adminUrl, ...workersOf(database)])
        await withConnection(url, (client) => client.query('select recover_prepared_transactions()'))
      await sql`select count(*) from ledger_heads`.execute(adminDb)
    },
    { timeout: 60_000, interval: 200 },
  )
}

describe.runIf(process.env.CITUS_KILLS)('a machine that is killed', () => {
  it('in the middle of transfers loses no acknowledged one', async () => {
    const database = await createTestDatabase({ max: 12, role: 'rif_app' })
    await makeDurable(database)
    const load = await startLoad(database)
    const workers = workersOf(database)
    for (let n = 0; n < KILLS; n++) {
      const before = load.count()
      await vi.waitFor(() => expect(load.count()).toBeGreaterThan(before + 20), { timeout: 60_000 })
      await sleep(Math.random() * 300)
      await kill(workers[n % workers.length]!)
      await recover(database)
    }
    const { acknowledged, refused } = await load.stop()
    await recover(database)
    expect(await load.lost()).toEqual([])
    expect(await auditLedger(database.db, { checks: AUDIT_CHECKS })).toEqual([])
    expect(await misplaced(database)).toEqual([])
    expect(refused).toBeGreaterThan(0)
    process.stdout.write(`${KILLS} kills: ${acknowledged} movements acknowledged, ${refused} refused\n`)
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
    // A day has its orders of the first day and the pools' receipts on it.
    const fill = async (target: typeof books) => {
      for (const asset of ['USDT', 'AMC'] as const) await target.attest(asset, 50_000_000n)
      target.tomorrow()
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
      // Retries like the worker; each connection detects at its first statement that a machine was down.
      const settled = async () => expect(await disturbed.settlement.settle(day)).toMatchObject({})
      await vi.waitFor(settled, { timeout: 60_000, interval: 50 })
      await vi.waitFor(() => Promise.all(Array.from({ length: 12 }, () => disturbed.audit())), {
        timeout: 60_000,
      })
    }
    expect(broken).toBeGreaterThan(KILLS / 3)
    expect(await disturbed.audit()).toEqual([])
    expect(await books.audit()).toEqual([])
    expect(await entriesOf(copy)).toEqual(await entriesOf(world))
    process.stdout.write(`${KILLS} kills, of which ${broken} ended a settlement\n`)
    await Promise.all([copy.close(), world.close()])
  })
})
