import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../ledger/ledger.audit.ts'

/** The postings of each side of a transfer. */
const POSTED = sql`
  select p.member_id, t.cause_id::bigint as transfer_id, p.asset, p.amount,
    case when p.source = 'available' then 'out' else 'in' end as direction
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.cause_type = 'transfer' and p.kind = 'transfer'`

/** Compares the members' lists with the ledger, and the two sides of each transfer. Rules, section 10. */
export const TRANSFER_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'transfer',
    sql`select format('member %s transfer %s: %s %s', member_id, transfer_id, direction, asset) as subject,
        coalesce(row_side.amount_micros, 0) as expected, coalesce(posted.amount, 0) as actual
      from transfers as row_side
      full join (${POSTED}) as posted using (member_id, transfer_id, direction, asset)
      where coalesce(row_side.amount_micros, 0) <> coalesce(posted.amount, 0)`,
  ),
  auditQuery(
    'transfer sides',
    sql`select format('transfer %s', transfer_id) as subject, 'one out and one in, of each other' as expected,
        format('%s rows', count(*)) as actual
      from transfers group by transfer_id
      having count(*) <> 2 or count(distinct direction) <> 2 or count(distinct asset) <> 1
        or min(amount_micros) <> max(amount_micros) or min(member_id) <> min(counterpart_id)
        or max(member_id) <> max(counterpart_id)`,
  ),
]
