import { addDays, type Day, type Micros, previousDay, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { type CopiedRow, copyOut } from '../../db/copy.ts'
import type { Db } from '../../db/database.ts'
import { BALANCES, POSTINGS } from '../books/ledger/ledger.relations.ts'
import { MEMBERS } from '../members/members.relations.ts'
import { PLACES } from '../members/placement/placement.relations.ts'
import { DAY_CAPS, LOCKED_REWARDS, STANDINGS, SWITCHES } from '../rewards/rewards.relations.ts'
import { SAVINGS_TRANSFERS } from '../savings/savings.relations.ts'
import { PAID_ORDERS } from '../shop/shop.relations.ts'

/** The progress of settlement: the first day, the last settled day, and a day that is being settled. */
export interface SettlementProgress {
  readonly firstDay: Day
  readonly lastSettled: Day | null
  readonly openDay: Day | null
}

export interface DayRow {
  readonly day: Day
  readonly state: 'fixed' | 'staged' | 'settled'
  readonly amcPriceMicros: bigint | null
  readonly fixedAt: Date
}

/** 'sett' as a number: no other advisory lock of this database uses it. */
const SETTLEMENT_LOCK = 0x73657474

/** Makes this transaction the only one to fix or stage a day until it ends. */
export async function lock(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETTLEMENT_LOCK})`.execute(dbTx)
}

/** Sets the first day, unless it is set. */
export async function insertStart(db: Db, firstDay: Day): Promise<void> {
  await sql`insert into settlement_start (first_day) values (${firstDay}) on conflict do nothing`.execute(db)
}

/** Returns the progress; undefined before the first day is set. */
export async function progress(db: Db): Promise<SettlementProgress | undefined> {
  const { rows } = await sql<SettlementProgress>`
    select first_day as "firstDay",
      (select max(day) from settlement_days where state = 'settled') as "lastSettled",
      (select max(day) from settlement_days where state <> 'settled') as "openDay"
    from settlement_start`.execute(db)
  return rows[0]
}

export async function findDay(db: Db, day: Day): Promise<DayRow | undefined> {
  const { rows } = await sql<DayRow>`
    select day, state, amc_price_micros as "amcPriceMicros", fixed_at as "fixedAt"
    from settlement_days where day = ${day}`.execute(db)
  return rows[0]
}

export async function insertDay(dbTx: Db, day: Omit<DayRow, 'state'>): Promise<void> {
  await sql`
    insert into settlement_days (day, state, amc_price_micros, fixed_at)
    values (${day.day}, 'fixed', ${day.amcPriceMicros}, ${day.fixedAt})`.execute(dbTx)
}

export async function markStaged(dbTx: Db, day: Day): Promise<void> {
  await sql`update settlement_days set state = 'staged' where day = ${day}`.execute(dbTx)
}

export async function markSettled(dbTx: Db, day: Day, at: Date): Promise<void> {
  await sql`
    update settlement_days set state = 'settled', settled_at = ${at} where day = ${day}`.execute(dbTx)
  await sql`select settlement_clear_stage()`.execute(dbTx)
}

/** Receives the rows of a day, in the columns that each function documents. */
type UseRow = (row: CopiedRow) => void

/** Returns the highest id of a member. */
export async function highestMember(dbTx: Db): Promise<bigint> {
  const { rows } = await sql<{ highest: bigint }>`
    select coalesce(max(member_id), 0) as highest from ${PLACES} as places`.execute(dbTx)
  return rows[0]!.highest
}

/**
 * Streams every member's id, sponsor and parent (0 for none) and side (1 is right), in the order of joining,
 * up to the highest id.
 */
export function eachMember(dbTx: Db, highest: bigint, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select m.member_id, m.sponsor_id, p.parent_id, (p.side = 'right')::integer
      from ${MEMBERS} as m join ${PLACES} as p on p.member_id = m.member_id
      where m.member_id <= ${sql.lit(highest)} order by m.member_id`,
    use,
  )
}

/** Streams the state of members after the last settled day: id, level, both carries, management base, release. */
export function eachStanding(dbTx: Db, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, level, carry_left_micros, carry_right_micros, manage_base_micros, release_micros
      from ${STANDINGS} as standings`,
    use,
  )
}

/** Streams the orders paid from a day on to the end of another, in order of payment: member, level, base. */
export function eachOrder(dbTx: Db, from: Day, to: Day, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, level, price_micros - discount
      from ${PAID_ORDERS} as orders where collected_at >= ${startTime(from)}
        and collected_at < ${startTime(addDays(to, 1))}
      order by paid_sequence`,
    use,
  )
}

