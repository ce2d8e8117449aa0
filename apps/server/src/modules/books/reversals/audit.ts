import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../ledger/audit.ts'

/**
 * Checks that debts equal the amounts advanced for members, and that `shortfall` is never above zero.
 * Decision 22.
 */
export const REVERSAL_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'debt',
    sql`select format('member %s: owes %s', member_id, asset) as subject, coalesce(posted.amount, 0) as expected,
        coalesce(debt.owed_micros, 0) as actual
      from (select member_id, asset, sum(case when kind = 'reversal_advance' then amount else -amount end) as amount
        from ledger_postings
        where (kind = 'reversal_advance' and ledger_account_class(destination) = 'member') or kind = 'debt_repayment'
        group by member_id, asset) as posted
      full join member_debts as debt using (member_id, asset)
      where coalesce(posted.amount, 0) <> coalesce(debt.owed_micros, 0)`,
  ),
  auditQuery(
    'shortfall',
    sql`select format('%s: shortfall', asset) as subject, 'not above 0' as expected, sum(delta) as actual
      from ledger_flow_sums, lateral (values (source, -amount), (destination, amount)) as side (account, delta)
      where account = 'shortfall' group by asset having sum(delta) > 0`,
  ),
]
