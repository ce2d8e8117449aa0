import { OPEN_WITHDRAWAL_STATUSES } from '@rif/rules'
import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../ledger/ledger.audit.ts'

/** The expected postings of each withdrawal, by its status. */
const EXPECTED = sql`
  select member_id, withdrawal_id, step.kind, asset, step.destination, step.amount
  from withdrawals, lateral (values
    ('withdrawal_request', 'withdrawing', amount_micros, true),
    ('withdrawal_return', 'available', amount_micros, status in ('Rejected', 'Cancelled')),
    ('withdrawal_paid', 'external', amount_micros - fee_micros, status = 'Success'),
    ('withdrawal_paid', 'fees', fee_micros, status = 'Success')
  ) as step (kind, destination, amount, applies)
  where step.applies and step.amount > 0`

const POSTED = sql`
  select member_id, cause_id::bigint as withdrawal_id, asset, destination, amount,
    case kind when 'claim_set_aside' then 'withdrawal_paid' else kind end as kind
  from ledger_standing where cause_type = 'withdrawal'`

/**
 * Compares final claims on chain and paid-out withdrawals, one to one; any other claim is among the unmatched
 * ones.
 */
const UNBOOKED_EVENTS = sql`
  with paid as materialized (
    select tx_hash, member_id::numeric * 18446744073709551616 + withdrawal_id as chain_withdrawal_id
    from withdrawals where status = 'Success'
  ),
  unmatched as materialized (select distinct tx_hash, log_index, true as is_known from unmatched_claims)
  select format('claim %s of withdrawal %s', tx_hash, chain_withdrawal_id) as subject,
    'an event, and a paid-out withdrawal' as expected,
    case when e.tx_hash is null then 'no event' else 'event only' end as actual
  from (select tx_hash, log_index, (args ->> 'withdrawalId')::numeric as chain_withdrawal_id
    from chain_events where name = 'Claimed' and told = 'final') as e
  full join paid as w using (tx_hash, chain_withdrawal_id)
  left join unmatched using (tx_hash, log_index)
  where (w.chain_withdrawal_id is null and is_known is null
    and not exists (select from chain_set_aside as s
      where s.tx_hash = e.tx_hash and s.log_index = e.log_index)) or e.chain_withdrawal_id is null`

/** Checks that withdrawals agree with the ledger, and that no other claim was paid. Rules, section 7. */
export const WITHDRAWAL_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'withdrawal',
    sql`select format('member %s withdrawal %s: %s %s to %s', member_id, withdrawal_id, kind, asset, destination)
          as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e
      full join (${POSTED}) as p using (member_id, withdrawal_id, kind, asset, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery('claim event', UNBOOKED_EVENTS),
  auditQuery(
    'withdrawing',
    sql`select format('member %s %s: open withdrawals', member_id, asset) as subject,
        coalesce(open.amount, 0) as expected, coalesce(held.balance, 0) as actual
      from (select member_id, asset, sum(amount_micros) as amount from withdrawals
        where status = any (${OPEN_WITHDRAWAL_STATUSES}::text[]) group by member_id, asset) as open
      full join (select member_id, asset, balance from ledger_balances where account = 'withdrawing') as held
        using (member_id, asset)
      where coalesce(open.amount, 0) <> coalesce(held.balance, 0)`,
  ),
  auditQuery(
    'unmatched claim',
    sql`select format('claim %s of withdrawal %s', tx_hash, chain_withdrawal_id) as subject,
        'a withdrawal that stood open' as expected, reason as actual
      from unmatched_claims`,
  ),
]
