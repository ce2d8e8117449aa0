import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'

/** The expected postings of each side of a transfer, by its status; one with reasons was held for review. */
const EXPECTED = sql`
  select member_id, transfer_id, step.kind, asset, step.flow, amount_micros as amount
  from transfers, lateral (values
    ('transfer', 'available>clearing', direction = 'out' and status = 'Success'),
    ('transfer', 'clearing>available', direction = 'in'),
    ('transfer_hold', 'available>locked', direction = 'out' and reasons <> '{}'),
    ('transfer_release', 'locked>available', direction = 'out' and reasons <> '{}' and status <> 'Auditing')
  ) as step (kind, flow, applies)
  where step.applies`

const POSTED = sql`
  select p.member_id, t.cause_id::bigint as transfer_id, p.kind, p.asset, p.source || '>' || p.destination as flow, p.amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.cause_type = 'transfer' and p.kind not like '%:reversal'`

/** Compares the members' lists with the ledger, and the two sides of each transfer. Rules, section 10. */
export const TRANSFER_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'transfer',
    sql`select format('member %s transfer %s: %s %s %s', member_id, transfer_id, kind, flow, asset) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e
      full join (${POSTED}) as p using (member_id, transfer_id, kind, asset, flow)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'transfer sides',
    sql`select format('transfer %s', transfer_id) as subject,
        'one out and, once it has arrived, one in, of each other' as expected,
        format('%s rows', count(*)) as actual
      from transfers group by transfer_id
      having count(*) filter (where direction = 'out') <> 1
        or count(*) filter (where direction = 'in') <> count(*) filter (where direction = 'out' and status = 'Success')
        or count(distinct asset) <> 1 or min(amount_micros) <> max(amount_micros)
        or (count(*) = 2
          and (min(member_id) <> min(counterpart_id) or max(member_id) <> max(counterpart_id)))`,
  ),
  auditQuery(
    'transfer hold',
    sql`select format('member %s USDT: held transfers', member_id) as subject,
        coalesce(held.amount, 0) as expected, coalesce(locked.balance, 0) as actual
      from (select member_id, sum(amount_micros) as amount from transfers
        where status = 'Auditing' and asset = 'USDT' group by member_id) as held
      full join (select member_id, balance from ledger_balances
        where account = 'locked' and asset = 'USDT' and balance <> 0) as locked using (member_id)
      where coalesce(held.amount, 0) <> coalesce(locked.balance, 0)`,
  ),
]
