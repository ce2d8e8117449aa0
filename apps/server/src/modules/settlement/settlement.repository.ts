import { addDays, type Day, previousDay, type Side, startOfDay } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** How far settlement is: the first day of all, the last one settled, and one that is on its way. */
export interface Progress {
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
const FETCH_ROWS = 20_000

/** Makes this dbTx the only one to fix or stage a day until it ends. */
export async function lock(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETTLEMENT_LOCK})`.execute(dbTx)
}

/** Sets the first day, unless it is set. */
export async function insertStart(db: Db, firstDay: Day): Promise<void> {
  await sql`insert into settlement_start (first_day) values (${firstDay}) on conflict do nothing`.execute(db)
}

/** Undefined before the first day is set. */
export async function progress(db: Db): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
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
  await sql`truncate settlement_members, settlement_rewards`.execute(dbTx)
}

/** Hands out all rows of a query without parameters, some at a time, and of which the last ones are not kept. */
async function eachRow<Row>(dbTx: Db, query: RawBuilder<unknown>, use: (row: Row) => void): Promise<void> {
  await sql`declare settlement_rows no scroll cursor for ${query}`.execute(dbTx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(FETCH_ROWS)} from settlement_rows`.execute(dbTx)
    for (const row of rows) use(row)
    if (rows.length < FETCH_ROWS) break
  }
  await sql`close settlement_rows`.execute(dbTx)
}

/** The number of members, and the highest id. */
export async function countMembers(dbTx: Db): Promise<{ count: number; highest: bigint }> {
  const { rows } = await sql<{ count: number; highest: bigint }>`
    select count(*)::integer as count, coalesce(max(member_id), 0) as highest from placements`.execute(dbTx)
  return rows[0]!
}

/** Everybody's place in both trees, in the order of joining, up to the highest id. */
export function eachMember(
  dbTx: Db,
  highest: bigint,
  use: (member: { memberId: bigint; sponsorId: bigint | null; parentId: bigint | null; side: Side }) => void,
): Promise<void> {
  return eachRow(
    dbTx,
    sql`select m.member_id as "memberId", m.sponsor_id as "sponsorId", p.parent_id as "parentId", p.side
      from members as m join placements as p on p.member_id = m.member_id
      where m.member_id <= ${sql.lit(highest)} order by m.member_id`,
    use,
  )
}

/** What carries a member from one settled day to the next; the migration says what the columns mean. */
export interface Standing {
  readonly memberId: bigint
  readonly level: number
  readonly carryLeftMicros: bigint
  readonly carryRightMicros: bigint
  readonly manageBaseMicros: bigint
  readonly releaseMicros: bigint
}

const STANDING = sql`
  member_id as "memberId", level, carry_left_micros as "carryLeftMicros", carry_right_micros as "carryRightMicros",
  manage_base_micros as "manageBaseMicros", release_micros as "releaseMicros"`

export function eachStanding(dbTx: Db, use: (standing: Standing) => void): Promise<void> {
  return eachRow(dbTx, sql<Standing>`select ${STANDING} from member_standings`, use)
}

/** The orders paid from a day on to the end of another, in the order of payment. */
export function eachOrder(
  dbTx: Db,
  from: Day,
  to: Day,
  use: (order: { memberId: bigint; level: number; baseMicros: bigint }) => void,
): Promise<void> {
  return eachRow(
    dbTx,
    sql`select member_id as "memberId", level,
        price_micros - case when use_hash_rate then discount_micros else 0 end as "baseMicros"
      from orders where status = 'Paid' and collected_at >= ${startTime(from)}
        and collected_at < ${startTime(addDays(to, 1))}
      order by paid_sequence`,
    use,
  )
}

/** How many packages were paid before a day. */
export async function countPackages(dbTx: Db, before: Day): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from orders
    where status = 'Paid' and collected_at < ${startTime(before)}`.execute(dbTx)
  return rows[0]!.count
}

/** The packages paid before a day, by member and in the order of payment. */
export function eachPackage(
  dbTx: Db,
  before: Day,
  use: (paid: {
    memberId: bigint
    orderId: bigint
    level: number
    priceMicros: bigint
    paidSoFarMicros: bigint
  }) => void,
): Promise<void> {
  return eachRow(
    dbTx,
    sql`select member_id as "memberId", order_id as "orderId", level, price_micros as "priceMicros",
        static_paid_micros as "paidSoFarMicros"
      from orders where status = 'Paid' and collected_at < ${startTime(before)}
      order by member_id, paid_sequence`,
    use,
  )
}

/** Locked AMC of rewards that begins to be released on a day, or whose last part is. */
export function eachLocked(
  dbTx: Db,
  which: { readonly begins: Day } | { readonly ends: Day },
  use: (locked: { memberId: bigint; amcMicros: bigint; parts: number }) => void,
): Promise<void> {
  const condition =
    'begins' in which
      ? sql`day = ${date(previousDay(which.begins))}`
      : sql`day + release_parts = ${date(which.ends)}`
  return eachRow(
    dbTx,
    sql`select member_id as "memberId", amc_micros as "amcMicros", release_parts as parts
      from rewards where amc_micros > 0 and ${condition}`,
    use,
  )
}

/** Who had paused the management award at the end of a day. */
export async function pausedMembers(dbTx: Db, day: Day): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from (
      select distinct on (member_id) member_id, paused from management_switches
      where switched_at < ${new Date(startOfDay(addDays(day, 1)))} order by member_id, switch_id desc
    ) as last where paused`.execute(dbTx)
  return rows.map((row) => row.memberId)
}

/** A cursor takes no parameters; a `Day` is a text of digits and dashes. */
const date = (day: Day) => sql`${sql.lit(day)}::date`
const startTime = (day: Day) => sql`${sql.lit(`${day}T00:00:00Z`)}::timestamptz`
