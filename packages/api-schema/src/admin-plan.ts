import { z } from 'zod'
import { total } from './analytics.ts'
import { planData, planFigures } from './plans.ts'
import { day, id, moneyAsset, ppm, time } from './primitives.ts'

const count = z.number().int()

/** A version of the plan, for admins. */
export const planVersion = planData.extend({
  /** An address, or `set-up` for the first version. */
  created_by: z.string(),
  created_at: time,
})

export const adminPlanData = z.object({
  today: day,
  /** Newest first, including future versions. */
  versions: z.array(planVersion),
  /** Null before the first plan. */
  in_force: id.nullable(),
  /** The figures in force; before the first plan those of the demonstration, which hold nowhere. */
  figures: planData.shape.figures,
  /** The settled days available for comparisons; null before the first. */
  settled: z.object({ first: day, last: day }).nullable(),
})

/** The kinds of rewards that depend on the plan. Sums are in USDT worth; savings interest at the price of the day. */
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

/** The rewards of a member in the range under both plans, in USDT worth. */
const comparedMember = z.object({ member_id: id, address: z.string(), before: total, after: total })
const comparedMembers = z.object({
  count,
  /** The total difference, positive. */
  sum: total,
  /** The ten members with the largest differences. */
  largest: z.array(comparedMember),
})

/** The result of the same history under other figures. `before` holds the values under the plans that were in force. */
export const planComparisonResult = z.object({
  members: count,
  orders: count,
  kinds: z.array(z.object({ kind: comparedKind, before: covered, after: covered })),
  days: z.array(z.object({ day, kind: comparedKind, before: sums, after: sums })),
  /** The balances of the reward pools at the end of the last day. */
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
   * The check that recalculating the range under the plans that were in force reproduces the books exactly: the number of
   * compared classes of days, and the differences.
   */
  proof: z.object({ checked: count, differing: z.array(z.object({ day, class: z.string() })) }),
})

export const planComparison = z.object({
  run_id: id,
  figures: z.record(z.string(), z.unknown()),
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
  figures: planFigures,
  /** The number of settled days, up to and including the last one. */
  days: z.number().int().min(1).max(366),
})

export type PlanVersion = z.infer<typeof planVersion>
export type ComparedKind = z.infer<typeof comparedKind>
export type PlanComparison = z.infer<typeof planComparison>
export type PlanComparisonResult = z.infer<typeof planComparisonResult>
