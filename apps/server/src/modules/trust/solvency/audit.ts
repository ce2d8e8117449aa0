import { type RawBuilder, sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'

/**
 * The postings up to the last closed day, by the day of the chain that contains them; the first day includes
 * all earlier postings.
 */
const CLOSED = sql`select min(day) as first, max(day) as last from ledger_chain_days`

/**
 * The hash of a posting by its columns, equal to `ledger_posting_hash` of its row, which the shards of a
 * cluster do not have.
 */
const POSTING_HASH = sql`sha256(convert_to(json_build_array(
  p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, encode(t.content_digest, 'hex'),
  t.cause_type, t.cause_id, (extract(epoch from t.posted_at) * 1000000)::bigint, t.reverses_seq)::text, 'UTF8'))`

/**
 * Returns the query of the hash of each member after each day with postings, for postings that meet a
 * condition.
 */
const hashesOf = (condition: RawBuilder<unknown>) => sql`
  select member_id, day, ledger_chain_of(part) over (partition by member_id order by day) as hash, postings
  from (
    select p.member_id, greatest(p.accounting_day, closed.first) as day, count(*) as postings,
      string_agg(${POSTING_HASH}, ''::bytea order by p.seq, p.line) as part
    from ledger_postings as p join ledger_transactions as t using (member_id, seq), (${CLOSED}) as closed
    where p.accounting_day <= closed.last and ${condition} group by p.member_id, greatest(p.accounting_day, closed.first)
  ) as days`

const hex = (column: string) => sql`encode(${sql.ref(column)}, 'hex')`

/** Compares the hashes of members, in `hashes`, with the stored ones that meet a condition. */
const memberDifferences = (stored: RawBuilder<unknown>) => sql`
  select format('postings of member %s', member_id) as subject, coalesce(${hex('expected.hash')}, 'none') as expected,
    coalesce(${hex('stored.hash')}, 'none') as actual
  from (select distinct on (member_id) member_id, day, hash from hashes order by member_id, day desc) as expected
  full join (select * from ledger_chain_members where ${stored}) as stored using (member_id)
  where expected.hash is distinct from stored.hash or expected.day is distinct from stored.day`

/** The check that compares the reports with the chain itself; it is not one of the queries below. */
export const ON_CHAIN_CHECK = 'solvency on chain'

/**
 * The checks of the ledger's hash chain and of the published reports (rules, section 13). Changing, adding or
 * removing a posting of a closed day changes the head. An attacker who also rewrites the stored heads cannot
 * rewrite those on chain.
 */
export const SOLVENCY_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'ledger chain',
    sql`with hashes as materialized (${hashesOf(sql`true`)})
      select format('postings up to the end of %s', day) as subject, ${hex('expected.head')} as expected,
        coalesce(${hex('stored.head')}, 'none') as actual
      from (select day, ledger_chain_of(part) over (order by day) as head, postings from (
          select d.day, m.part, coalesce(m.postings, 0) as postings
          from (select generate_series(first::timestamp, last::timestamp, '1 day')::date as day from (${CLOSED}) as c) as d
          left join (select day, sum(postings) as postings,
            string_agg(int8send(member_id) || hash, ''::bytea order by member_id) as part from hashes group by day) as m
            using (day)) as days) as expected
      full join ledger_chain_days as stored using (day)
      where expected.head is distinct from stored.head or expected.postings is distinct from stored.postings
      union all
      ${memberDifferences(sql`true`)}`,
    // Heads of days cover all members, so only the full audit computes them.
    (memberIds) => sql`with hashes as materialized (${hashesOf(sql`p.member_id = any(${memberIds})`)})
      ${memberDifferences(sql`member_id = any(${memberIds})`)}`,
  ),
  auditQuery(
    'solvency report',
    sql`select format('ledger head in the report of %s', r.day) as subject, coalesce(${hex('c.head')}, 'none') as expected,
        ${hex('r.ledger_head')} as actual
      from solvency_days as r left join ledger_chain_days as c using (day)
      where c.head is distinct from r.ledger_head
        -- A report from before the opening is of a day without postings, which is in no chain.
        and not (r.ledger_head = decode(repeat('00', 32), 'hex') and c.day is null
          and r.day < coalesce((select first_day from settlement_start), 'infinity'))
      union all
      select format('leaves in the report of %s', r.day), r.leaves::text, coalesce(g.leaves, 0)::text
      from solvency_days as r join solvency_tops using (day)
      left join (select day, sum(octet_length(leaves) / 56) as leaves from solvency_groups group by day) as g using (day)
      where r.leaves <> coalesce(g.leaves, 0)
      union all
      select format('operators head in the report of %s', r.day), 'an entry of the log', ${hex('r.operators_head')}
      from solvency_days as r where r.operators_head <> decode(repeat('00', 32), 'hex')
        and not exists (select from admin_seals where hash = r.operators_head)`,
  ),
  auditQuery(
    'solvency publication',
    sql`select format('%s of %s on chain', part.name, p.day) as subject, ${hex('part.published')} as expected,
        coalesce(${hex('part.stored')}, 'no report') as actual
      from solvency_publications as p
      left join solvency_days as r on r.day = p.day and r.bank = p.bank,
      lateral (values ('root', p.root, r.root), ('ledger head', p.ledger_head, r.ledger_head),
        ('operators head', p.operators_head, r.operators_head)) as part (name, published, stored)
      where part.published is distinct from part.stored`,
  ),
]
