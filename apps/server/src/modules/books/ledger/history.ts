import { type Asset, MEMBER_ACCOUNTS, type PaymentAsset } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { LedgerAccount } from './accounts.ts'

/** The reason for a transaction, for example `{type: 'order', id: '17'}`. */
export interface Cause {
  readonly type: string
  readonly id: string
}

/** A transaction of a member's books with the member's own lines. */
export interface HistoryEntry {
  readonly seq: bigint
  readonly kind: string
  readonly key: string
  readonly cause: Cause
  readonly accountingDay: string
  readonly postedAt: Date
  readonly lines: readonly HistoryLine[]
}

export interface HistoryLine {
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
}

export interface HistoryQuery {
  readonly beforeSeq?: bigint | undefined
  readonly afterSeq?: bigint | undefined
  readonly kinds?: readonly string[]
  readonly skippedKinds?: readonly string[]
  /** Posted at or after this time. */
  readonly from?: Date | undefined
  /** Posted before this time. */
  readonly until?: Date | undefined
  readonly match?: HistoryMatch | undefined
  readonly limit: number
}

/** Returns a condition that selects the transactions that meet one of the conditions. */
export interface HistoryMatch {
  readonly kinds: readonly string[]
  readonly causes: readonly Cause[]
  /** The amount of one of the lines. */
  readonly amountMicros: bigint | null
}

interface HistoryRow extends Omit<HistoryEntry, 'cause' | 'lines'> {
  readonly causeType: string
  readonly causeId: string
  readonly lines: readonly [asset: Asset, source: LedgerAccount, destination: LedgerAccount, amount: string][]
}

/** Returns a member's transactions, newest first. */
export async function history(db: Db, memberId: bigint, query: HistoryQuery): Promise<HistoryEntry[]> {
  const before = query.beforeSeq === undefined ? sql`true` : sql`seq < ${query.beforeSeq}`
  const kinds = query.kinds === undefined ? sql`true` : sql`kind = any(${query.kinds}::text[])`
  const after = query.afterSeq === undefined ? sql`true` : sql`seq > ${query.afterSeq}`
  const from = query.from === undefined ? sql`true` : sql`posted_at >= ${query.from}`
  const until = query.until === undefined ? sql`true` : sql`posted_at < ${query.until}`
  const { rows } = await sql<HistoryRow>`
    select t.seq, t.kind, t.idempotency_key as key, t.cause_type as "causeType", t.cause_id as "causeId",
      t.accounting_day as "accountingDay", t.posted_at as "postedAt", p.lines
    from (
      select * from ledger_transactions
      where member_id = ${memberId} and ${before} and ${after} and ${kinds}
        and kind <> all(${query.skippedKinds ?? []}::text[]) and ${from} and ${until}
        and ${matchOf(memberId, query.match, sql`${before} and ${after}`)}
      order by seq desc limit ${query.limit}
    ) as t
    cross join lateral (
      select json_agg(json_build_array(asset, source, destination, amount::text) order by line) as lines
      from ledger_postings where member_id = ${memberId} and seq = t.seq
    ) as p
    order by t.seq desc`.execute(db)
  return rows.map(({ causeType, causeId, lines, ...row }) => ({
    ...row,
    cause: { type: causeType, id: causeId },
    lines: lines.map(([asset, source, destination, amount]) => ({
      asset,
      source,
      destination,
      amountMicros: BigInt(amount),
    })),
  }))
}

function matchOf(
  memberId: bigint,
  match: HistoryMatch | undefined,
  isInRange: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (match === undefined) return sql`true`
  const { kinds, causes, amountMicros } = match
  const ways = [sql`kind = any(${kinds}::text[])`]
  if (causes.length > 0) {
    ways.push(sql`(cause_type, cause_id) in (
      select * from unnest(${causes.map(({ type }) => type)}::text[], ${causes.map(({ id }) => id)}::text[]))`)
  }
  // The lines of the range are read once instead of once per transaction.
  if (amountMicros !== null) {
    ways.push(sql`seq in (select seq from ledger_postings
      where member_id = ${memberId} and ${isInRange} and amount = ${amountMicros}::bigint)`)
  }
  return sql`(${sql.join(ways, sql` or `)})`
}

/**
 * Returns the bounds of the transactions posted in a period: the first, and the number after the last. Between
 * them are others, because what is booked late has an older time and a higher number.
 */
export async function seqBounds(
  db: Db,
  memberId: bigint,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<{ first: bigint; end: bigint }> {
  if (from === undefined && until === undefined) return { first: 1n, end: (await lastSeq(db, memberId)) + 1n }
  const { rows } = await sql<{ first: bigint; end: bigint }>`
    select coalesce(min(seq), 1) as first, coalesce(max(seq) + 1, 1) as end from ledger_transactions
    where member_id = ${memberId} and ${from === undefined ? sql`true` : sql`posted_at >= ${from}`}
      and ${until === undefined ? sql`true` : sql`posted_at < ${until}`}`.execute(db)
  return rows[0]!
}

/** The change of a member's balance of an asset on a UTC day by transactions of one kind, in micro-units. */
export interface DayChange {
  readonly day: string
  readonly kind: string
  readonly asset: PaymentAsset
  /** True for the savings accounts together, false for all other accounts together. */
  readonly isSaved: boolean
  readonly deltaMicros: bigint
}

/**
 * Returns the changes of a member's balances by the UTC day of posting, from a time on, without zeros: the balance at
 * the end of a day is the current one less the later changes.
 */
export async function changesSince(db: Db, memberId: bigint, from: Date): Promise<DayChange[]> {
  const { rows } = await sql<DayChange>`
    select (t.posted_at at time zone 'UTC')::date as day, t.kind, p.asset,
      side.account in ('savings', 'savings_leaving') as "isSaved", sum(side.delta)::bigint as "deltaMicros"
    from ledger_transactions as t
    join ledger_postings as p on p.member_id = t.member_id and p.seq = t.seq
    cross join lateral (values (p.source, -p.amount), (p.destination, p.amount)) as side (account, delta)
    where t.member_id = ${memberId} and t.posted_at >= ${from}
      and side.account = any(${MEMBER_ACCOUNTS}::text[]) and p.asset in ('USDT', 'AMC')
    group by 1, 2, 3, 4 having sum(side.delta) <> 0
    order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Returns the number of a member's last transaction, or 0. */
export async function lastSeq(db: Db, memberId: bigint): Promise<bigint> {
  const row = await db
    .selectFrom('ledger_heads')
    .select('seq')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.seq ?? 0n
}
