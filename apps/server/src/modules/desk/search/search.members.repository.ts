import type { AdminMembersQuery } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** A member's position in the list of all: the time of joining in microseconds, and the number. */
export interface Joined {
  readonly memberId: bigint
  readonly at: bigint
}

interface WalkQuery extends Pick<AdminMembersQuery, 'state' | 'level'> {
  readonly from: Date | undefined
  readonly before: Date | undefined
  readonly after: Joined | undefined
  readonly limit: number
}

/** Returns the next members in the order of joining, newest first. Each filter has an index in this order. */
export async function walk(db: Db, query: WalkQuery): Promise<Joined[]> {
  const { state, level, from, before, after, limit } = query
  const wanted = [sql`true`]
  // The literals let a generic plan use the partial index.
  if (state !== undefined)
    wanted.push(state === 'frozen' ? sql`state = 'deactivated'` : sql`state = 'active'`)
  if (level !== undefined) wanted.push(sql`level = ${Number(level)}`)
  if (from !== undefined) wanted.push(sql`joined_at >= ${from}`)
  if (before !== undefined) wanted.push(sql`joined_at < ${before}`)
  if (after !== undefined)
    wanted.push(sql`(joined_at, member_id)
      < ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.memberId}::bigint)`)
  const { rows } = await sql<Joined>`
    select member_id as "memberId", (extract(epoch from joined_at) * 1000000)::bigint as at
    from members where ${sql.join(wanted, sql` and `)}
    order by joined_at desc, member_id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns the members among the given ones that hold an asset in any of their accounts, or units of a fund
 * product.
 */
export async function holders(
  db: Db,
  memberIds: readonly bigint[],
  holds: NonNullable<AdminMembersQuery['holds']>,
): Promise<ReadonlySet<bigint>> {
  const holding =
    holds === 'fund'
      ? sql`fund_orders where units_left > 0`
      : sql`ledger_balances where asset = ${holds} and balance > 0 and ledger_account_class(account) = 'member'`
  const { rows } = await sql<{ memberId: bigint }>`
    select distinct member_id as "memberId" from ${holding} and member_id = any(${memberIds}::bigint[])`.execute(
    db,
  )
  return new Set(rows.map(({ memberId }) => memberId))
}

/** Returns the balances of a member in all accounts, in micro-units. */
export interface HeldBalances {
  readonly memberId: bigint
  readonly usdt: bigint
  readonly amc: bigint
  readonly rif: bigint
}

export async function heldBy(db: Db, memberIds: readonly bigint[]): Promise<HeldBalances[]> {
  const sum = (asset: 'USDT' | 'AMC' | 'RIF') =>
    sql`coalesce(sum(balance) filter (where asset = ${sql.lit(asset)}), 0)::bigint`
  const { rows } = await sql<HeldBalances>`
    select member_id as "memberId", ${sum('USDT')} as usdt, ${sum('AMC')} as amc, ${sum('RIF')} as rif
    from ledger_balances
    where member_id = any (${memberIds}::bigint[]) and ledger_account_class(account) = 'member'
    group by member_id`.execute(db)
  return rows
}
