import { addDays, type Day, type Micros } from '@rif/rules'
import { sql } from 'kysely'
import { type CopiedRow, copyOut } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'
import { FLOWS } from '../../books/ledger/ledger.relations.ts'
import { BATCHES, DAY_CAPS, SWITCHES } from '../../rewards/rewards.relations.ts'
import { SAVINGS_BATCHES, SAVINGS_TRANSFERS } from '../../savings/savings.relations.ts'
import { PAID_ORDERS } from '../../shop/shop.relations.ts'

/** A settled day with its fixed values. */
export interface SettledDay {
  readonly day: Day
  readonly fixedAt: Date
  readonly amcPriceMicros: Micros | null
}

/** Returns all settled days up to one, in order. */
export async function settledDays(db: Db, to: Day): Promise<SettledDay[]> {
  const { rows } = await sql<SettledDay>`
    select day, fixed_at as "fixedAt", amc_price_micros as "amcPriceMicros"
    from settlement_days where state = 'settled' and day <= ${to}::date order by day`.execute(db)
  return rows
}

/**
 * Returns all orders collected before a moment, in order of payment: member, level, discount, AMC price, and
 * the times of quote and collection, in milliseconds.
 */
export function eachSale(dbTx: Db, before: Date, use: (row: CopiedRow) => void): Promise<void> {
  return copyOut(
    dbTx,
    sql`select member_id, level, discount, amc_price_micros,
        (extract(epoch from created_at) * 1000)::bigint, (extract(epoch from collected_at) * 1000)::bigint
      from ${PAID_ORDERS} as orders where collected_at < ${sql.lit(before.toISOString())}::timestamptz
      order by paid_sequence`,
    use,
  )
}

/** Streams savings deposits and withdrawals, by member, asset (1 is AMC) and accounting day: in, out. */
export function eachSaving(dbTx: Db, to: Day, use: (row: CopiedRow) => void): Promise<void> {
  return copyOut(
    dbTx,
    sql`select (day - date '2000-01-01'), member_id, (asset = 'AMC')::integer,
        coalesce(sum(amount_micros) filter (where direction = 'in'), 0)::bigint,
        coalesce(sum(amount_micros) filter (where direction = 'out'), 0)::bigint
      from ${SAVINGS_TRANSFERS} as moved where day <= ${sql.lit(to)}::date
      group by day, member_id, asset order by day, member_id, asset`,
    use,
  )
}

/** A member's setting that applied from a moment on, oldest first. */
export interface MemberSetting<T> {
  readonly memberId: bigint
  readonly value: T
  readonly at: Date
}

/** Returns the pauses and resumptions of the management award. */
export async function switches(db: Db): Promise<MemberSetting<boolean>[]> {
  const { rows } = await sql<MemberSetting<boolean>>`
    select member_id as "memberId", paused as value, switched_at as at
    from ${SWITCHES} as switches order by member_id, switch_id`.execute(db)
  return rows
}

/** Returns the members' own pairing caps. */
export async function dayCaps(db: Db): Promise<MemberSetting<Micros | null>[]> {
  const { rows } = await sql<MemberSetting<Micros | null>>`
    select member_id as "memberId", cap_micros as value, set_at as at
    from ${DAY_CAPS} as caps order by member_id, cap_id`.execute(db)
  return rows
}

/** Returns the amount that entered a pool on an accounting day other than from sales, less reversals. */
export interface Funding {
  readonly day: Day
  readonly pool: 'yield_pool' | 'savings_pool'
  readonly asset: 'USDT' | 'AMC'
  readonly micros: Micros
}

export async function funding(db: Db, to: Day): Promise<Funding[]> {
  const { rows } = await sql<Omit<Funding, 'micros'> & { micros: string }>`
    select accounting_day as day, side.pool, asset,
      sum(case when side.incoming then amount else -amount end)::text as micros
    from ${FLOWS} as flows, lateral (values (destination, true), (source, false)) as side (pool, incoming)
    where side.pool in ('yield_pool', 'savings_pool') and kind not in ('static', 'savings_interest')
      and accounting_day < ${addDays(to, 1)}::date
    group by accounting_day, side.pool, asset`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}

/** Returns the rewards of a class on a day: their number, the amount due and the amount paid. */
export interface PaidClassOfDay {
  readonly day: Day
  readonly class: 'commission' | 'pairing' | 'management' | 'static' | 'savings_usdt' | 'savings_amc'
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  readonly count: number
}

export async function paidClasses(db: Db, to: Day): Promise<PaidClassOfDay[]> {
  const { rows } = await sql<PaidClassOfDay>`
    select day, class, sum(value_micros)::bigint as "dueMicros", sum(paid_micros)::bigint as "paidMicros",
      sum(reward_count)::integer as count
    from ${BATCHES} as batches where day <= ${to}::date group by day, class
    union all
    select day, 'savings_' || lower(asset), due_micros, paid_micros, account_count
    from ${SAVINGS_BATCHES} as batches where day <= ${to}::date`.execute(db)
  return rows
}
