import { sql } from 'kysely'

/** The transfers into savings and out of savings. */
export const SAVINGS_TRANSFERS = sql`(
  select member_id, asset, day, direction, amount_micros from savings_transfers
)`

/** The batches of savings interest. */
export const SAVINGS_BATCHES = sql`(
  select * from savings_batches
)`
