import { z } from 'zod'
import { planData } from './plans.ts'
import { address, amount, asset, day, hash, id, page, pageOf, ppm, time } from './primitives.ts'

/** Reward types of the specification, section 3, and the management award. */
export const rewardType = z.enum([
  'Interest',
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
])

export const reward = z.object({
  reward_id: id,
  type: rewardType,
  day,
  created_at: time,
  source_address: address.nullable(),
  order_id: id.nullable(),
  level: z.number().int(),
  base: amount,
  ratio_ppm: ppm,
  /** The due value after caps and before coverage. */
  value: amount,
  coverage_ppm: ppm,
  usdt: amount,
  amc: amount,
  flushed: amount,
})

/** The sums of the paid rewards in USDT worth: referral, organisation, static, management. */
export const incomeSums = z.object({ tjjl: amount, pdjl: amount, jtjl: amount, gljl: amount })

export const profitAllQuery = page.extend({ type: rewardType.optional() })
export const profitAllData = pageOf(reward).extend({
  sums: incomeSums,
  profit_sum: amount,
  yesterday_profit: amount,
  yesterday_profit_amc: amount,
})

/** The largest range of a query. */
const MAX_RANGE_DAYS = 366
const DAY_MS = 86_400_000

/** Accounting days, both included; by default the last 30 days. */
export const rewardRangeQuery = z
  .object({ from: day.optional(), to: day.optional() })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), 'from and to go together')
  .refine(({ from = '', to = '' }) => from <= to, 'from lies after to')
  .refine(
    ({ from, to }) =>
      from === undefined || to === undefined || Date.parse(to) - Date.parse(from) < MAX_RANGE_DAYS * DAY_MS,
    `at most ${MAX_RANGE_DAYS} days`,
  )

/** The paid amount in USDT worth, and the paid assets. */
const paidSums = { paid: amount, usdt: amount, amc: amount }

export const profitTypeData = z.object({
  from: day,
  to: day,
  items: z.array(z.object({ type: rewardType, count: z.number().int(), value: amount, ...paidSums })),
  sums: incomeSums,
})

/** Days with rewards, newest first. */
export const profitDayQuery = page
export const rewardDay = z.object({
  day,
  /** 1 today, 2 yesterday, 3 older (specification, section 9), by UTC day. */
  group: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  ...paidSums,
  sums: incomeSums,
  types: z.array(z.object({ type: rewardType, ...paidSums })),
})
export const profitDayData = pageOf(rewardDay)

/** External revenue paid into a pool, with its source, document and transaction. Rules, section 2. */
export const attestation = z.object({
  attestation_id: id,
  pool: z.enum(['yield_pool', 'savings_pool', 'dividend_pool']),
  asset,
  amount,
  source: z.string(),
  document_hash: hash,
  tx_hash: hash.nullable(),
  day,
})

export const rewardClass = z.enum(['commission', 'pairing', 'static', 'management'])

/**
 * The due and paid amounts of each class on each of the last 30 days, and the attestations of that period.
 */
export const profitCoverageData = z.object({
  from: day,
  to: day,
  days: z.array(z.object({ day, class: rewardClass, value: amount, paid: amount })),
  totals: z.array(z.object({ class: rewardClass, value: amount, paid: amount, coverage_ppm: ppm })),
  attestations: z.array(attestation),
})

/** The sums due and paid to the member by the orders of another member, by type. */
export const rewardSourceParams = z.object({ member_id: id })
export const rewardSourceData = z.object({
  value: amount,
  paid: amount,
  types: z.array(z.object({ type: rewardType, count: z.number().int(), value: amount, paid: amount })),
})

/** The current management award. Rules, section 5.5. */
export const management = z.object({
  /** 0 below M1. */
  rank: z.number().int().min(0).max(5),
  ratio_ppm: ppm,
  base: amount,
  /** The amount due if it were settled with this base. */
  value: amount,
  paused: z.boolean(),
  /** The last day of the month, whose settlement pays it unless paused. */
  settles_on: day,
  /** The rank above; null at the top. */
  next: z.object({ rank: z.number().int(), from: amount, ratio_ppm: ppm }).nullable(),
})
export const managementBody = z.object({ action: z.enum(['pause', 'resume']) })

/** A reward with all inputs of its calculation, which `@rif/rules` can repeat. */
export const rewardParams = z.object({ reward_id: id })
export const rewardDetail = reward.extend({
  paid: amount,
  /** The member's own name for the member whose order paid it. */
  source_label: z.string().nullable(),
  /**
   * All rewards that the order paid to the member, including this one; empty for rewards without an order.
   */
  of_order: z.array(
    z.object({ reward_id: id, type: rewardType, ratio_ppm: ppm, value: amount, paid: amount }),
  ),
  usdt_share_ppm: ppm,
  amc_share_ppm: ppm,
  /** The number of daily parts in which the AMC are released, from the next day on. */
  release_parts: z.number().int(),
  plan: planData,
  /** Organisation: the rate covered by members between the buyer and this one. */
  covered_ppm: ppm.nullable(),
  /** Static: the earlier static rewards of the package. */
  package_paid_before: amount.nullable(),
  /** Pairing: the daily cap that the operator had set for this member, in addition to that of the level. */
  own_day_cap: amount.nullable(),
  /** The batch of the reward, and the balances of its pool at that time. */
  batch: z.object({
    class: rewardClass,
    pool: z.enum(['commission_pool', 'yield_pool']),
    pool_usdt: amount,
    pool_amc: amount,
    amc_price: amount.nullable(),
    value: amount,
    paid: amount,
    count: z.number().int(),
    paid_at: time,
  }),
  /** The last attestations for `yield_pool` up to the day of the reward; empty for the commission pool, which package sales fill. */
  attestations: z.array(attestation),
})

export type Attestation = z.infer<typeof attestation>
export type Management = z.infer<typeof management>
export type ProfitCoverage = z.infer<typeof profitCoverageData>
export type ProfitType = z.infer<typeof profitTypeData>
export type RewardClassName = z.infer<typeof rewardClass>
export type RewardDay = z.infer<typeof rewardDay>
export type RewardSource = z.infer<typeof rewardSourceData>
export type RewardDetail = z.infer<typeof rewardDetail>
export type Reward = z.infer<typeof reward>
export type RewardType = z.infer<typeof rewardType>
