import { sql } from 'kysely'

/** Transfers by their senders: `done` after the arrival, `undone` if the amount was returned. */
export const TRANSFER_DEPARTURES = sql`(
  select 'transfer' as kind, member_id, transfer_id as id, asset, amount_micros, 0::bigint as fee_micros, worth_micros,
    recent_micros, level, null::text as to_address, counterpart_id, reasons, created_at, status = 'Auditing' as is_held,
    status = 'Success' as is_done, status in ('Cancelled', 'Rejected') as is_undone, status, null::text as tx_hash,
    case status when 'Rejected' then reviewed_at else completed_at end as ended_at, null::timestamptz as expires_at,
    reviewed_by, review_reason, consent_nonce is not null as is_signed
  from transfers where direction = 'out'
)`