/**
 * Streams the packages paid before a day, by member and in order of payment: member, order, level, price,
 * paid so far.
 */
export function eachPackage(dbTx: Db, before: Day, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, order_id, level, price_micros, static_paid_micros
      from ${PAID_ORDERS} as orders where collected_at < ${startTime(before)}
      order by member_id, paid_sequence`,
    use,
  )
}

/**
 * Streams the locked AMC of rewards whose release begins on a day, or whose last part is due: member, amount,
 * parts.
 */
export function eachLocked(
  dbTx: Db,
  which: { readonly begins: Day } | { readonly ends: Day },
  use: UseRow,
): Promise<void> {
  const condition =
    'begins' in which
      ? sql`day = ${date(previousDay(which.begins))}`
      : sql`day + release_parts = ${date(which.ends)}`
  return copyOut(
    dbTx,
    sql`select member_id, amc_micros, release_parts from ${LOCKED_REWARDS} as locked where ${condition}`,
    use,
  )
}

/**
 * Streams every member's savings at the end of the previous day, and the day's withdrawals: member, asset (1
 * is AMC), saved, out. Computed as the balances less the changes from the day on; they include all interest
 * up to the previous day, because days are settled in order.
 */
export function eachSaved(dbTx: Db, day: Day, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, (asset = 'AMC')::integer, (coalesce(b.balance, 0) - coalesce(t.net, 0))::bigint,
        coalesce(t.out, 0)::bigint
      from (select member_id, asset, balance from ${BALANCES} as balances where account = 'savings') as b
      full join (select member_id, asset,
          sum(case direction when 'in' then amount_micros else -amount_micros end) as net,
          sum(amount_micros) filter (where direction = 'out' and day = ${date(day)}) as out
        from ${SAVINGS_TRANSFERS} as moved where day >= ${date(day)} group by member_id, asset) as t
        using (member_id, asset)
      order by member_id`,
    use,
  )
}

/**
 * Streams the dividend rights in `available` at the end of a day: member, amount. Computed as the balances
 * less postings of later days, in one statement so that both are from the same moment.
 */
export function eachHolding(dbTx: Db, day: Day, use: UseRow): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, held::bigint from (
        select member_id, coalesce(b.balance, 0) - coalesce(later.net, 0) as held
        from (select member_id, balance from ${BALANCES} as balances where asset = 'DIV' and account = 'available') as b
        full join (select member_id, sum(case destination when 'available' then amount else -amount end) as net
          from ${POSTINGS} as postings
          where asset = 'DIV' and accounting_day > ${date(day)} and 'available' in (source, destination)
          group by member_id) as later using (member_id)
      ) as holdings where held > 0 order by member_id`,
    use,
  )
}

/** Returns the members who had paused the management award at the end of a day. */
export async function pausedMembers(dbTx: Db, day: Day): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from (
      select distinct on (member_id) member_id, paused from ${SWITCHES} as switches
      where switched_at < ${new Date(startOfDay(addDays(day, 1)))} order by member_id, switch_id desc
    ) as last where paused`.execute(dbTx)
  return rows.map((row) => row.memberId)
}

/** Returns the members' own pairing caps at the end of a day. */
export async function ownDayCaps(dbTx: Db, day: Day): Promise<{ memberId: bigint; capMicros: Micros }[]> {
  const { rows } = await sql<{ memberId: bigint; capMicros: Micros }>`
    select member_id as "memberId", cap_micros as "capMicros" from (
      select distinct on (member_id) member_id, cap_micros from ${DAY_CAPS} as caps
      where set_at < ${new Date(startOfDay(addDays(day, 1)))} order by member_id, cap_id desc
    ) as last where cap_micros is not null`.execute(dbTx)
  return rows
}

/** COPY takes no parameters; a `Day` is a text of digits and dashes. */
const date = (day: Day) => sql`${sql.lit(day)}::date`
const startTime = (day: Day) => sql`${sql.lit(`${day}T00:00:00Z`)}::timestamptz`

/** Returns the time of the last settlement; null before the first. */
export async function lastSettledAt(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(settled_at) as at from settlement_days`.execute(
    db,
  )
  return rows[0]!.at
}
