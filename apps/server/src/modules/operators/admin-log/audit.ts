import { type RawBuilder, sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'

const NOTHING = sql`decode(repeat('00', 32), 'hex')`

const HASH = sql`admin_action_hash(
  s.previous, s.seq, a.action_id, a.actor, a.action, a.subject, a.reason, a.before, a.after, a.acted_at)`

/** The largest number a seal or an action can have. */
export const LAST_NUMBER = 9_223_372_036_854_775_807n

/**
 * Finds every break of the chain after one number and up to another, with the expected and the actual seal.
 * The first seal is compared with the one before it, and all actions between the two ends must have seals, so
 * checking consecutive parts is equivalent to checking the whole.
 */
export const brokenSeals = (after: RawBuilder<bigint>, upTo: RawBuilder<bigint>) => sql`
  select * from (
    select s.seq, format('entry %s', s.seq) as subject,
      case
        when s.seq <> s.place then 'entry ' || s.place
        when s.previous <> s.before then encode(s.before, 'hex')
        else encode(${HASH}, 'hex')
      end as expected,
      case
        when a.action_id is null then 'no action'
        when s.seq <> s.place then 'entry ' || s.seq
        when s.previous <> s.before then encode(s.previous, 'hex')
        else encode(s.hash, 'hex')
      end as actual
    from (
      select *, ${after} + row_number() over (order by seq) as place,
        coalesce(lag(hash) over (order by seq), (select hash from admin_seals where seq = ${after}), ${NOTHING}) as before
      from admin_seals where seq > ${after} and seq <= ${upTo}
    ) as s left join admin_actions as a using (action_id)
    where a.action_id is null or s.seq <> s.place or s.previous <> s.before
      or s.hash <> ${HASH}
    union all
    select null, format('action %s', a.action_id), 'a seal', 'none'
    from admin_actions as a
    where a.action_id > coalesce((select action_id from admin_seals where seq = ${after}), 0)
      and a.action_id <= coalesce((select action_id from admin_seals where seq = ${upTo}), ${sql.lit(LAST_NUMBER)})
      and not exists (select from admin_seals where action_id = a.action_id)
  ) as broken`

/** Checks that the admins' log is one unbroken chain. Rules, section 12. */
export const ADMIN_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'admin log',
    sql`select subject, expected, actual from (${brokenSeals(sql.lit(0n), sql.lit(LAST_NUMBER))}) as b
      order by seq nulls last`,
  ),
]
