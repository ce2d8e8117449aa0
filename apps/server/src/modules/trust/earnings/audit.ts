import { isDeepStrictEqual } from 'node:util'
import type { EarningsFigures } from '@rif/api-schema'
import { addDays, type Day, EARNINGS_AGES } from '@rif/rules'
import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../../db/database.ts'
import * as repository from './earnings.repository.ts'
import { tallyRows } from './rows.ts'
import { earningsView } from './view.ts'

/** A record that the postings of the ledger do not confirm. */
interface Unconfirmed {
  readonly subject: string
  readonly recorded: string
  readonly posted: string
}

/** Published figures, and the same figures recomputed from the postings. */
export interface EarningsCheck {
  readonly day: Day
  readonly published: EarningsFigures
  readonly recomputed: EarningsFigures
  readonly unconfirmed: readonly Unconfirmed[]
  readonly agrees: boolean
}

const SHOWN = 100

/** Unreversed postings of payments, by order. */
const POSTED_ORDERS = sql`(
  select member_id, cause_id::bigint as order_id, min(accounting_day) as day,
    coalesce(sum(amount) filter (where asset = 'USDT'), 0) as usdt,
    coalesce(sum(amount) filter (where asset = 'AMC'), 0) as amc
  from ledger_standing where kind = 'order_payment' and cause_type = 'order' group by member_id, cause_id
)`

const RECORDED_ORDERS = sql`(
  select member_id, order_id, level, paid_sequence, (collected_at at time zone 'UTC')::date as day,
    price_micros - case when use_hash_rate then discount_micros else 0 end as due,
    case when use_hash_rate then discounted_usdt_micros else full_usdt_micros end as usdt,
    case when use_hash_rate then discounted_amc_micros else full_amc_micros end as amc
  from orders where status = 'Paid'
)`

/** Unreversed postings of rewards, by member and batch. */
const POSTED_REWARDS = sql`(
  select member_id, idempotency_key as batch, min(accounting_day) as day,
    coalesce(sum(amount) filter (where asset = 'USDT'), 0) as usdt,
    coalesce(sum(amount) filter (where asset = 'AMC'), 0) as amc
  from ledger_standing where kind in ('commission', 'pairing', 'management', 'static')
  group by member_id, idempotency_key
)`

const RECORDED_REWARDS = sql`(
  select member_id, batch, day, sum(usdt_micros) as usdt, sum(amc_micros) as amc, sum(paid_micros) as paid,
    coalesce(sum(paid_micros) filter (where type <> 'Interest'), 0) as commission
  from rewards group by member_id, batch, day
)`

/**
 * Recomputes the figures of a day, by default the newest, and compares them with the published ones. Reads
 * the ledger postings and the records that state their value, and none of the sums that the figures were
 * published from. Returns undefined if nothing is published.
 */
export function checkEarnings(db: Db, wanted?: Day): Promise<EarningsCheck | undefined> {
  return inSnapshot(db, async (snapshot) => {
    const dayRow = await repository.publishedEarnings(snapshot, wanted)
    if (dayRow === undefined) return undefined
    const { day, figures: published } = dayRow
    const unconfirmed = await unconfirmedRecords(snapshot)
    const earnings = await tallyRows(snapshot, recomputation(day), day)
    const recomputed = earningsView(earnings, await repository.countMembers(snapshot, day))
    const agrees = unconfirmed.length === 0 && isDeepStrictEqual(published, recomputed)
    return { day, published, recomputed, unconfirmed, agrees }
  })
}

/** Returns at most `SHOWN` orders and rewards whose record and postings differ. */
async function unconfirmedRecords(snapshot: Db): Promise<Unconfirmed[]> {
  const { rows } = await sql<Unconfirmed>`
    select format('order %s of member %s', order_id, member_id) as subject,
      concat_ws(' ', r.day, r.usdt, r.amc) as recorded, concat_ws(' ', p.day, p.usdt, p.amc) as posted
    from ${RECORDED_ORDERS} as r full join ${POSTED_ORDERS} as p using (member_id, order_id)
    where (r.day, r.usdt::numeric, r.amc::numeric) is distinct from (p.day, p.usdt, p.amc)
    union all
    select format('reward %s of member %s', batch, member_id), concat_ws(' ', r.day, r.usdt, r.amc),
      concat_ws(' ', p.day, p.usdt, p.amc)
    from (select * from ${RECORDED_REWARDS} as all_rewards where usdt > 0 or amc > 0) as r
    full join ${POSTED_REWARDS} as p using (member_id, batch)
    where (r.day, r.usdt::numeric, r.amc::numeric) is distinct from (p.day, p.usdt, p.amc)
    limit ${SHOWN}`.execute(snapshot)
  return rows
}

/** Returns the rows of `tallyRows` from the records that the postings confirm. */
function recomputation(day: Day) {
  const until = sql`${sql.lit(addDays(day, 1))}::date`
  const sums = EARNINGS_AGES.map((age) => {
    const inAge = sql`where e.day < f.first_day + ${sql.lit(age)}`
    return sql`(sum(e.paid) filter (${inAge}))::bigint, (sum(e.back) filter (${inAge}))::bigint`
  })
  return sql`
    with packages as (
      select o.member_id, o.level, o.paid_sequence, p.day, o.due
      from ${RECORDED_ORDERS} as o join ${POSTED_ORDERS} as p using (member_id, order_id) where p.day < ${until}
    ), firsts as (
      select distinct on (member_id) member_id, level, day as first_day
      from packages order by member_id, paid_sequence
    ), entries as (
      select member_id, day, due as paid, 0 as back, 0 as commission from packages
      union all
      -- A reward below a micro-unit of either asset has no postings.
      select r.member_id, coalesce(p.day, r.day), 0, r.paid, r.commission
      from ${RECORDED_REWARDS} as r left join ${POSTED_REWARDS} as p using (member_id, batch)
      where coalesce(p.day, r.day) < ${until} and (p.day is not null or (r.usdt = 0 and r.amc = 0))
    )
    select f.level, f.first_day - date '1970-01-01', sum(e.paid)::bigint, sum(e.back)::bigint,
      sum(e.commission)::bigint, ${sql.join(sums)}
    from firsts as f join entries as e on e.member_id = f.member_id
    group by f.member_id, f.level, f.first_day`
}
