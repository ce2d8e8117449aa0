import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { TABLE_CLASSES } from './table-classes.ts'
import type { DB } from './types.gen.ts'

/**
 * 'cuts' as a number; no other advisory lock of this database uses it. A transaction on several machines takes
 * the shared lock, on the machine where it is open, while it commits on all of them, also in
 * distributed/commit.sql.
 */
export const COMMITTING_LOCK = 0x63757473

/**
 * Longer than most commits. Commits that wait behind the cut continue after this time, which also resolves a
 * cut that waits for a transaction waiting for them.
 */
const LOCK_MS = 200
const PAUSE_MS = 20
/**
 * Longer than Citus takes to complete transactions that a machine had prepared when it died
 * (citus.recover_2pc_interval).
 */
const GIVE_UP_MS = 90_000

/** The error of a lock that was not available in time: lock_not_available. */
const IS_LOCKED = '55P03'

/** A table of members' rows: every machine with shards has a part of it. */
const ON_ALL_MACHINES = Object.keys(TABLE_CLASSES).find((table) => TABLE_CLASSES[table] === 'distributed')!

/** A machine has lost the lock, since Citus closes old connections: the cut has to be made again. */
class LostLock extends Error {}

/** Takes the snapshot of a transaction on every machine. */
type Cut = (snapshot: Kysely<DB>) => Promise<void>

/**
 * Gives `use` a connection of a distributed database without open transactions. Until `cut` has returned, no
 * transaction commits on any machine. `cut` must be the first call in a transaction of the isolation level
 * `repeatable read`, which afterwards sees all machines as of one moment. Throws if transactions remain
 * prepared on a machine.
 */
export function inCut<T>(db: Kysely<DB>, use: (connection: Kysely<DB>, cut: Cut) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    if (!(await hasMachines(connection))) return use(connection, async () => undefined)
    let isLocked = false
    const unlock = async (on: Kysely<DB>) => {
      isLocked = false
      const { rows } = await sql<{ isHeld: boolean }>`
        select public.release_commits(${COMMITTING_LOCK}::bigint) as "isHeld"`.execute(on)
      return rows[0]!.isHeld
    }
    const cut = async (snapshot: Kysely<DB>) => {
      // The only connection to each machine, because the session sets `citus.multi_shard_modify_mode =
      // sequential`.
      await sql`select from ${sql.table(ON_ALL_MACHINES)} limit 1`.execute(snapshot)
      if (!(await unlock(snapshot))) throw new LostLock('a machine did not keep the lock of commits')
    }
    const end = performance.now() + GIVE_UP_MS
    try {
      for (; ; await sleep(PAUSE_MS)) {
        isLocked = true
        try {
          if ((await tryLock(connection)) && !(await hasPrepared(connection)))
            return await use(connection, cut)
        } catch (error) {
          if (!(error instanceof LostLock)) throw error
        }
        if (isLocked) await unlock(connection)
        if (performance.now() > end) throw new Error('transactions stay prepared on a machine, or do not end')
      }
    } finally {
      // A broken connection has lost its lock.
      if (isLocked) await unlock(connection).catch(() => undefined)
    }
  })
}

/**
 * Takes the exclusive session lock on all machines. Returns false if it was not available in time; some may
 * have been taken.
 */
async function tryLock(connection: Kysely<DB>): Promise<boolean> {
  try {
    await connection
      .transaction()
      .setAccessMode('read only')
      .execute(async (dbTx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(dbTx)
        await sql`select public.hold_commits(${COMMITTING_LOCK}::bigint)`.execute(dbTx)
      })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === IS_LOCKED) return false
    throw error
  }
}

/** Returns whether there are several machines: without Citus this function does not exist. */
async function hasMachines(connection: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select to_regproc('run_command_on_workers') is not null as "isKnown"`.execute(connection)
  return rows[0]!.isKnown
}

/** Returns whether a machine has prepared transactions, which a machine that died could not complete. */
async function hasPrepared(connection: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`
    select from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')
    where success and result <> '0'`.execute(connection)
  return rows.length > 0
}
