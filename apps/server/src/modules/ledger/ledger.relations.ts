import { sql } from 'kysely'

/** The balances of members. */
export const BALANCES = sql`(
  select member_id, asset, account, balance from ledger_balances
)`

/** All postings. */
export const POSTINGS = sql`(
  select member_id, asset, kind, source, destination, amount, accounting_day from ledger_postings
)`

/** The sums of postings by day, kind and accounts. */
export const FLOWS = sql`(
  select accounting_day, kind, asset, source, destination, amount from ledger_flow_sums
)`
