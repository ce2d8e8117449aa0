import type { Asset, PaymentAsset } from '@rif/rules'
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { LedgerAccount, LedgerLine, PoolAccount, TransactionKind } from './accounts.ts'

export async function callReserve(
  db: Db,
  account: PoolAccount,
  asset: PaymentAsset,
  amountMicros: bigint,
): Promise<void> {
  await db.executeQuery(
    CompiledQuery.raw('select ledger_reserve($1, $2, $3)', [account, asset, amountMicros]),
  )
}

export async function callLock(
  db: Db,
  pools: readonly PoolAccount[],
  memberIds: readonly bigint[],
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select ledger_lock($1, $2)', [pools, memberIds]))
}

export async function callOpenCustody(db: Db, productId: bigint): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select ledger_open_custody($1)', [productId]))
}

/** Members' balances as texts, in the order of `LEDGER_SLOTS`. */
export const balancesOf = (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> => sql`
  select member_id, balances::text[] as value
  from ledger_heads where member_id = any (${memberIds})`

/** Returns the free balances of a pool, including payments that are not folded into its row yet. */
export async function findPool(
  db: Db,
  account: PoolAccount,
): Promise<{ asset: PaymentAsset; balance: bigint }[]> {
  return db
    .selectFrom('ledger_pool_sums')
    .select(['asset', sql<bigint>`balance - reserved`.as('balance')])
    .where('account', '=', account)
    .$narrowType<{ asset: PaymentAsset }>()
    .execute()
}

/** Returns the balances of a pool at the end of an accounting day. */
export async function findPoolAtEndOf(
  db: Db,
  account: PoolAccount,
  day: string,
): Promise<{ asset: PaymentAsset; balance: bigint }[]> {
  return db
    .selectFrom('ledger_pool_day_sums')
    .select(['asset', sql<bigint>`sum(amount)::bigint`.as('balance')])
    .where('account', '=', account)
    .where('accounting_day', '<=', day)
    .groupBy('asset')
    .$narrowType<{ asset: PaymentAsset }>()
    .execute()
}

/** Returns the dividend rights and VC of all members, including VC in launches; may exceed 64 bits. */
export async function findSharesHeld(db: Db): Promise<{ asset: 'DIV' | 'VC'; total: string }[]> {
  const { rows } = await sql<{ asset: 'DIV' | 'VC'; total: string }>`
    select asset, sum(held)::text as total from ledger_shares group by asset`.execute(db)
  return rows
}

export interface EntryRow {
  readonly seq: bigint
  readonly line: number
  readonly kind: string
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amount: bigint
  readonly cause_type: string
  readonly cause_id: string
  readonly accounting_day: string
  readonly posted_at: Date
}

/**
 * Returns a member's postings, newest first, optionally those before (seq, line) and of one asset or some
 * kinds.
 */
export async function findEntries(
  db: Db,
  memberId: bigint,
  page: {
    before: readonly [seq: bigint, line: bigint] | undefined
    limit: number
    asset?: Asset | undefined
    kinds?: readonly string[] | undefined
  },
): Promise<EntryRow[]> {
  const { before, limit, asset, kinds } = page
  let query = db
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_transactions as t', (join) =>
      join.onRef('t.member_id', '=', 'p.member_id').onRef('t.seq', '=', 'p.seq'),
    )
    .select(['p.seq', 'p.line', 'p.kind', 'p.asset', 'p.source', 'p.destination', 'p.amount'])
    .select(['t.cause_type', 't.cause_id', 't.accounting_day', 't.posted_at'])
    .where('p.member_id', '=', memberId)
    .orderBy('p.seq', 'desc')
    .orderBy('p.line', 'desc')
    .limit(limit)
  if (before)
    query = query.where(sql<boolean>`(p.seq, p.line) < (${before[0]}::bigint, ${before[1]}::bigint)`)
  // A literal, so that a generic plan can use the partial index on this asset.
  if (asset) query = query.where('p.asset', '=', sql.lit(asset))
  if (kinds) query = query.where('p.kind', 'in', kinds)
  return query.$castTo<EntryRow>().execute()
}

