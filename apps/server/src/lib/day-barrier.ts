import { type Day, dayOf } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Now } from './clock.ts'

/**
 * Enters today for what affects its settlement (a sign-up, a price, a pause, a member's own cap): the settlement
 * of the day waits until the transaction ends. Call it before reading the clock. Throws RL005 if the day is already fixed, which is possible if a clock is set
 * back across midnight.
 */
export async function enterDay(dbTx: Db, now: Now): Promise<void> {
  await sql`select enter_day(${dayOf(now().getTime())}::date)`.execute(dbTx)
}

/** Waits for all that entered a day. Nothing follows once this transaction has inserted the day's row. */
export async function closeDay(dbTx: Db, day: Day): Promise<void> {
  await sql`select close_day(${day}::date)`.execute(dbTx)
}
