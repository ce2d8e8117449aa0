import type { EarningsFigures } from '@rif/api-schema'
import { addDays, type Day, EARNINGS_AGES, type Earnings } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { MEMBERS } from '../../members/members.relations.ts'
import { REWARD_DAYS, REWARD_TOTALS, REWARDS, UNDONE_REWARDS } from '../../rewards/rewards.relations.ts'
import { SETTLEMENT_DAYS } from '../../settlement/settlement.relations.ts'
import { PAID_ORDERS } from '../../shop/shop.relations.ts'
import { tallyRows } from './rows.ts'

/** The figures to the end of a day, with the time of computation. */
export interface PublishedEarnings {
  readonly day: Day
  readonly computedAt: Date
  readonly figures: EarningsFigures
}

/** 'earn' as a number: no other advisory lock of this database uses it. */
const EARNINGS_LOCK = 0x6561726e

/**
 * The overlap with the last reading: a reversal whose transaction began before it may have committed after
 * it.
 */
const UNDONE_MARGIN = sql`interval '1 hour'`

/** Makes this transaction the only one that computes figures until it ends, or returns false. */
export async function tryLock(dbTx: Db): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${EARNINGS_LOCK}) as "isLocked"`.execute(dbTx)
  return rows[0]!.isLocked
}

/** Returns the last settled day, if it has no figures yet. */
export async function dueDay(db: Db): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day }>`
    select day from ${SETTLEMENT_DAYS} as days
    where state = 'settled' and not exists (select from earnings_days where earnings_days.day >= days.day)
    order by day desc limit 1`.execute(db)
  return rows[0]?.day
}

/** Returns the newest figures, or those of a day. */
export async function publishedEarnings(db: Db, day?: Day): Promise<PublishedEarnings | undefined> {
  const { rows } = await sql<PublishedEarnings>`
    select day, computed_at as "computedAt", figures from earnings_days
    where ${day === undefined ? sql`true` : sql`day = ${day}`} order by day desc limit 1`.execute(db)
  return rows[0]
}

export async function publish(dbTx: Db, { day, computedAt, figures }: PublishedEarnings): Promise<void> {
  await sql`
    insert into earnings_days (day, computed_at, figures)
    values (${day}, ${computedAt}, ${JSON.stringify(figures)}::jsonb)`.execute(dbTx)
}

/** Returns the number of members who joined by the end of a day. */
export async function countMembers(db: Db, day: Day): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${MEMBERS} as members where joined_at < ${endOf(day)}`.execute(db)
  return rows[0]!.count
}

/** Parameters are literals, because COPY takes none. A `Day` is a text of digits and dashes. */
const date = (day: Day) => sql`${sql.lit(day)}::date`
const endOf = (day: Day) => sql`${sql.lit(`${addDays(day, 1)}T00:00:00Z`)}::timestamptz`

/** Returns the packages paid by the end of a day, with their cost after the discount. */
const paidBy = (day: Day) => sql`(
  select member_id, level, (collected_at at time zone 'UTC')::date as day, price_micros - discount as due, paid_sequence
  from ${PAID_ORDERS} as orders where collected_at < ${endOf(day)}
)`

const firstsBy = (day: Day) => sql`(
  select distinct on (member_id) member_id, level, day as first_day
  from ${paidBy(day)} as paid order by member_id, paid_sequence
)`

const AGES = sql`unnest(array[${sql.join(EARNINGS_AGES.map((age) => sql.lit(age)))}]) as ages (age)`

/** The windows that have ended by the end of a day. */
const endedBy = (day: Day) => sql`(
  select f.member_id, ages.age, f.level, f.first_day, sum(p.due)::bigint as paid_micros
  from ${firstsBy(day)} as f cross join ${AGES}
  join ${paidBy(day)} as p on p.member_id = f.member_id and p.day < f.first_day + ages.age
  where f.first_day + ages.age - 1 <= ${date(day)}
  group by f.member_id, ages.age, f.level, f.first_day
)`

/**
 * Adds the windows that have ended since the last figures, and recomputes those in which an order or a reward
 * was reversed.
 */
export async function refreshWindows(dbTx: Db, day: Day): Promise<void> {
  await sql`
    delete from earnings_windows as w where not exists (
      select from ${endedBy(day)} as e where e.member_id = w.member_id and e.age = w.age and e.level = w.level
        and e.first_day = w.first_day and e.paid_micros = w.paid_micros)
    or w.member_id in (select member_id from ${UNDONE_REWARDS} as undone
      where undone_at >= (select max(computed_at) - ${UNDONE_MARGIN} from earnings_days))`.execute(dbTx)
  // Existing windows are read once: a scan for each row would read all rows that the statement has just
  // written.
  await sql`
    with known as materialized (select member_id, age from earnings_windows)
    insert into earnings_windows (member_id, age, level, first_day, paid_micros, back_micros)
    select e.member_id, e.age, e.level, e.first_day, e.paid_micros, back.micros
    from ${endedBy(day)} as e
    left join known on known.member_id = e.member_id and known.age = e.age
    cross join lateral (select coalesce(sum(paid_micros), 0)::bigint as micros from ${REWARD_DAYS} as r
      where r.member_id = e.member_id and r.day < e.first_day + e.age) as back
    where known.member_id is null`.execute(dbTx)
}

/** Computes the figures to the end of a settled day from the orders, the sums of rewards and the windows. */
export function tally(dbTx: Db, day: Day): Promise<Earnings> {
  const commissions = sql`filter (where type <> 'Interest')`
  const ofAge = (age: number) => sql`
    max(paid_micros) filter (where age = ${sql.lit(age)}) as ${sql.ref(`paid_${age}`)},
    max(back_micros) filter (where age = ${sql.lit(age)}) as ${sql.ref(`back_${age}`)}`
  const columns = EARNINGS_AGES.map((age) => sql`w.${sql.ref(`paid_${age}`)}, w.${sql.ref(`back_${age}`)}`)
  return tallyRows(
    dbTx,
    sql`
    select f.level, f.first_day - date '1970-01-01', p.paid, coalesce(t.back, 0) - coalesce(later.back, 0),
      coalesce(t.commission, 0) - coalesce(later.commission, 0), ${sql.join(columns)}
    from ${firstsBy(day)} as f
    join (select member_id, sum(due)::bigint as paid from ${paidBy(day)} as paid group by member_id) as p
      on p.member_id = f.member_id
    left join (select member_id, sum(paid_micros)::bigint as back, (sum(paid_micros) ${commissions})::bigint as commission
      from ${REWARD_TOTALS} as totals group by member_id) as t on t.member_id = f.member_id
    left join (select member_id, sum(paid_micros)::bigint as back, (sum(paid_micros) ${commissions})::bigint as commission
      from ${REWARDS} as rewards where day > ${date(day)} group by member_id) as later on later.member_id = f.member_id
    left join (select member_id, ${sql.join(EARNINGS_AGES.map(ofAge))} from earnings_windows group by member_id) as w
      on w.member_id = f.member_id`,
    day,
  )
}