/** A transaction in the books of members. */
interface FoundTransaction {
  readonly kind: TransactionKind
  readonly lines: readonly LedgerLine[]
  readonly accountingDay: string
  /** False if a member of the transaction is missing. */
  readonly complete: boolean
}

/** Returns a transaction from the books of members. */
export async function findTransaction(
  db: Db,
  key: string,
  memberIds: readonly bigint[],
): Promise<FoundTransaction | undefined> {
  const { rows } = await sql<{
    kind: TransactionKind
    member_ids: bigint[]
    assets: Asset[]
    sources: LedgerAccount[]
    destinations: LedgerAccount[]
    amounts: bigint[]
    accountingDay: string
    complete: boolean
  }>`
    select kind, member_ids, assets, sources, destinations, amounts, accounting_day as "accountingDay",
      content_digest = ledger_content_digest(
        kind, cause_type, cause_id, member_ids, assets, sources, destinations, amounts) as complete
    from (
      select t.kind, t.cause_type, t.cause_id, t.content_digest, t.accounting_day,
        array_agg(p.member_id order by p.line) as member_ids, array_agg(p.asset order by p.line) as assets,
        array_agg(p.source order by p.line) as sources, array_agg(p.destination order by p.line) as destinations,
        array_agg(p.amount order by p.line) as amounts
      from ledger_transactions t join ledger_postings p using (member_id, seq)
      where t.idempotency_key = ${key} and t.member_id = any(${memberIds})
      group by t.kind, t.cause_type, t.cause_id, t.content_digest, t.accounting_day) as found`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { kind, accountingDay, complete } = row
  const lines = row.member_ids.map((memberId, index) => ({
    memberId,
    asset: row.assets[index]!,
    source: row.sources[index]!,
    destination: row.destinations[index]!,
    amountMicros: row.amounts[index]!,
  }))
  return { kind, lines, accountingDay, complete }
}

interface FoundLine {
  readonly key: string
  readonly kind: string
  readonly causeId: string
  readonly reversed: boolean
  readonly memberId: bigint
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
}

/** Returns a member's transaction by its number, with its lines in the books of these other members. */
export async function findPosted(db: Db, memberId: bigint, seq: bigint, others: readonly bigint[]) {
  const { rows: own } = await sql<{ key: string; digest: Buffer }>`
    select idempotency_key as key, content_digest as digest from ledger_transactions
    where member_id = ${memberId} and seq = ${seq}`.execute(db)
  const [transaction] = own
  if (transaction === undefined) return undefined
  const { rows } = await sql<FoundLine>`
    select t.idempotency_key as key, t.kind, t.cause_id as "causeId", p.member_id as "memberId", p.asset, p.source, p.destination,
      p.amount as "amountMicros",
      exists (select from ledger_transactions as r where r.member_id = t.member_id and r.reverses_seq = t.seq)
        as reversed
    from ledger_transactions as t join ledger_postings as p using (member_id, seq)
    where t.member_id = any (${[memberId, ...others]}) and t.idempotency_key = ${transaction.key}
      and t.content_digest = ${transaction.digest} order by p.line`.execute(db)
  const { kind, causeId } = rows[0]!
  return {
    key: transaction.key,
    kind,
    causeId,
    isReversed: rows.some(({ reversed }) => reversed),
    lines: rows,
  }
}

export async function readReversalDay(db: Db, original: string, today: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select reversal_day(${original}::date, ${today}::date) as day`.execute(db)
  return rows[0]!.day
}

export async function hasKey(db: Db, memberId: bigint, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_transactions where member_id = ${memberId} and idempotency_key = ${key}`.execute(db)
  return rows.length > 0
}

/** Returns the postings of the open database transaction. Reads all postings: for the command line only. */
export async function postedHere(dbTx: Db): Promise<PostedLine[]> {
  const { rows } = await sql<PostedLine>`
    select member_id as "memberId", kind, asset, source, destination, amount as "amountMicros"
    from ledger_entries where xmin = pg_current_xact_id()::xid order by kind, member_id, seq, line`.execute(
    dbTx,
  )
  return rows
}

/** A posting with the kind of its transaction. */
export interface PostedLine {
  readonly memberId: bigint
  readonly kind: string
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
}
