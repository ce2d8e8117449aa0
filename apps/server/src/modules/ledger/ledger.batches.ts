import type { Asset, PaymentAsset } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { LedgerAccount, PoolAccount, TransactionKind } from './ledger.accounts.ts'
import type { Cause } from './ledger.history.ts'
import { refusing } from './ledger.refusals.ts'

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
   * A query of (member_id, flow, amount). Flows are numbered from 1 through all batches; a member's lines have the order of their
   * flows, and at most one line has a flow. Amounts are micro-units.
   */
  readonly lines: RawBuilder<unknown>
  /** The part of a divided reserve from which pools pay. */
  readonly reserve: { readonly batch: string; readonly part: number }
}

/** A part of what is reserved in a pool. */
export interface PoolPart {
  readonly part: number
  readonly account: PoolAccount
  readonly asset: PaymentAsset
  readonly amountMicros: bigint
}

/**
 * Posts the transactions of several batches for many members in one round trip; pools pay from a part of their reserve, and their
 * rows are not locked. `posted` is the number of transactions, or 0 when the same were posted before. Throws the errors of `post`;
 * a member's debits are compared with the balance before the call.
 */
export async function postBatches(
  dbTx: Db,
  { cause, accountingDay, at, batches, lines, reserve }: BatchesEntry,
): Promise<{ posted: bigint }> {
  const flows = batches.flatMap(({ flows }, place) => flows.map((flow) => ({ ...flow, batch: place + 1 })))
  const { rows } = await refusing(
    sql<{ posted: bigint }>`
      select ledger_post_batches(${cause.type}, ${cause.id}, ${accountingDay}::date, ${at}::timestamptz,
        ${batches.map(({ key }) => key)}::text[], ${batches.map(({ kind }) => kind)}::text[],
        ${flows.map(({ batch }) => batch)}::integer[], ${flows.map(({ asset }) => asset)}::text[],
        ${flows.map(({ source }) => source)}::text[], ${flows.map(({ destination }) => destination)}::text[],
        members, flows, amounts, true, ${reserve.batch}, ${reserve.part}::integer) as posted
      from (
        select array_agg(member_id order by member_id, flow) as members, array_agg(flow order by member_id, flow) as flows,
          array_agg(amount order by member_id, flow) as amounts
        from (${lines}) as lines
      ) as arrays where members is not null`.execute(dbTx),
  )
  return { posted: rows[0]?.posted ?? 0n }
}

/**
 * Divides what is reserved in pools among the parts of a batch, which can then be posted side by side. Locks the pools. Throws
 * INSUFFICIENT_BALANCE when the parts are more than is reserved.
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

/** Takes what the parts of a batch paid out of the pools. Throws the database's RL003 when a part is not paid whole. */
export async function closeParts(dbTx: Db, batch: string): Promise<void> {
  await sql`select ledger_close_parts(${batch})`.execute(dbTx)
}
