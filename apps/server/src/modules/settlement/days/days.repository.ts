import type { SettlementBatch } from '@rif/api-schema'
import type { Day, Micros, Ppm } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { DIVIDEND_DAYS } from '../../exchange/exchange.relations.ts'
import { BATCHES, COVERAGE } from '../../rewards/rewards.relations.ts'
import { SAVINGS_BATCHES } from '../../savings/savings.relations.ts'

export interface StoredDay {
  readonly day: Day
  readonly state: 'fixed' | 'staged' | 'settled'
  readonly amcPriceMicros: Micros | null
  readonly fixedAt: Date
  readonly settledAt: Date | null
  readonly ranges: number
  readonly rangesPosted: number
}

/** Returns the begun days of a range. */
export async function days(db: Db, from: Day, to: Day): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    select day, state, amc_price_micros as "amcPriceMicros", fixed_at as "fixedAt", settled_at as "settledAt",
      count(r.range_id)::integer as ranges, count(r.posted_at)::integer as "rangesPosted"
    from settlement_days left join settlement_ranges as r using (day)
    where day between ${from}::date and ${to}::date group by day order by day desc`.execute(db)
  return rows
}

/** A fixed batch of a day; for a day's commissions, which are many batches, their sum. */
export interface FixedBatch {
  readonly day: Day
  readonly class: 'commission' | 'pairing' | 'management' | 'static' | 'savings'
  readonly unit: 'USDT' | 'AMC'
  readonly pool: SettlementBatch['pool']
  readonly poolUsdtMicros: Micros
  readonly poolAmcMicros: Micros
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  readonly coveragePpm: Ppm
  readonly usdtSharePpm: Ppm | null
  readonly amcSharePpm: Ppm | null
  readonly count: number
}

export async function batches(db: Db, from: Day, to: Day): Promise<FixedBatch[]> {
  const span = sql`day between ${from}::date and ${to}::date`
  const { rows } = await sql<FixedBatch>`
    select day, class, 'USDT' as unit, pool, pool_usdt_micros as "poolUsdtMicros", pool_amc_micros as "poolAmcMicros",
      value_micros as "dueMicros", paid_micros as "paidMicros", coverage_ppm as "coveragePpm",
      usdt_share_ppm as "usdtSharePpm", amc_share_ppm as "amcSharePpm", reward_count as count
    from ${BATCHES} as batches where batch in (
      select format('settlement/%s/%s', day, class) from settlement_days,
        unnest(array['pairing', 'management', 'static']) as class where ${span})
    union all
    select day, class, 'USDT', 'commission_pool', 0, 0, value_micros, paid_micros,
      (paid_micros::numeric * 1000000 / value_micros)::bigint::integer, null, null, 0
    from ${COVERAGE} as coverage where ${span} and class = 'commission' and value_micros > 0
    union all
    select day, 'savings', asset, 'savings_pool', case asset when 'USDT' then pool_micros else 0 end,
      case asset when 'AMC' then pool_micros else 0 end, due_micros, paid_micros, coverage_ppm, null, null,
      account_count
    from ${SAVINGS_BATCHES} as batches where ${span}
    order by day desc, class, unit desc`.execute(db)
  return rows
}

export interface SettledDividendDay {
  readonly day: Day
  readonly poolUsdtMicros: Micros
  readonly poolAmcMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly holders: number
}

export async function dividendDays(db: Db, from: Day, to: Day): Promise<SettledDividendDay[]> {
  const { rows } = await sql<SettledDividendDay>`
    select day, pool_usdt_micros as "poolUsdtMicros", pool_amc_micros as "poolAmcMicros",
      usdt_micros as "usdtMicros", amc_micros as "amcMicros", holders::integer
    from ${DIVIDEND_DAYS} as shared where day between ${from}::date and ${to}::date`.execute(db)
  return rows
}
