import { type Asset, addDays, type Day } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { LedgerAccount, TransactionKind } from './accounts.ts'

/** The sum that all transactions of a kind moved from one account to another on an accounting day. */
export interface Flow {
  readonly day: Day
  readonly kind: TransactionKind | `${TransactionKind}:reversal`
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly micros: bigint
  readonly postings: number
}

/** The balance of an account over all members; may exceed 64 bits. */
export interface AccountSum {
  readonly account: LedgerAccount
  readonly asset: Asset
  readonly micros: bigint
}

/** The sums that entered and left an account on an accounting day. */
export interface Turnover {
  readonly day: Day
  readonly account: LedgerAccount
  readonly asset: Asset
  readonly inMicros: bigint
  readonly outMicros: bigint
}

interface Range {
  readonly from: Day
  readonly to: Day
}

/** The two sides of a posting. */
const SIDES = sql`lateral (values (destination, true), (source, false)) as side (account, incoming)`

const among = (accounts: readonly string[] | undefined): RawBuilder<unknown> =>
  accounts === undefined ? sql`true` : sql`side.account = any(${accounts}::text[])`

/** Returns the flows of some kinds of transaction by accounting day. Reads daily sums, not postings. */
export async function flows(db: Db, { from, to }: Range, kinds: readonly TransactionKind[]): Promise<Flow[]> {
  const { rows } = await sql<Omit<Flow, 'micros'> & { micros: string }>`
    select accounting_day as day, kind, asset, source, destination, sum(amount)::text as micros,
      sum(postings)::integer as postings
    from ledger_flow_sums
    where accounting_day between ${from}::date and ${to}::date and kind = any(${kinds}::text[])
    group by accounting_day, kind, asset, source, destination
    order by accounting_day, kind, asset, source, destination`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}

/** A movement that the flow table allows for a kind of transaction. A custody appears without its product. */
export interface AllowedFlow {
  readonly kind: TransactionKind
  readonly asset: Asset
  readonly source: string
  readonly destination: string
}

/** Returns the flow table. Rules, section 2. */
export async function flowTable(db: Db): Promise<AllowedFlow[]> {
  const { rows } = await sql<AllowedFlow>`select kind, asset, source, destination from ledger_flows`.execute(
    db,
  )
  return rows
}

/** Returns the balances of accounts at the end of an accounting day, without zeros. */
export async function accountsAtEndOf(
  db: Db,
  day: Day,
  accounts?: readonly LedgerAccount[],
): Promise<AccountSum[]> {
  const { rows } = await sql<Omit<AccountSum, 'micros'> & { micros: string }>`
    select side.account, asset, sum(case when side.incoming then amount else -amount end)::text as micros
    from ledger_flow_sums, ${SIDES}
    where accounting_day < ${addDays(day, 1)}::date and ${among(accounts)}
    group by side.account, asset having sum(case when side.incoming then amount else -amount end) <> 0
    order by side.account, asset`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}

/** Returns the current balances of some or all accounts over all members, without zeros. */
export async function accountsNow(db: Db, accounts?: readonly LedgerAccount[]): Promise<AccountSum[]> {
  const { rows } = await sql<Omit<AccountSum, 'micros'> & { micros: string }>`
    select side.account, asset, sum(case when side.incoming then amount else -amount end)::text as micros
    from ledger_flow_sums, ${SIDES} where ${among(accounts)}
    group by side.account, asset having sum(case when side.incoming then amount else -amount end) <> 0
    order by side.account, asset`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}

/** Returns the turnover of all accounts on each accounting day of a range. */
export async function turnover(db: Db, { from, to }: Range): Promise<Turnover[]> {
  const { rows } = await sql<Omit<Turnover, 'inMicros' | 'outMicros'> & { came: string; went: string }>`
    select accounting_day as day, side.account, asset,
      coalesce(sum(amount) filter (where side.incoming), 0)::text as came,
      coalesce(sum(amount) filter (where not side.incoming), 0)::text as went
    from ledger_flow_sums, ${SIDES}
    where accounting_day between ${from}::date and ${to}::date
    group by accounting_day, side.account, asset order by accounting_day, side.account, asset`.execute(db)
  return rows.map(({ came, went, ...row }) => ({ ...row, inMicros: BigInt(came), outMicros: BigInt(went) }))
}

/**
 * Adds new postings to the daily sums, and payments into pools to the pools' rows. Returns the number of new
 * rows in the sums. Any number of processes may call it at the same time.
 */
export async function foldFlows(db: Db): Promise<bigint> {
  await sql`select ledger_fold_pools()`.execute(db)
  const { rows } = await sql<{ folded: bigint }>`select ledger_fold_flows() as folded`.execute(db)
  return rows[0]!.folded
}
