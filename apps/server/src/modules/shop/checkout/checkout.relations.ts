import { sql } from 'kysely'

/** The payments in `suspense` that were not released. */
export const SUSPENDED_PAYMENTS = sql`(
  select member_id, tx_hash, log_index, payer, reason, usdt_micros, amc_micros, paid_at
  from unmatched_payments as u
  where not exists (select from suspense_releases as r
    where r.member_id = u.member_id and r.tx_hash = u.tx_hash and r.log_index = u.log_index)
)`
