import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../ledger/ledger.audit.ts'

const NOTHING = sql`decode(repeat('00', 32), 'hex')`

/** Every break of the chain, in its order: what a seal should be, and what it is. */
export const BROKEN_SEALS = sql`
  select * from (
    select s.seq, format('entry %s', s.seq) as subject,
      case
        when s.seq <> s.place then 'entry ' || s.place
        when s.previous <> s.before then encode(s.before, 'hex')
        else encode(admin_action_hash(s.previous, s.seq, a), 'hex')
      end as expected,
      case
        when a.action_id is null then 'no action'
        when s.seq <> s.place then 'entry ' || s.seq
        when s.previous <> s.before then encode(s.previous, 'hex')
        else encode(s.hash, 'hex')
      end as actual
    from (
      select *, row_number() over (order by seq) as place,
        coalesce(lag(hash) over (order by seq), ${NOTHING}) as before
      from admin_seals
    ) as s left join admin_actions as a using (action_id)
    where a.action_id is null or s.seq <> s.place or s.previous <> s.before
      or s.hash <> admin_action_hash(s.previous, s.seq, a)
    union all
    select null, format('action %s', a.action_id), 'a seal', 'none'
    from admin_actions as a left join admin_seals as s using (action_id) where s.seq is null
  ) as broken`

/** That the admins' log is one whole chain. Rules, section 12. */
export const ADMIN_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'admin log',
    sql`select subject, expected, actual from (${BROKEN_SEALS}) as b order by seq nulls last`,
  ),
]
