import type { SettlementBatch } from '@rif/api-schema'
import type { Day, Micros, Ppm } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface StoredDay {
  readonly day: Day
  readonly state: 'fixed' | 'staged' | 'settled'
  readonly amcPriceMicros: Micros | null
  readonly fixedAt: Date
  readonly settledAt: Date | null
  readonly ranges: number
  readonly rangesPosted: number
}

/** The days of a span that have been begun. */
export async function days(db: Db, from: Day, to: Day): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    select day, state, amc_price_micros as "amcPriceMicros", fixed_at as "fixedAt", settled_at as "settledAt",
      count(r.range_id)::integer as ranges, count(r.posted_at)::integer as "rangesPosted"
    from settlement_days left join settlement_ranges as r using (day)
    where day between ${from}::date and ${to}::date group by day order by day desc`.execute(db)
  return rows
}

/** A batch of a day as it was fixed; of a day's commissions, which are many batches, the sum. */
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
    from reward_batches where batch in (
      select format('settlement/%s/%s', day, class) from settlement_days,
        unnest(array['pairing', 'management', 'static']) as class where ${span})
    union all
    select day, class, 'USDT', 'commission_pool', 0, 0, value_micros, paid_micros,
      (paid_micros::numeric * 1000000 / value_micros)::bigint::integer, null, null, 0
    from reward_coverage where ${span} and class = 'commission' and value_micros > 0
    union all
    select day, 'savings', asset, 'savings_pool', case asset when 'USDT' then pool_micros else 0 end,
      case asset when 'AMC' then pool_micros else 0 end, due_micros, paid_micros, coverage_ppm, null, null,
      account_count
    from savings_batches where ${span}
    order by day desc, class, unit desc`.execute(db)
  return rows
}

export interface DividendDay {
  readonly day: Day
  readonly poolUsdtMicros: Micros
  readonly poolAmcMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly holders: number
}

export async function dividendDays(db: Db, from: Day, to: Day): Promise<DividendDay[]> {
  const { rows } = await sql<DividendDay>`
    select day, pool_usdt_micros as "poolUsdtMicros", pool_amc_micros as "poolAmcMicros",
      usdt_micros as "usdtMicros", amc_micros as "amcMicros", holders::integer
    from dividend_days where day between ${from}::date and ${to}::date`.execute(db)
  return rows
}

/** A dry run as it is stored; its result is what the API tells of it. */
export interface DryRunRow {
  readonly runId: bigint
  readonly day: Day
  readonly step: 'waiting' | 'reading' | 'working' | 'done' | 'failed'
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly finishedAt: Date | null
  readonly failure: string | null
  readonly result: unknown
}

const RUN = sql`run_id as "runId", day, step, requested_by as "requestedBy", requested_at as "requestedAt",
  finished_at as "finishedAt", failure, result`

export async function lastRun(db: Db): Promise<DryRunRow | undefined> {
  const { rows } = await sql<DryRunRow>`
    select ${RUN} from settlement_dry_runs order by run_id desc limit 1`.execute(db)
  return rows[0]
}

/** Asks for a dry run, unless one is waiting or running; tells whether it did. */
export async function insertRun(
  dbTx: Db,
  run: { day: Day; requestedBy: string; requestedAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into settlement_dry_runs (day, requested_by, requested_at)
    values (${run.day}, ${run.requestedBy}, ${run.requestedAt})
    on conflict do nothing returning run_id`.execute(dbTx)
  return rows.length === 1
}

/** Takes the run that waits, or that somebody took and has said nothing of since `quietSince`. Of two at once one gets it. */
export async function takeRun(
  db: Db,
  at: Date,
  quietSince: Date,
): Promise<{ runId: bigint; day: Day } | undefined> {
  const { rows } = await sql<{ runId: bigint; day: Day }>`
    update settlement_dry_runs set step = 'reading', started_at = ${at}, beat_at = ${at}
    where finished_at is null and (step = 'waiting' or beat_at < ${quietSince})
    returning run_id as "runId", day`.execute(db)
  return rows[0]
}

export async function noteStep(db: Db, runId: bigint, step: 'working', at: Date): Promise<void> {
  await sql`
    update settlement_dry_runs set step = ${step}, beat_at = ${at}
    where run_id = ${runId} and finished_at is null`.execute(db)
}

/** Ends a run with its result or with what went wrong; the first to end it counts. */
export async function finishRun(
  db: Db,
  runId: bigint,
  outcome: { result: unknown } | { failure: string },
  at: Date,
): Promise<void> {
  const done = 'result' in outcome
  await sql`
    update settlement_dry_runs set step = ${done ? 'done' : 'failed'}, finished_at = ${at},
      result = ${done ? JSON.stringify(outcome.result) : null}::jsonb,
      failure = ${done ? null : outcome.failure}
    where run_id = ${runId} and finished_at is null`.execute(db)
}
