import type { OperatorAccount } from './assets.ts'
import { type Micros, mul, type Ppm } from './money.ts'

/** The kinds of rewards. Rules, section 5. */
export const REWARD_KINDS = [
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
  'Interest',
] as const
export type RewardKind = (typeof REWARD_KINDS)[number]

/** The pool that pays each kind. Rules, sections 2 and 6. */
export const REWARD_POOL = {
  ReferralReward: 'commission_pool',
  TeamReward: 'commission_pool',
  PairingReward: 'commission_pool',
  ManagementReward: 'commission_pool',
  Interest: 'yield_pool',
} as const satisfies Record<RewardKind, OperatorAccount>

/** The income sums of the account page, with the kinds that each one includes. Rules, section 5. */
export const INCOME_SUMS = {
  tjjl: ['ReferralReward'],
  pdjl: ['TeamReward', 'PairingReward'],
  jtjl: ['Interest'],
  gljl: ['ManagementReward'],
} as const satisfies Record<string, readonly RewardKind[]>
export type IncomeSum = keyof typeof INCOME_SUMS

/**
 * Returns the amount that the limit of its kind (the daily cap of pairing, that of a package's static rewards)
 * cut from a reward's base times ratio, in micro-units. Rules, sections 5.3 and 5.4.
 */
export function cutByLimit(reward: {
  readonly baseMicros: Micros
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
}): Micros {
  return mul(reward.baseMicros, reward.ratioPpm) - reward.valueMicros
}
