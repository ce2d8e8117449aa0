import { type Day, type Micros, nextDay } from '@rif/rules'
import { sql } from 'kysely'
import { type CopiedRow, copyOut } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'

/** COPY takes no parameters; a `Day` is a text of digits and dashes. */
const endOf = (day: Day) => sql`${sql.lit(`${nextDay(day)}T00:00:00Z`)}::timestamptz`

/** The NAV of each product at the end of a day. */
const navsAt = (day: Day) => sql`(
  select distinct on (product_id) product_id, nav_micros from fund_navs where published_at < ${endOf(day)}
  order by product_id, published_at desc, nav_id desc)`

/** Returns the changes of members' units up to the end of a day. */
const unitsUntil = (day: Day) => sql`(
  select member_id, product_id, units from fund_orders where collected_at < ${endOf(day)}
  union all
  select member_id, product_id, -units from fund_redemptions where paid_at < ${endOf(day)})`

/** Streams the value of each member's units at the end of a day: member, micro-USDT, ordered by member. */
export function eachWorthAtEndOf(dbTx: Db, day: Day, use: (row: CopiedRow) => void): Promise<void> {
  return copyOut(
    dbTx,
    // Aggregated where the members' rows are stored; the result is joined with the NAVs, which on a cluster
    // are stored elsewhere.
    sql`with held as materialized (
        select member_id, product_id, sum(units) as units from ${unitsUntil(day)} as changes group by member_id, product_id
      )
      select member_id, sum(units * nav_micros)::bigint from held join ${navsAt(day)} as navs using (product_id)
      group by member_id order by member_id`,
    use,
  )
}

/** Returns the value of a member's units at the end of a day, in micro-USDT. */
export async function worthAtEndOf(db: Db, memberId: bigint, day: Day): Promise<Micros> {
  const { rows } = await sql<{ micros: Micros }>`
    with held as materialized (
      select product_id, sum(units) as units from ${unitsUntil(day)} as changes where member_id = ${memberId} group by product_id
    )
    select coalesce(sum(units * nav_micros), 0)::bigint as micros from held join ${navsAt(day)} as navs using (product_id)`.execute(
    db,
  )
  return rows[0]!.micros
}

/**
 * Returns the value of all products' investments at the end of a day: each at its last valuation, or at cost
 * before the first.
 */
export async function investedAtEndOf(db: Db, day: Day): Promise<Micros> {
  const { rows } = await sql<{ micros: string }>`
    select coalesce(sum(coalesce(last.value_micros, i.cost_micros)), 0)::text as micros
    from fund_investments as i
    left join lateral (
      select l.value_micros from fund_valuation_lines as l join fund_valuations as v using (valuation_id)
      where l.investment_id = i.investment_id and v.state = 'applied' and v.decided_at < ${endOf(day)}
      order by v.decided_at desc, v.valuation_id desc limit 1
    ) as last on true
    where i.invested_at < ${endOf(day)} and (i.ended_at is null or i.ended_at >= ${endOf(day)})
      and i.state in ('invested', 'ended')`.execute(db)
  return BigInt(rows[0]!.micros)
}
