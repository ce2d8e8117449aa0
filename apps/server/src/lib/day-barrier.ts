import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Now } from './clock.ts'

/**
 * Enters today for a decision that affects its settlement (a price, a pause, a member's own cap), as a sign-up does: whoever fixes the day waits
 * until the dbTx ends. Call it before any other lock and before reading the clock. Throws RL005 when the day is fixed already, which a clock
 * that goes back over midnight can make today again.
 */
export async function enterDay(dbTx: Db, now: Now): Promise<void> {
  await sql`select enter_members_day(${dayOf(now().getTime())}::date)`.execute(dbTx)
}
