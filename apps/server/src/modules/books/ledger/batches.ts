import type { Asset, PaymentAsset } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { LedgerAccount, PoolAccount, TransactionKind } from './accounts.ts'
import type { Cause } from './history.ts'
import { refusing } from './refusals.ts'

/** A movement of money that many lines make. */
export interface BatchFlow {
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
}

/** Transactions of many members: of each batch, one for each member who has lines of it, all under its key and kind. */
export interface BatchesEntry {
  readonly cause: Cause
  /** A UTC day. */
  readonly accountingDay: string
  readonly at: Date
  /** In the order in which a member's transactions are numbered. */
  readonly batches: readonly {
    readonly key: string
    readonly kind: TransactionKind
    readonly flows: readonly BatchFlow[]
  }[]
  /**
   * A query of (member_id, flow, amount). Flows are numbered from 1 through all batches; a member's lines are
   * in the order of their flows, with at most one line per flow. Amounts are micro-units.
   */
  readonly lines: RawBuilder<unknown>
  /** The part of a divided reserve that pays for the pools' movements. */
  readonly reserve: { readonly batch: string; readonly part: number }
}

/** A part of the reserved money of a pool. */
export interface PoolPart {
  readonly part: number
  readonly account: PoolAccount
  readonly asset: PaymentAsset
  readonly amountMicros: bigint
}

/** Posts the transactions of batches, and returns the number of each batch, or none if there are no lines. */
export async function callPostBatches(dbTx: Db, entry: BatchesEntry): Promise<readonly bigint[]> {
  const { cause, accountingDay, at, batches, lines, reserve } = entry
  const flows = batches.flatMap(({ flows }, place) => flows.map((flow) => ({ ...flow, batch: place + 1 })))
  const { rows } = await sql<{ posted: bigint[] }>`
    select ledger_post_batches(${cause.type}, ${cause.id}, ${accountingDay}::date, ${at}::timestamptz,
      ${batches.map(({ key }) => key)}::text[], ${batches.map(({ kind }) => kind)}::text[],
      ${flows.map(({ batch }) => batch)}::integer[], ${flows.map(({ asset }) => asset)}::text[],
      ${flows.map(({ source }) => source)}::text[], ${flows.map(({ destination }) => destination)}::text[],
      members, flows, amounts, ${reserve.batch}, ${reserve.part}::integer) as posted
    from (
      select array_agg(member_id order by member_id, flow) as members, array_agg(flow order by member_id, flow) as flows,
        array_agg(amount order by member_id, flow) as amounts
      from (${lines}) as lines
    ) as arrays where members is not null`.execute(dbTx)
  return rows[0]?.posted ?? []
}

/**
 * Divides reserved pool money among the parts of a batch, which can then be posted in parallel. Locks the
 * pools. Throws INSUFFICIENT_BALANCE if the parts exceed the reserve.
 */
export async function divideReserve(
  dbTx: Db,
  batch: string,
  day: string,
  parts: readonly PoolPart[],
): Promise<void> {
  await refusing(
    sql`select ledger_divide_reserve(${batch}, ${day}::date, ${parts.map(({ part }) => part)}::integer[],
      ${parts.map(({ account }) => account)}::text[], ${parts.map(({ asset }) => asset)}::text[],
      ${parts.map(({ amountMicros }) => amountMicros)}::bigint[])`.execute(dbTx),
  )
}

/**
 * Deducts the amounts that the parts of a batch paid from the pools. Throws the database's RL003 if a part is
 * not paid in full.
 */
export async function closeParts(dbTx: Db, batch: string): Promise<void> {
  await sql`select ledger_close_parts(${batch})`.execute(dbTx)
}
