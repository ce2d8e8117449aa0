import { z } from 'zod'
import { total } from './analytics.ts'
import { planData } from './plans.ts'
import { day, id, moneyAsset, ppm, time } from './primitives.ts'

/** In the form that `parsePlan` of `@rif/rules` reads. */
const figures = z.record(z.string(), z.unknown())
const count = z.number().int()

/** A version as operators see it. */
export const planVersion = planData.extend({
  /** An address, or `set-up` of the first one. */
  created_by: z.string(),
  created_at: time,
})

export const adminPlanData = z.object({
  today: day,
  /** Newest first: those to come, the one in force today, and those before. */
  versions: z.array(planVersion),
  in_force: id,
  /** Settled days that two plans can be compared on; null before the first. */
  settled: z.object({ first: day, last: day }).nullable(),
})

/** The kinds of reward that a plan decides. Their sums are USDT worth; of savings interest at the day's price. */
export const comparedKind = z.enum([
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
  'Interest',
  'SavingsInterest',
])

const sums = z.object({ due: total, paid: total })
const covered = sums.extend({ count, coverage_ppm: ppm.nullable() })

/** What a member would have been paid in the range, in USDT worth. */
const comparedMember = z.object({ member_id: id, address: z.string(), before: total, after: total })
const comparedMembers = z.object({
  count,
  /** By how much in all, positive. */
  sum: total,
  /** The ten who gain or lose most. */
  largest: z.array(comparedMember),
})

/** What other figures would have made of the same history. `before`: under the plans that were in force. */
export const planComparisonResult = z.object({
  members: count,
  orders: count,
  kinds: z.array(z.object({ kind: comparedKind, before: covered, after: covered })),
  days: z.array(z.object({ day, kind: comparedKind, before: sums, after: sums })),
  /** What stands in the pools that pay rewards at the end of the last day. */
  pools: z.array(
    z.object({
      pool: z.enum(['commission_pool', 'yield_pool', 'savings_pool']),
      asset: moneyAsset,
      before: total,
      after: total,
    }),
  ),
  gain: comparedMembers,
  lose: comparedMembers,
  unchanged: count,
  /**
   * Whether working the books out again under the plans that were in force came to exactly what they hold: for how many
   * classes of days, from the first day on, and where not.
   */
  proof: z.object({ checked: count, differing: z.array(z.object({ day, class: z.string() })) }),
})

export const planComparison = z.object({
  run_id: id,
  figures,
  from: day,
  to: day,
  step: z.enum(['waiting', 'reading', 'working', 'done', 'failed', 'cancelled']),
  progress_ppm: ppm,
  requested_by: z.string(),
  requested_at: time,
  finished_at: time.nullable(),
  failure: z.string().nullable(),
  result: planComparisonResult.nullable(),
})
/** The last comparison; null before the first. */
export const planComparisonData = z.object({ run: planComparison.nullable() })

export const comparePlansBody = z.strictObject({
  figures,
  /** How many settled days, the last one included. */
  days: z.number().int().min(1).max(366),
})

export type PlanVersion = z.infer<typeof planVersion>
export type ComparedKind = z.infer<typeof comparedKind>
export type PlanComparison = z.infer<typeof planComparison>
export type PlanComparisonResult = z.infer<typeof planComparisonResult>
