import { sql } from 'kysely'

/**
 * The columns of `TRANSFER_DEPARTURES`, for withdrawals: `done` after the payout, `undone` if the amount was
 * returned.
 */
export const WITHDRAWAL_DEPARTURES = sql`(
  select 'withdrawal' as kind, member_id, withdrawal_id as id, asset, amount_micros, fee_micros, worth_micros, recent_micros,
    level, to_address, null::bigint as counterpart_id, reasons, created_at, status = 'Auditing' as is_held,
    status = 'Success' as is_done, status in ('Cancelled', 'Rejected') as is_undone, status, tx_hash,
    case status when 'Success' then claimed_at when 'Rejected' then reviewed_at else cancelled_at end as ended_at,
    claim_expires_at as expires_at, reviewed_by, review_reason, consent_nonce is not null as is_signed
  from withdrawals
)`
