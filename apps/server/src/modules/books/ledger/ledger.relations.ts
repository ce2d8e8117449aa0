import { sql } from 'kysely'

/** The balances of members. */
export const BALANCES = sql`(
  select member_id, asset, account, balance from ledger_balances
)`

/** The balances of the pools. */
export const POOLS = sql`(
  select asset, account, balance from ledger_pool_sums
)`

/** All postings. */
export const POSTINGS = sql`(
  select member_id, seq, asset, kind, source, destination, amount, accounting_day from ledger_postings
)`

/** The sums of postings by day, kind and accounts. */
export const FLOWS = sql`(
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_sums
)`

/** All postings with their transactions. What is booked late has an older time and a higher number. */
export const ENTRIES = sql`(
  select p.member_id, p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, p.accounting_day, t.posted_at,
    t.idempotency_key, t.cause_type, t.cause_id
  from ledger_postings as p join ledger_transactions as t on t.member_id = p.member_id and t.seq = p.seq
)`
