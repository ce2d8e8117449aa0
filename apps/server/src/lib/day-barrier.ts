import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Now } from './clock.ts'

/**
 * Enters today for a decision that affects its settlement (a price, a pause, a member's own cap), like a
 * sign-up: the settlement of the day waits until the transaction ends. Call it before any other lock and
 * before reading the clock. Throws RL005 if the day is already fixed, which is possible if a clock is set
 * back across midnight.
 */
export async function enterDay(dbTx: Db, now: Now): Promise<void> {
  await sql`select enter_members_day(${dayOf(now().getTime())}::date)`.execute(dbTx)
}
