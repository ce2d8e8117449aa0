import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** UTC days, both included. */
export interface DaySpan {
  readonly from: Day
  readonly to: Day
}

export interface MemberDay {
  readonly day: Day
  readonly joined: number
  readonly becameValid: number
}

/**
 * Returns the counts from a day on. A total at the end of a day is the current total less the later counts.
 */
export async function memberDays(db: Db, from: Day): Promise<MemberDay[]> {
  const { rows } = await sql<MemberDay>`
    select day, joined::integer, became_valid::integer as "becameValid" from member_days
    where day >= ${from}::date order by day`.execute(db)
  return rows
}

export async function memberLevels(db: Db): Promise<{ level: number; members: number }[]> {
  const { rows } = await sql<{ level: number; members: number }>`
    select level, members::integer from member_levels order by level`.execute(db)
  return rows
}

/**
 * Returns the orders of a package created, cancelled and paid on a day, with the revenue of the paid ones.
 */
export interface PackageDay {
  readonly packageId: number
  readonly day: Day
  readonly ordered: number
  readonly firstOrdered: number
  readonly cancelled: number
  readonly paid: number
  readonly baseMicros: bigint
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  readonly rifMicros: bigint
}

export async function packageDays(db: Db, { from, to }: DaySpan): Promise<PackageDay[]> {
  type Row = Omit<PackageDay, 'baseMicros' | 'usdtMicros' | 'amcMicros' | 'rifMicros'> &
    Record<'base' | 'usdt' | 'amc' | 'rif', string>
  const { rows } = await sql<Row>`
    select package_id as "packageId", day, coalesce(ordered, 0)::integer as ordered,
      coalesce(first_ordered, 0)::integer as "firstOrdered", coalesce(cancelled, 0)::integer as cancelled,
      coalesce(paid, 0)::integer as paid, coalesce(base_micros, 0)::text as base,
      coalesce(usdt_micros, 0)::text as usdt, coalesce(amc_micros, 0)::text as amc, coalesce(rif_micros, 0)::text as rif
    from (select * from order_days where day between ${from}::date and ${to}::date) as made
    full join (select * from sales_days where day between ${from}::date and ${to}::date) as sold
      using (package_id, day)
    order by day, package_id`.execute(db)
  return rows.map(({ base, usdt, amc, rif, ...row }) => ({
    ...row,
    baseMicros: BigInt(base),
    usdtMicros: BigInt(usdt),
    amcMicros: BigInt(amc),
    rifMicros: BigInt(rif),
  }))
}

/** Returns the non-member wallets that requested a nonce, from the sums of days and the remaining visits. */
export async function visits(db: Db, { from, to }: DaySpan): Promise<{ day: Day; visitors: number }[]> {
  const { rows } = await sql<{ day: Day; visitors: number }>`
    select day, sum(visitors)::integer as visitors from (
      select day, visitors from sign_in_days where day between ${from}::date and ${to}::date
      union all
      select day, count(*) from sign_in_visits where day between ${from}::date and ${to}::date group by day
    ) as visits group by day order by day`.execute(db)
  return rows
}

/**
 * Returns the amounts due and paid of a class on a day: rewards in USDT, interest and dividends in their
 * asset.
 */
export interface PaidDay {
  readonly day: Day
  readonly class: 'commission' | 'pairing' | 'management' | 'static' | 'savings' | 'dividend'
  readonly unit: 'USDT' | 'AMC'
  readonly dueMicros: bigint
  readonly paidMicros: bigint
}

export async function paidDays(db: Db, { from, to }: DaySpan): Promise<PaidDay[]> {
  const inRange = sql`day between ${from}::date and ${to}::date`
  const { rows } = await sql<PaidDay>`
    select day, class, 'USDT' as unit, value_micros as "dueMicros", paid_micros as "paidMicros"
    from reward_coverage where ${inRange}
    union all
    select day, 'savings', asset, due_micros, paid_micros from savings_batches where ${inRange}
    union all
    select day, 'dividend', 'USDT', pool_usdt_micros, usdt_micros from dividend_days
    where pool_usdt_micros > 0 and ${inRange}
    union all
    select day, 'dividend', 'AMC', pool_amc_micros, amc_micros from dividend_days
    where pool_amc_micros > 0 and ${inRange}
    order by day, class, unit desc`.execute(db)
  return rows
}

/** Returns the reserved amounts of the pools. */
export async function reserved(db: Db): Promise<{ account: string; asset: string; micros: bigint }[]> {
  const { rows } = await sql<{ account: string; asset: string; micros: bigint }>`
    select account, asset, reserved as micros from ledger_pool_sums where reserved > 0`.execute(db)
  return rows
}

/** A fund product with its NAV, its cash and the value of its investments. */
export interface ProductState {
  readonly productId: bigint
  readonly name: string
  readonly state: 'draft' | 'open' | 'closed'
  readonly units: bigint
  readonly waiting: number
  readonly navMicros: bigint
  readonly navAt: Date | null
  readonly cashMicros: bigint
  readonly investedMicros: bigint
}

export async function products(db: Db): Promise<ProductState[]> {
  const { rows } = await sql<ProductState>`
    select p.product_id as "productId", p.name, p.state, p.units_outstanding as units,
      p.redemptions_waiting::integer as waiting, p.nav_micros as "navMicros",
      p.invested_micros as "investedMicros", coalesce(pool.balance, 0) as "cashMicros",
      (select max(published_at) from fund_navs where product_id = p.product_id) as "navAt"
    from fund_products as p
    left join ledger_pool_sums as pool
      on pool.account = format('fund_custody:%s', p.product_id) and pool.asset = 'USDT'
    order by p.product_id`.execute(db)
  return rows
}
