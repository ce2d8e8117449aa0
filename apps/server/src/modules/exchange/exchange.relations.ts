import { sql } from 'kysely'

/** The dividends of each day. */
export const DIVIDEND_DAYS = sql`(
  select day, pool_usdt_micros, pool_amc_micros, usdt_micros, amc_micros, holders from dividend_days
)`
