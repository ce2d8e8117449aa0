import { type Asset, type Day, MEMBER_ACCOUNTS, type MemberAccount, type Micros } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { BALANCES, ENTRIES, FLOWS, POOLS } from '../../../books/ledger/ledger.relations.ts'
import { SETTLEMENT_DAYS } from '../../../settlement/settlement.relations.ts'

/** A posting in the ledger. */
export interface StatementEntryRow {
  readonly memberId: bigint
  readonly seq: bigint
  readonly line: number
  readonly kind: string
  readonly asset: Asset
  readonly source: string
  readonly destination: string
  readonly amount: Micros
  readonly day: Day
  readonly at: Date
  readonly key: string
  readonly causeType: string
  readonly causeId: string
}

/** The balance of an account of a member. */
export interface Balance {
  readonly asset: Asset
  readonly account: MemberAccount
  readonly micros: Micros
}

/** The sums that entered and left an account over all members. */
export interface AccountTurnover {
  readonly account: string
  readonly asset: Asset
  readonly inMicros: bigint
  readonly outMicros: bigint
}

/** The sum of the postings of one flow; may exceed 64 bits. */
export interface FlowSum {
  readonly kind: string
  readonly asset: Asset
  readonly source: string
  readonly destination: string
  readonly micros: bigint
  readonly postings: bigint
}

/** The number of rows read at a time. */
const FETCHED = 1_000

const ENTRY = sql`member_id as "memberId", seq, line, kind, asset, source, destination, amount, accounting_day as day,
  posted_at as at, idempotency_key as key, cause_type as "causeType", cause_id as "causeId"`
const OWN = sql`${[...MEMBER_ACCOUNTS]}::text[]`
const SIDES = sql`lateral (values (source, -amount), (destination, amount)) as side (account, delta)`

/**
 * The time of transactions from `from`, or from the first on, until `until`, exclusive, or until now. What is
 * booked late has an older time and a higher number, so statements select and sort by the time.
 */
export interface TimeSpan {
  readonly from: Date | null
  readonly until: Date | null
}

const within = ({ from, until }: TimeSpan) =>
  sql`${from === null ? sql`true` : sql`posted_at >= ${from}`} and ${until === null ? sql`true` : sql`posted_at < ${until}`}`

/** Reads a member's postings of a time, in its order. */
export function entriesOf(dbTx: Db, memberId: bigint, span: TimeSpan): AsyncGenerator<StatementEntryRow[]> {
  return fetched<StatementEntryRow>(
    dbTx,
    sql`select ${ENTRY} from ${ENTRIES} as entry
      where member_id = ${memberId} and ${within(span)} order by posted_at, seq, line`,
  )
}

/** Reads the postings of all members of some accounting days, day by day. */
export function entriesOfDays(
  dbTx: Db,
  { from, to }: { from: Day; to: Day },
): AsyncGenerator<StatementEntryRow[]> {
  return fetched<StatementEntryRow>(
    dbTx,
    sql`select ${ENTRY} from ${ENTRIES} as entry
      where accounting_day between ${from}::date and ${to}::date order by accounting_day, member_id, seq, line`,
  )
}

/**
 * Counts the changes of a member's own accounts in a time; a movement between two of them counts twice.
 */
export async function countEntryChanges(db: Db, memberId: bigint, span: TimeSpan): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    select coalesce(sum((source = any(${OWN}))::integer + (destination = any(${OWN}))::integer), 0)::bigint as count
    from ${ENTRIES} as entry
    where member_id = ${memberId} and ${within(span)}`.execute(db)
  return rows[0]!.count
}

/** Returns the sums of a member's postings of a time by account. */
export async function changesOf(db: Db, memberId: bigint, span: TimeSpan): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select side.account, asset, sum(side.delta)::bigint as micros from ${ENTRIES} as entry, ${SIDES}
    where member_id = ${memberId} and ${within(span)} and side.account = any(${OWN})
    group by side.account, asset`.execute(db)
  return rows
}

/** Returns the ledger's balances of a member. */
export async function balancesAt(db: Db, memberId: bigint): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select asset, account, balance as micros from ${BALANCES} as balance
    where member_id = ${memberId} and account = any(${OWN})`.execute(db)
  return rows
}

/** Returns the amounts that entered and left every account up to the end of an accounting day. */
export async function turnoverTo(db: Db, day: Day): Promise<AccountTurnover[]> {
  const { rows } = await sql<{ account: string; asset: Asset; came: string; went: string }>`
    select side.account, asset, coalesce(sum(amount) filter (where side.incoming), 0)::text as came,
      coalesce(sum(amount) filter (where not side.incoming), 0)::text as went
    from ${FLOWS} as flow, lateral (values (destination, true), (source, false)) as side (account, incoming)
    where accounting_day <= ${day}::date
    group by side.account, asset order by asset, side.account`.execute(db)
  return rows.map(({ came, went, ...row }) => ({ ...row, inMicros: BigInt(came), outMicros: BigInt(went) }))
}

/** Reports whether anything was posted for a later accounting day. */
export async function hasLater(db: Db, day: Day): Promise<boolean> {
  const { rows } = await sql`
    select from ${FLOWS} as flow where accounting_day > ${day}::date limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the stored balances, without zeros: of members' accounts, over all members, and of the pools. */
export async function allBalances(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ asset: Asset; account: string; micros: string }>`
    select asset, account, sum(balance)::text as micros from (
      select asset, account, balance from ${BALANCES} as balance
      union all select asset, account, balance from ${POOLS} as pool) as stored
    group by asset, account having sum(balance) <> 0`.execute(db)
  return new Map(rows.map(({ asset, account, micros }) => [`${asset} ${account}`, BigInt(micros)]))
}

/** Returns the sums of the flows of some accounting days, as stored by the ledger. */
export async function flowsOf(db: Db, { from, to }: { from: Day; to: Day }): Promise<FlowSum[]> {
  const { rows } = await sql<Omit<FlowSum, 'micros'> & { micros: string }>`
    select kind, asset, source, destination, sum(amount)::text as micros, sum(postings)::bigint as postings
    from ${FLOWS} as flow where accounting_day between ${from}::date and ${to}::date
    group by kind, asset, source, destination order by kind, asset, source, destination`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}

/** Returns the prices of AMC fixed by settlements, by accounting day. */
export async function settledPrices(db: Db, days: readonly Day[]): Promise<ReadonlyMap<Day, Micros>> {
  const { rows } = await sql<{ day: Day; price: Micros }>`
    select day, amc_price_micros as price from ${SETTLEMENT_DAYS} as settled
    where day = any(${days}::date[]) and amc_price_micros is not null`.execute(db)
  return new Map(rows.map((row) => [row.day, row.price]))
}

/**
 * Runs a query through a cursor of the open transaction, so that memory does not depend on the number of
 * rows.
 */
async function* fetched<Row>(dbTx: Db, query: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  await sql`declare statement_rows no scroll cursor for ${query}`.execute(dbTx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(FETCHED)} from statement_rows`.execute(dbTx)
    if (rows.length > 0) yield rows
    if (rows.length < FETCHED) break
  }
  await sql`close statement_rows`.execute(dbTx)
}
