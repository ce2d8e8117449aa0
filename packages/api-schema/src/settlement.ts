import { z } from 'zod'
import { paidClass, total } from './analytics.ts'
import { amount, day, id, moneyAsset, page, pageOf, ppm, time } from './primitives.ts'

const count = z.number().int()

/**
 * The alarms of a day. `late`: ended over two hours ago and not settled. `stopped`: started and not finished
 * within ten minutes. `price_missing`: the pool has AMC, but no AMC price was ever published. `uncovered`:
 * nothing of the due amount of a class was paid; `low_coverage`: less than half of it.
 */
export const settlementAlarm = z.enum(['late', 'stopped', 'price_missing', 'uncovered', 'low_coverage'])

/** A class of a fixed day. The commissions of orders are paid during the day, the rest in its settlement. */
export const settlementClass = z.object({
  class: paidClass,
  unit: moneyAsset,
  due: total,
  paid: total,
  coverage_ppm: ppm,
})

export const settlementDay = z.object({
  day,
  /** `open`: not ended; `due`: ended, settlement not started; `fixed`, `staged`: being settled. */
  state: z.enum(['open', 'due', 'fixed', 'staged', 'settled']),
  amc_price: amount.nullable(),
  fixed_at: time.nullable(),
  settled_at: time.nullable(),
  released_amc: total,
  classes: z.array(settlementClass),
  alarms: z.array(settlementAlarm),
})
export const settlementDaysQuery = page.extend({
  /** The last day. */
  to: day.optional(),
  /** Only days with an alarm. A page may then be short although others follow. */
  only: z.enum(['alarms']).optional(),
})
export const settlementDaysData = pageOf(settlementDay)

export const settlementDayParams = z.object({ day })

/** A fixed batch, or a batch of a dry run. The shares divide the paid value into USDT and AMC. */
export const settlementBatch = settlementClass.extend({
  pool: z.enum(['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool']),
  pool_usdt: total,
  pool_amc: total,
  count,
  usdt_share_ppm: ppm.nullable(),
  amc_share_ppm: ppm.nullable(),
  usdt: total,
  amc: total,
})

export const settlementDayDetail = settlementDay.extend({
  batches: z.array(settlementBatch),
  /** The ranges of members in which the day is posted. */
  ranges: count,
  ranges_posted: count,
})

/** The result of the next settlement if its day ended now, or of an ended day. */
export const dryRunResult = z.object({
  day,
  /** False if the day had ended. */
  running: z.boolean(),
  at: time,
  members: count,
  amc_price: amount.nullable(),
  released_amc: total,
  batches: z.array(settlementBatch),
  alarms: z.array(settlementAlarm),
})
export const dryRun = z.object({
  run_id: id,
  day,
  step: z.enum(['waiting', 'reading', 'working', 'done', 'failed']),
  requested_by: z.string(),
  requested_at: time,
  finished_at: time.nullable(),
  failure: z.string().nullable(),
  result: dryRunResult.nullable(),
})
/** The last dry run; null before the first. */
export const dryRunData = z.object({ run: dryRun.nullable() })

/** A settlement requested by an operator after an alarm. `failure` is the error code, or INTERNAL. */
export const settlementRerun = z.object({
  rerun_id: id,
  day,
  step: z.enum(['waiting', 'running', 'done', 'failed']),
  requested_by: z.string(),
  requested_at: time,
  finished_at: time.nullable(),
  failure: z.string().nullable(),
})
/** The last requested settlement; null before the first. */
export const settlementRerunData = z.object({ rerun: settlementRerun.nullable() })

export type DryRun = z.infer<typeof dryRun>
export type DryRunResult = z.infer<typeof dryRunResult>
export type SettlementAlarm = z.infer<typeof settlementAlarm>
export type SettlementBatch = z.infer<typeof settlementBatch>
export type SettlementDay = z.infer<typeof settlementDay>
export type SettlementRerun = z.infer<typeof settlementRerun>
export type SettlementDayDetail = z.infer<typeof settlementDayDetail>
