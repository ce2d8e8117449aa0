import { type RawBuilder, sql } from 'kysely'

const columns = (status: RawBuilder<unknown>) => sql`
  'withdrawal' as kind, member_id, withdrawal_id as id, asset, amount_micros, fee_micros, worth_micros, recent_micros,
    level, to_address, null::bigint as counterpart_id, reasons, created_at, ${status} = 'Auditing' as is_held,
    status = 'Success' as is_done, status in ('Cancelled', 'Rejected') as is_undone, ${status} as status, tx_hash,
    case status when 'Success' then claimed_at when 'Rejected' then reviewed_at else cancelled_at end as ended_at,
    claim_expires_at as expires_at, reviewed_by, review_reason, consent_nonce is not null as is_signed
  from withdrawals`

/** A withdrawal waits for a second approval: the signer does not count those that it has. */
const NOT_REVIEWED = sql`status = 'Withdrawable' and signer_refusal = 'not_reviewed'`

/**
 * The columns of `TRANSFER_DEPARTURES`, for withdrawals: `done` after the payout, `undone` if the amount was
 * returned. One that waits for a second approval is held like those under audit.
 */
export const WITHDRAWAL_DEPARTURES = sql`(
  select ${columns(sql`status`)} where (${NOT_REVIEWED}) is not true
  union all
  select ${columns(sql`'Auditing'`)} where signer_refusal is not null and ${NOT_REVIEWED}
)`
