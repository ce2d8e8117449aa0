import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** 'dayb' as a number: no other advisory lock of this database uses it. */
const DAY_LOCK = 0x64617962

/**
 * Entered by whoever decides something that the settlement of the day goes by - a price, a pause, a cap of a member's own -
 * before any other lock and before looking at the clock; any number may be in at once. Left when the dbTx ends.
 */
export async function enterDay(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${DAY_LOCK})`.execute(dbTx)
}

/** Waits until everybody in has committed: what enters after it finds a later time. In a dbTx of its own. */
export async function awaitDay(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DAY_LOCK})`.execute(dbTx)
}
