import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The text 'dayb' as a number, which no other advisory lock of this database uses. */
const DAY_LOCK = 0x64617962

/**
 * Takes a shared lock for a decision that affects the settlement of the day (a price, a pause, a member's own cap). Call it
 * before any other lock and before reading the clock. The lock is released when the dbTx ends.
 */
export async function enterDay(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${DAY_LOCK})`.execute(dbTx)
}

/** Waits until all dbTxs that hold the shared lock have ended: later ones read a later time. Call it in its own dbTx. */
export async function awaitDay(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DAY_LOCK})`.execute(dbTx)
}
