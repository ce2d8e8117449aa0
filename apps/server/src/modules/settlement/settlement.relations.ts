import { sql } from 'kysely'

/** The days whose settlement began. */
export const SETTLEMENT_DAYS = sql`(
  select day, state from settlement_days
)`
