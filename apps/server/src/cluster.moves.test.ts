import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { AUDIT_CHECKS } from './audit.ts'
import { auditLedger } from './modules/books/ledger/audit.ts'
import { createLedgerService } from './modules/books/ledger/ledger.service.ts'
import { grant } from './modules/books/ledger/testing/entries.ts'
import { createTestBooks } from './modules/settlement/testing/test-books.ts'
import { entriesOf, misplaced, movable, startLoad, workersOf } from './testing/cluster-load.ts'
import { backupOf, createTestDatabase, type TestDatabase } from './testing/test-database.ts'

// `npm run test:citus -- --kills`, alone on a cluster, because moves use replication slots that others need.
vi.setConfig({ testTimeout: 600_000 })

const DAYS = 4

/**
 * Repeats a move, like the background job of a rebalance: Citus cancels one that waits for deadlocked
 * transactions, and one that returns to a machine before its leftovers there are dropped.
 */
const insist = (move: () => Promise<unknown>): Promise<void> =>
  vi.waitFor(
    async () => {
      await move()
    },
    { timeout: 240_000, interval: 500 },
  )

/** Returns the number of shards of the ledger on each machine that has some. */
async function spread({ adminDb }: TestDatabase): Promise<number[]> {
  const { rows } = await sql<{ shards: number }>`
    select count(*)::integer as shards from citus_shards
    where table_name = 'ledger_heads'::regclass group by nodeport order by nodeport`.execute(adminDb)
  return rows.map(({ shards }) => shards)
}

/** Moves a member's shard to another machine. */
async function moveShardOf(database: TestDatabase, memberId: bigint): Promise<void> {
  await sql`
    select citus_move_shard_placement(own.shardid, own.nodename, own.nodeport, other.nodename, other.nodeport)
    from citus_shards as own, pg_dist_node as other
    where own.shardid = get_shard_id_for_distribution_column('ledger_heads', ${memberId}::bigint)
      and other.shouldhaveshards and other.nodeport <> own.nodeport limit 1`.execute(database.adminDb)
}

describe.runIf(process.env.CITUS_KILLS)('while shards move', () => {
  it('a read of one member does not see leftover rows', async () => {
    const database = await movable(await createTestDatabase({ role: 'rif_app' }))
    const ledger = createLedgerService()
    const available = async () => (await ledger.balances(database.db, 7n)).USDT.available
    for (let moved = 0; moved < 3; moved++) {
      const before = await available()
      await insist(() => moveShardOf(database, 7n))
      // At first the rows are still in place.
      if (moved > 0)
        await insist(() => sql`call citus_cleanup_orphaned_resources()`.execute(database.adminDb))
      await ledger.post(database.db, grant(`gift ${moved}`, 7n, 10n))
      expect(await available()).toBe(before + 10n)
    }
    await database.close()
  })

  it('transfers continue while a machine is removed and another one added', async () => {
    const database = await movable(await createTestDatabase({ max: 12, role: 'rif_app' }))
    const { adminDb } = database
    const before = await spread(database)
    // Transfers that wait for each other's members keep the locks that a move waits for, and Citus cancels
    // the move.
    const load = await startLoad(database, { isApart: true })
    const { hostname, port } = new URL(workersOf(database).at(-1)!)
    const machine = sql`${hostname}, ${Number(port)}::integer`
    await insist(() => sql`select citus_drain_node(${machine})`.execute(adminDb))
    await insist(() => sql`call citus_cleanup_orphaned_resources()`.execute(adminDb))
    const drained = { shards: await spread(database), count: load.count() }
    await insist(() => sql`select citus_remove_node(${machine})`.execute(adminDb))
    await insist(() => sql`select citus_add_node(${machine})`.execute(adminDb))
    await insist(() => sql`select rebalance_table_shards()`.execute(adminDb))
    const { acknowledged, refused } = await load.stop()
    expect(drained.shards).toEqual([before.reduce((sum, shards) => sum + shards)])
    expect(await spread(database)).toEqual(before)
    expect(drained.count).toBeGreaterThan(0)
    expect(acknowledged).toBeGreaterThan(drained.count)
    expect(await load.lost()).toEqual([])
    expect(await auditLedger(database.db, { checks: AUDIT_CHECKS })).toEqual([])
    expect(await misplaced(database)).toEqual([])
    process.stdout.write(`moves: ${acknowledged} movements acknowledged, ${refused} refused\n`)
    await database.close()
  })

  it('a settlement leaves every entry equal to an undisturbed one', async () => {
    const first = '2026-01-26'
    const world = await createTestDatabase({ max: 12, role: 'rif_app' })
    const books = createTestBooks(world, first, 4)
    await books.begin()
    await books.price('AMC', '0.5')
    const ids = [await books.join(null, 'auto')]
    for (let n = 1; n < 40; n++) ids.push(await books.join(ids[(n * 7) % ids.length]!, 'auto'))
    for (const [n, id] of ids.entries()) await books.buy(id, 1 + (n % 4))
    const copy = await movable(await backupOf(world))
    const settleDays = async (target: typeof books, disturb: (n: number) => Promise<void>) => {
      for (let n = 0; n < DAYS; n++) {
        const day = target.today()
        for (const asset of ['USDT', 'AMC'] as const) await target.attest(asset, 50_000_000n)
        target.tomorrow()
        const [outcome] = await Promise.all([target.settlement.settle(day), disturb(n)])
        expect(outcome).toEqual({ settled: true })
      }
    }
    await settleDays(books, async () => undefined)
    const disturbed = createTestBooks(copy, first, 4)
    await settleDays(disturbed, (n) => insist(() => moveShardOf(copy, ids[n]!)))
    expect(await disturbed.audit()).toEqual([])
    expect(await entriesOf(copy)).toEqual(await entriesOf(world))
    await Promise.all([copy.close(), world.close()])
  })
})
