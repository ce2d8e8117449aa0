import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deferred } from '../lib/deferred.ts'
import { line } from '../modules/ledger/testing/entries.ts'
import { LOCK_SHARED, lockAlone } from '../modules/savings/savings.repository.ts'
import { isOnCluster } from '../testing/test-database.ts'
import { createDatabase, type Db, inMemberTx, inTx } from './database.ts'
import { forRequest } from './lanes.ts'
import { type Read, readTogether } from './read.ts'
import { ledger, useSharedOperations } from './testing/shared-operations.ts'
import { DatabaseUnavailable } from './unavailable.ts'

describe.skipIf(isOnCluster())('operations that wait', () => {
  const { database, entryOf, available, atOnce, move } = useSharedOperations()

  /** Runs `work` while another transaction has what `lock` locks. */
  async function whileLocked(lock: (dbTx: Db) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
    const [isLocked, mayEnd] = [deferred<void>(), deferred<void>()]
    const holding = inTx(database().adminDb, async (dbTx) => {
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

  /** Has each commit of a write of a member take this long while `work` runs. */
  async function withSlowCommit(memberId: bigint, seconds: number, work: () => Promise<void>): Promise<void> {
    const { adminDb } = database()
    await sql
      .raw(`create function slow_commit() returns trigger language plpgsql as $$
        begin perform pg_sleep(${seconds}); return null; end $$`)
      .execute(adminDb)
    await sql
      .raw(`create constraint trigger slow_commit after insert on idempotency_keys deferrable initially deferred
        for each row when (new.member_id = ${memberId}) execute function slow_commit()`)
      .execute(adminDb)
    await work().finally(() => sql`drop function slow_commit() cascade`.execute(adminDb))
  }
  const isCommitting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
      database().adminDb,
    )
    return rows.length > 0
  }

  it('begins a transaction while the one before commits', async () => {
    // Less than the time after which a slow transaction keeps nobody waiting.
    await withSlowCommit(11n, 0.06, async () => {
      let hasOvertaken = false
      for (let tries = 0; tries < 20 && !hasOvertaken; tries++) {
        const ended: string[] = []
        const slow = atOnce([move(11n, 12n, 1n)]).then(() => ended.push('slow'))
        await sleep(10)
        await atOnce([move(13n, 14n, 1n)]).then(() => ended.push('next'))
        await slow
        hasOvertaken = ended[0] === 'next'
      }
      expect(hasOvertaken).toBe(true)
    })
  })

  it('has an operation wait for the commit of its member, once, and others pass', async () => {
    await withSlowCommit(11n, 0.4, async () => {
      const [had, begun] = [await available(11n), [] as string[]]
      const slow = atOnce([move(11n, 12n, 1n)]).then(() => begun.push('ended'))
      await expect.poll(isCommitting, { interval: 5 }).toBe(true)
      const same = atOnce([move(11n, 15n, 1n, () => begun.push('same'))])
      const other = atOnce([move(13n, 14n, 1n, () => begun.push('other'))])
      expect(await other).toMatchObject([{ status: 'fulfilled' }])
      expect(await same).toMatchObject([{ status: 'fulfilled' }])
      await slow
      expect(begun).toEqual(['other', 'ended', 'same'])
      expect(await available(11n)).toBe(had - 2n)
    })
  })

  it('keeps the members of the first that waits, so that others cannot go before it again and again', async () => {
    await withSlowCommit(11n, 0.2, async () => {
      const begun: string[] = []
      const slow = atOnce([move(11n, 12n, 1n)])
      await expect.poll(isCommitting, { interval: 5 }).toBe(true)
      const first = atOnce([move(11n, 15n, 1n, () => begun.push('first'))])
      const later = atOnce([move(15n, 16n, 1n, () => begun.push('later'))])
      await Promise.all([slow, first, later])
      expect(begun).toEqual(['first', 'later'])
    })
  })

  it('lets others pass when the first has given up, and its members are free', async () => {
    await withSlowCommit(11n, 1.6, async () => {
      const ended: string[] = []
      const slow = atOnce([move(11n, 12n, 1n)]).then(() => ended.push('slow'))
      await expect.poll(isCommitting, { interval: 5 }).toBe(true)
      const first = atOnce([move(11n, 15n, 1n)])
      await sleep(400)
      const later = atOnce([move(15n, 16n, 1n)])
      expect(await first).toMatchObject([{ reason: expect.any(DatabaseUnavailable) }])
      expect(await later).toMatchObject([{ status: 'fulfilled' }])
      expect(ended).toEqual([])
      await slow
    })
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
