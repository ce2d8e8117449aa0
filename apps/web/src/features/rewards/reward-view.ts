import type { Reward, RewardType } from '@rif/api-schema'
import { INCOME_SUMS, type IncomeSum } from '@rif/rules'
import { dayGroup } from '../../lib/index.ts'

/** The reward types in the order of the filter. */
export const REWARD_TYPES = [
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'Interest',
  'ManagementReward',
] as const satisfies readonly RewardType[]

/** The names of the sums in the order in which they are shown. */
export const SUM_NAMES = Object.keys(INCOME_SUMS) as IncomeSum[]

export type DayGroup = 'today' | 'yesterday' | 'older'
const GROUPS: Record<1 | 2 | 3, DayGroup> = { 1: 'today', 2: 'yesterday', 3: 'older' }

/**
 * The group that a reward stands in, by the UTC day on which it was paid. That is the order of the list; the day it
 * counts for is not: a settlement of yesterday may be paid after the first commissions of today.
 */
export const groupOf = (reward: Pick<Reward, 'created_at'>, now: Date): DayGroup =>
  GROUPS[dayGroup(reward.created_at.slice(0, 10), now)]
