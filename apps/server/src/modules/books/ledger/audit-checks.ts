import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** A difference between two records of the same fact. Values are texts: micro-units, sequence numbers, digests. */
export interface Difference {
  readonly subject: string
  readonly expected: string
  readonly actual: string
}

/** The changes since an earlier audit. */
export interface Changes {
  /** The members whose ledger changed. */
  readonly memberIds: readonly bigint[]
  /** Every change has this database transaction number or a later one. */
  readonly since: bigint
}

/**
 * A check of the audit. `run` receives a read-only snapshot and returns the differences. `runFor` does the
 * same for changes, without reading the books of other members; checks that compare sums over all members do
 * not have it.
 */
export interface AuditCheck {
  readonly name: string
  readonly run: (db: Db) => Promise<Difference[]>
  readonly runFor?: (db: Db, changes: Changes) => Promise<Difference[]>
}

/** The maximum number of differences that a check reports. */
const MAX_DIFFERENCES = 1000

async function differencesOf(
  db: Db,
  differences: RawBuilder<unknown>,
  tables: RawBuilder<unknown> = sql``,
): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    ${tables} select subject, expected::text as expected, actual::text as actual
    from (${differences}) as difference order by subject limit ${MAX_DIFFERENCES}`.execute(db)
  return rows
}

/**
 * Creates a check from a query of (subject, expected, actual) with one row per difference, and optionally a
 * query that does the same for members in an array of numbers.
 */
export function check(
  name: string,
  differences: RawBuilder<unknown>,
  ofMembers?: (memberIds: RawBuilder<unknown>) => RawBuilder<unknown>,
): AuditCheck {
  const run = (db: Db) => differencesOf(db, differences)
  if (ofMembers === undefined) return { name, run }
  return {
    name,
    run,
    runFor: (db, { memberIds }) => differencesOf(db, ofMembers(sql`${memberIds}::bigint[]`)),
  }
}

/** The relations of a ledger check by member. */
const BY_MEMBER = ['ledger_transactions', 'ledger_postings', 'ledger_balances', 'ledger_heads'] as const

/** Returns the condition that a transaction with this number or a later one wrote a row. */
export function writtenSince(xid: bigint): RawBuilder<unknown> {
  // A row frozen since then is older than two hundred million transactions.
  return sql`age(xmin) <= age((${xid}::bigint % 4294967296)::text::xid)`
}

/** Creates a check as `check` does, for a query that compares each member's rows only with each other. */
function memberCheck(name: string, differences: RawBuilder<unknown>): AuditCheck {
  return {
    ...check(name, differences),
    runFor: (db, changes) => differencesOf(db, differences, tablesOf(changes)),
  }
}

/**
 * Creates a check as `check` does, for a query that compares the lines of each transaction. All members of a
 * transaction are written together, so those of a new one are all among the changed members; those of an old
 * one need not be.
 */
function transactionCheck(name: string, differences: RawBuilder<unknown>): AuditCheck {
  return {
    ...check(name, differences),
    runFor: (db, changes) => differencesOf(db, differences, tablesOf(changes, writtenSince(changes.since))),
  }
}

/**
 * Returns the rows of changed members under the names of the relations; of transactions only those whose rows
 * meet a condition.
 */
function tablesOf({ memberIds }: Changes, entries: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const isChanged = sql`member_id = any(${memberIds}::bigint[])`
  const tables = BY_MEMBER.map((table) => {
    // A view does not have the number of the transaction that wrote a row.
    const isWanted =
      table === 'ledger_transactions'
        ? sql`(member_id, seq) in (select member_id, seq from ledger_entries)`
        : sql`true`
    return sql`${sql.table(table)} as not materialized (
      select * from ${sql.table(`public.${table}`)} where ${isChanged} and ${isWanted})`
  })
  return sql`with ledger_entries as not materialized (select member_id, seq from public.ledger_entries
    where ${isChanged} and idempotency_key is not null and ${entries}), ${sql.join(tables)}`
}

/** Returns each posting as its two sides. */
const SIDES = sql`
  select p.member_id, p.seq, p.asset, p.accounting_day, side.account, side.delta
  from ledger_postings as p,
    lateral (values (p.source, -p.amount), (p.destination, p.amount)) as side (account, delta)`

const LINES_OF_TRANSACTION = sql`
  select t.idempotency_key, t.content_digest, t.kind, t.cause_type, t.cause_id,
    p.line, p.member_id, p.asset, p.source, p.destination, p.amount
  from ledger_transactions as t join ledger_postings as p using (member_id, seq)`

/** Returns the lines of a member's part of a transaction as one text, for comparison. */
const linesAsText = (alias: string, source: string, destination: string) => sql`(
  select string_agg(concat_ws(' ', asset, ${sql.ref(source)}, ${sql.ref(destination)}, amount), ','
    order by asset, ${sql.ref(source)}, ${sql.ref(destination)}, amount)
  from ledger_postings where member_id = ${sql.ref(`${alias}.member_id`)} and seq = ${sql.ref(`${alias}.seq`)})`

/** Recomputes the books from the postings. Rules, section 2. */
export const LEDGER_CHECKS: readonly AuditCheck[] = [
  memberCheck(
    'balance',
    sql`select format('member %s %s %s', member_id, asset, account) as subject,
        coalesce(fold.balance, 0) as expected, coalesce(stored.balance, 0) as actual
      from (select member_id, asset, account, sum(delta) as balance from (${SIDES}) as side
        where ledger_account_class(account) = 'member' group by member_id, asset, account) as fold
      full join ledger_balances as stored using (member_id, asset, account)
      where coalesce(fold.balance, 0) <> coalesce(stored.balance, 0)`,
  ),
  check(
    'pool',
    sql`select format('%s %s', account, asset) as subject,
        coalesce(fold.balance, 0) as expected, coalesce(stored.balance, 0) as actual
      from (select account, asset, sum(delta) as balance from (${SIDES}) as side
        where ledger_account_class(account) = 'pool' group by account, asset) as fold
      full join ledger_pool_sums as stored using (account, asset)
      where coalesce(fold.balance, 0) <> coalesce(stored.balance, 0)`,
  ),
  check(
    'pool day',
    sql`select format('%s %s %s', account, asset, accounting_day) as subject,
        coalesce(fold.amount, 0) as expected, coalesce(stored.amount, 0) as actual
      from (select account, asset, accounting_day, sum(delta) as amount from (${SIDES}) as side
        where ledger_account_class(account) = 'pool' group by account, asset, accounting_day) as fold
      full join ledger_pool_day_sums as stored using (account, asset, accounting_day)
      where coalesce(fold.amount, 0) <> coalesce(stored.amount, 0)`,
  ),
  check(
    'shares held',
    sql`select format('%s of all members', asset) as subject,
        coalesce(fold.held, 0) as expected, coalesce(stored.held, 0) as actual
      from (select asset, sum(delta) as held from (${SIDES}) as side
        where asset in ('DIV', 'VC') and ledger_account_class(account) = 'member' group by asset) as fold
      full join (select asset, sum(held) as held from ledger_shares group by asset) as stored using (asset)
      where coalesce(fold.held, 0) <> coalesce(stored.held, 0)`,
  ),
  memberCheck(
    'sequence',
    sql`select format('member %s: head, and number and last of the transactions', member_id) as subject,
        concat_ws(' ', head.seq, head.seq, head.seq) as expected,
        concat_ws(' ', coalesce(head.seq, 0), coalesce(posted.count, 0), coalesce(posted.last, 0)) as actual
      from (select member_id, count(*) as count, max(seq) as last from ledger_transactions group by member_id) as posted
      full join ledger_heads as head using (member_id)
      where (coalesce(posted.count, 0), coalesce(posted.last, 0)) is distinct from (head.seq, head.seq)`,
  ),
  memberCheck(
    'transaction',
    sql`select format('member %s transaction %s: kind and day of its postings', member_id, seq) as subject,
        concat_ws(' ', t.kind, t.accounting_day) as expected, concat_ws(' ', p.kind, p.accounting_day) as actual
      from ledger_transactions as t full join ledger_postings as p using (member_id, seq)
      where (t.kind, t.accounting_day) is distinct from (p.kind, p.accounting_day)`,
  ),
  transactionCheck(
    'content',
    sql`select format('transaction %s: digest of its lines', idempotency_key) as subject,
        encode(content_digest, 'hex') as expected, encode(found, 'hex') as actual
      from (select idempotency_key, content_digest, ledger_content_digest(kind, cause_type, cause_id,
          array_agg(member_id order by line), array_agg(asset order by line), array_agg(source order by line),
          array_agg(destination order by line), array_agg(amount order by line)) as found
        from (${LINES_OF_TRANSACTION}) as lines
        group by idempotency_key, content_digest, kind, cause_type, cause_id) as digests
      where found is distinct from content_digest`,
  ),
  transactionCheck(
    'clearing',
    sql`select format('transaction %s: clearing of %s', idempotency_key, asset) as subject,
        0 as expected, sum(delta) as actual
      from (${SIDES}) as side join ledger_transactions using (member_id, seq)
      where account = 'clearing' group by idempotency_key, content_digest, asset having sum(delta) <> 0`,
  ),
  memberCheck(
    'flow',
    sql`select format('member %s transaction %s line %s', member_id, seq, line) as subject,
        'a flow of ' || kind as expected, concat_ws(' ', asset, source, '>', destination) as actual
      from ledger_postings where not ledger_flow_allowed(kind, asset, source, destination)`,
  ),
  memberCheck(
    'reversal',
    sql`select format('member %s transaction %s', r.member_id, r.seq) as subject,
        concat_ws(' ', o.kind || ':reversal', ${linesAsText('o', 'destination', 'source')}) as expected,
        concat_ws(' ', r.kind, ${linesAsText('r', 'source', 'destination')}) as actual
      from ledger_transactions as r
      left join ledger_transactions as o on o.member_id = r.member_id and o.seq = r.reverses_seq
      where (r.reverses_seq is not null or r.kind like '%:reversal') and (o.kind || ':reversal', ${linesAsText('o', 'destination', 'source')})
        is distinct from (r.kind, ${linesAsText('r', 'source', 'destination')})`,
  ),
  check(
    'negative',
    sql`select format('member %s %s %s', member_id, asset, account) as subject,
        'not below 0' as expected, balance as actual
      from ledger_balances where balance < 0 and ledger_account_class(account) = 'member'
      union all
      select format('%s %s', account, asset), 'not below 0', sum(delta)
      from ledger_flow_sums, lateral (values (source, -amount), (destination, amount)) as side (account, delta)
      where ledger_account_class(account) in ('operator', 'pool') group by account, asset having sum(delta) < 0`,
  ),
  memberCheck(
    'sum',
    // Only members' accounts have balances; movements to and from the other accounts are checked through the
    // postings.
    sql`select format('member %s %s: all accounts', member_id, asset) as subject, 0 as expected, sum(amount) as actual
      from (select member_id, asset, balance as amount from ledger_balances
        union all select member_id, asset, delta from (${SIDES}) as side
          where ledger_account_class(account) <> 'member') as held
      group by member_id, asset having sum(amount) <> 0`,
  ),
]
