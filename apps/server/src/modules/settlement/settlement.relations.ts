import { sql } from 'kysely'

/** The days whose settlement began, with the price of AMC that it fixed. */
export const SETTLEMENT_DAYS = sql`(
  select day, state, amc_price_micros from settlement_days
)`
