import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deferred } from '../lib/deferred.ts'
import { line } from '../modules/ledger/testing/entries.ts'
import { LOCK_SHARED, lockAlone } from '../modules/savings/savings.repository.ts'
import { isOnCluster } from '../testing/test-database.ts'
import { createDatabase, type Db, inDbTx, inMemberTx } from './database.ts'
import { forRequest } from './lanes.ts'
import { type Read, readTogether } from './read.ts'
import { ledger, useSharedOperations } from './testing/shared-operations.ts'
import { DatabaseUnavailable } from './unavailable.ts'

describe.skipIf(isOnCluster())('operations that wait', () => {
  const { database, entryOf, available, atOnce, move } = useSharedOperations()

  /** Runs `work` while another transaction has what `lock` locks. */
  async function whileLocked(lock: (dbTx: Db) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
    const [isLocked, mayEnd] = [deferred<void>(), deferred<void>()]
    const holding = inDbTx(database().adminDb, async (dbTx) => {
      await lock(dbTx)
      isLocked.resolve()
      await mayEnd.promise
    })
    await isLocked.promise
    await work().finally(() => mayEnd.resolve())
    await holding
  }
  const lockOf = (memberId: bigint) => (dbTx: Db) => ledger.lock(dbTx, { memberIds: [memberId] })

  it('does not wait for a member who is locked elsewhere, nor do those who come after', async () => {
    let slow: Promise<unknown> | undefined
    await whileLocked(lockOf(1n), async () => {
      slow = atOnce([move(1n, 2n, 1n)])
      const companions = atOnce([move(3n, 4n, 1n), move(5n, 6n, 1n)])
      expect(await companions).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
      expect(await atOnce([move(7n, 8n, 1n)])).toMatchObject([{ status: 'fulfilled' }])
    })
    expect(await slow).toMatchObject([{ status: 'fulfilled' }])
  })

  it('lets those pass whose members are free, and each has its turn', async () => {
    const members = Array.from({ length: 12 }, (_, index) => BigInt(index + 20))
    const begun: bigint[] = []
    const round = (from: bigint, to: bigint) => move(from, to, 1n, () => begun.push(from))
    const outcomes = await atOnce(members.map((from, index) => round(from, members[(index + 1) % 12]!)))
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    // Every second one can go with the first; with them in a row it would be one at a time.
    expect(begun.slice(0, 6)).toEqual(members.filter((_, index) => index % 2 === 0))
    expect(begun.slice(6)).toEqual(members.filter((_, index) => index % 2 === 1))
  })

  it('lets transfers through while savings wait for settlement', async () => {
    const save = () =>
      inMemberTx(database().db, { memberId: 1n }, async (dbTx) => {
        await ledger.lockHeads(dbTx, [1n], LOCK_SHARED)
        await readTogether(dbTx, 1n, { balances: ledger.balancesRead })
        await ledger.postWith(dbTx, entryOf('savings_in', line(1n, 'available>savings', 1n)), [])
      })
    let saved: Promise<unknown> | undefined
    await whileLocked(lockAlone, async () => {
      saved = atOnce([save])
      expect(await atOnce([move(3n, 4n, 1n)])).toMatchObject([{ status: 'fulfilled' }])
    })
    expect(await saved).toMatchObject([{ status: 'fulfilled' }])
  })

  it('refuses whose turn does not come, as who finds no connection', async () => {
    const other = createDatabase({ url: database().url, max: 1, limitsOf: 'writes', applicationName: 'test' })
    const only = await other.pool.connect()
    const outcomes = await atOnce([
      move(1n, 2n, 1n, undefined, other.db),
      move(1n, 3n, 1n, undefined, other.db),
    ])
    only.release()
    expect(outcomes.map((one) => (one as PromiseRejectedResult).reason)).toEqual([
      ...[expect.any(DatabaseUnavailable), expect.any(DatabaseUnavailable)],
    ])
    await other.close()
  })

  it('does not begin what a request has given up', async () => {
    const had = await available(3n)
    const request = new AbortController()
    const given = forRequest('writes', request.signal, move(3n, 4n, 1n))
    request.abort()
    await expect(given).rejects.toThrow()
    expect(await available(3n)).toBe(had)
  })

  it('refuses an operation within another one', async () => {
    const [outcome] = await atOnce([move(1n, 2n, 1n, () => move(3n, 4n, 1n)())])
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('second connection') } })
  })

  it('goes on whatever an operation does: reads side by side, leaves meanwhile, or asks after an error', async () => {
    const wait: Read<unknown> = {
      rows: () => sql`select null::bigint as member_id, pg_sleep(0.05)::text as value`,
      parse: () => undefined,
    }
    const outcomes = await atOnce([
      move(1n, 2n, 1n, (dbTx) =>
        Promise.all([
          readTogether(dbTx, 1n, { wait }),
          sleep(10).then(() => readTogether(dbTx, 1n, { wait })),
        ]),
      ),
      move(3n, 4n, 1n, (dbTx) =>
        Promise.all([
          readTogether(dbTx, 3n, { wait }),
          sleep(10).then(() => Promise.reject(new Error('left'))),
        ]),
      ),
      move(5n, 6n, 1n),
    ])
    expect(outcomes).toMatchObject([
      ...[{ status: 'fulfilled' }, { reason: { message: 'left' } }, { status: 'fulfilled' }],
    ])
    const after = await atOnce([
      move(1n, 2n, 1n, async (dbTx) => {
        await sql`select 1 / 0`.execute(dbTx).catch(() => undefined)
        await sql`select 1`.execute(dbTx)
      }),
      move(3n, 4n, 1n),
    ])
    expect(after).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }])
  })
})
