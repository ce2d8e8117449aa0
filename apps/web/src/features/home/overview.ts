import type { Me, Order, Reward, RewardType, Withdrawal } from '@rif/api-schema'
import { formatMicros, mul, parseMicros, worth } from '@rif/rules'
import { dayGroup } from '../../lib/format.ts'

/** What the home page shows, computed from what the API gives. */
export type RewardKind = 'recommendation' | 'organisation' | 'static' | 'management'

/** The four sums of the specification (section 3); pairing belongs to organisation. Rules, section 5. */
export const KIND_OF: Record<RewardType, RewardKind> = {
  ReferralReward: 'recommendation',
  TeamReward: 'organisation',
  PairingReward: 'organisation',
  Interest: 'static',
  ManagementReward: 'management',
}

export interface KindSums {
  kind: RewardKind
  /** USDT worth that was really paid; null when the rewards at hand do not reach back far enough to tell. */
  today: string | null
  yesterday: string | null
  total: string
}

/** What was paid by kind today, yesterday and in all. `rewards` are the newest ones, `complete` when there are no older ones. */
export function rewardSums(me: Me, rewards: readonly Reward[], complete: boolean, now: Date): KindSums[] {
  const totals: Record<RewardKind, string> = {
    recommendation: me.tjjl,
    organisation: me.pdjl,
    static: me.jtjl,
    management: me.gljl,
  }
  const oldest = rewards.at(-1)
  const reach = complete || oldest === undefined ? 3 : dayGroup(oldest.day, now)
  const sum = (kind: RewardKind, group: 1 | 2) => {
    if (reach <= group) return null
    const own = rewards.filter(
      (reward) => KIND_OF[reward.type] === kind && dayGroup(reward.day, now) === group,
    )
    return formatMicros(own.reduce((total, reward) => total + paidValue(reward), 0n))
  }
  return (Object.keys(totals) as RewardKind[]).map((kind) => ({
    kind,
    today: sum(kind, 1),
    yesterday: sum(kind, 2),
    total: totals[kind],
  }))
}

/** The USDT worth that a reward was really paid with. Rules, section 6. */
export const paidValue = (reward: Reward) => mul(parseMicros(reward.value), reward.coverage_ppm)

/** The accounts of a member that hold USDT and AMC, in the order they are shown. */
const ACCOUNTS = ['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'] as const

type Balances = Me['balances']

export const balanceOf = (me: Me, asset: keyof Balances, account: keyof Balances['USDT']) =>
  me.balances[asset][account]

/** What all USDT and AMC of a member are worth in USDT; without a price of AMC only the USDT. */
export function totalWorth(me: Me, amcPrice: string | null): string {
  const all = (asset: 'USDT' | 'AMC') =>
    ACCOUNTS.reduce((sum, account) => sum + parseMicros(balanceOf(me, asset, account)), 0n)
  const amc = amcPrice === null ? 0n : worth(all('AMC'), parseMicros(amcPrice))
  return formatMicros(all('USDT') + amc)
}

export type ActivityEntry =
  | { kind: 'reward'; at: string; reward: Reward }
  | { kind: 'order'; at: string; order: Order }
  | { kind: 'withdrawal'; at: string; withdrawal: Withdrawal }

/** The newest of rewards, orders and withdrawals together. */
export function recentActivity(
  rewards: readonly Reward[],
  orders: readonly Order[],
  withdrawals: readonly Withdrawal[],
  count: number,
): ActivityEntry[] {
  const entries: ActivityEntry[] = [
    ...rewards.map((reward) => ({ kind: 'reward' as const, at: reward.created_at, reward })),
    ...orders.map((order) => ({ kind: 'order' as const, at: order.created_at, order })),
    ...withdrawals.map((withdrawal) => ({
      kind: 'withdrawal' as const,
      at: withdrawal.created_at,
      withdrawal,
    })),
  ]
  return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, count)
}
