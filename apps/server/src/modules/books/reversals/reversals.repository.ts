import type { Asset, Micros } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { bigint, plain, rowsJson } from '../../../db/read.ts'
import { BALANCES } from '../ledger/ledger.relations.ts'

/** The assets in which a reversal can leave a member in debt. */
export type DebtAsset = Exclude<Asset, 'VC' | 'DIV'>

interface DebtRow {
  readonly memberId: bigint
  readonly asset: DebtAsset
  readonly owedMicros: Micros
  readonly changedAt: Date
}

/** Returns the open debts of members, or of all, oldest first. */
export async function openDebts(db: Db, memberIds?: readonly bigint[]): Promise<DebtRow[]> {
  const who = memberIds === undefined ? sql`true` : sql`member_id = any (${memberIds})`
  const { rows } = await sql<DebtRow>`
    select member_id as "memberId", asset, owed_micros as "owedMicros", changed_at as "changedAt"
    from member_debts where owed_micros > 0 and ${who} order by changed_at, member_id, asset`.execute(db)
  return rows
}

/** The columns of `debtsOf`. */
export const DEBT = { asset: plain<DebtAsset>('asset'), owedMicros: bigint('owed_micros') }

/** Returns the query of the open debts of members, for a `Read`. */
export const debtsOf = (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> => sql`
  select member_id, ${rowsJson(DEBT)} as value from member_debts
  where member_id = any (${memberIds}) and owed_micros > 0 group by member_id`

/** Increases a member's debt; the member's head is locked. */
export async function addDebt(
  dbTx: Db,
  debt: { memberId: bigint; asset: DebtAsset; owedMicros: Micros; at: Date },
): Promise<void> {
  await sql`
    insert into member_debts as debts (member_id, asset, owed_micros, changed_at)
    values (${debt.memberId}, ${debt.asset}, ${debt.owedMicros}, ${debt.at})
    on conflict (member_id, asset) do update set owed_micros = debts.owed_micros + excluded.owed_micros,
      changed_at = excluded.changed_at`.execute(dbTx)
}

/** Reduces a debt by a repayment and returns its number; the member's head is locked. */
export async function countRepayment(
  dbTx: Db,
  paid: { memberId: bigint; asset: DebtAsset; amountMicros: Micros; at: Date },
): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    update member_debts set owed_micros = owed_micros - ${paid.amountMicros}, repayments = repayments + 1,
      changed_at = ${paid.at}
    where member_id = ${paid.memberId} and asset = ${paid.asset} returning repayments as place`.execute(dbTx)
  return rows[0]!.place
}

/** Returns members in debt who have some of the asset available. */
export async function debtorsWithCredit(db: Db, after: bigint | undefined, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select distinct d.member_id as "memberId" from member_debts as d
    join ${BALANCES} as b on b.member_id = d.member_id and b.asset = d.asset and b.account = 'available'
    where d.owed_micros > 0 and b.balance > 0 and d.member_id > ${after ?? 0n}
    order by d.member_id limit ${limit}`.execute(db)
  return rows.map((row) => row.memberId)
}
