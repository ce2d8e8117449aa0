import type { RewardDetail } from '@rif/api-schema'
import {
  defaultPlan,
  formatMicros,
  mul,
  payBatch,
  REWARD_POOL,
  type RewardKind,
  serialisePlan,
  settleManagement,
  settlePairing,
  staticDue,
  termsOfLevel,
} from '@rif/rules'

const CLASSES = {
  ReferralReward: 'commission',
  TeamReward: 'commission',
  PairingReward: 'pairing',
  ManagementReward: 'management',
  Interest: 'static',
} as const satisfies Record<RewardKind, string>

/** The settlement of a reward: its kind, its base, and the pool that pays it beside others. */
export interface Story {
  type: RewardKind
  level: number
  baseMicros: bigint
  belowLevel: number
  paidBeforeMicros: bigint
  ownDayCapMicros: bigint | null
  others: bigint[]
  pool: { usdtMicros: bigint; amcMicros: bigint; amcPriceMicros: bigint | null }
}

/**
 * Returns the amount due of a story, written out by hand for commissions and by the settlement's rules for
 * the rest.
 */
export function dueOf(story: Story) {
  const { type, level, baseMicros, belowLevel, paidBeforeMicros, ownDayCapMicros } = story
  const terms = termsOfLevel(defaultPlan, level)!
  const covered = type === 'TeamReward' ? coveredBy(Math.min(belowLevel, level - 1)) : null
  const simple = (ratioPpm: number) => ({
    ratioPpm,
    valueMicros: mul(baseMicros, ratioPpm),
    flushedMicros: 0n,
    covered,
  })
  switch (type) {
    case 'ReferralReward':
      return simple(terms.referralPpm)
    case 'TeamReward':
      return simple(terms.organisationPpm - covered!)
    case 'PairingReward': {
      const carries = { carryLeftMicros: baseMicros, carryRightMicros: baseMicros * 2n }
      return { ...settlePairing({ ...carries, level, ownDayCapMicros }, defaultPlan), covered }
    }
    case 'ManagementReward':
      return { ...settleManagement(baseMicros, false, defaultPlan), flushedMicros: 0n, covered }
    case 'Interest': {
      const { staticPpm } = terms
      const paid = { priceMicros: baseMicros, staticPpm, paidSoFarMicros: paidBeforeMicros }
      return { ratioPpm: staticPpm, valueMicros: staticDue(paid, defaultPlan), flushedMicros: 0n, covered }
    }
  }
}

const coveredBy = (level: number) => termsOfLevel(defaultPlan, level)?.organisationPpm ?? 0

/** Returns the server's detail of a story. */
export function rewardDetail(story: Story): RewardDetail {
  const due = dueOf(story)
  const values = [due.valueMicros, ...story.others]
  const paid = payBatch(story.pool, values, defaultPlan)
  const own = paid.payouts[0]!
  return {
    reward_id: '1',
    type: story.type,
    day: '2026-01-02',
    created_at: '2026-01-03T00:00:05.000Z',
    source_address: null,
    source_label: null,
    order_id: null,
    of_order: [],
    level: story.level,
    base: formatMicros(story.baseMicros),
    ratio_ppm: due.ratioPpm,
    value: formatMicros(due.valueMicros),
    flushed: formatMicros(due.flushedMicros),
    coverage_ppm: paid.coveragePpm,
    usdt: formatMicros(own.usdtMicros),
    amc: formatMicros(own.amcMicros),
    paid: formatMicros(own.paidMicros),
    usdt_share_ppm: paid.usdtSharePpm,
    amc_share_ppm: paid.amcSharePpm,
    release_parts: defaultPlan.reward.releaseParts,
    plan: { version: '1', effective_day: '2000-01-01', figures: { ...serialisePlan(defaultPlan) } },
    covered_ppm: due.covered,
    package_paid_before: story.type === 'Interest' ? formatMicros(story.paidBeforeMicros) : null,
    own_day_cap:
      story.type === 'PairingReward' && story.ownDayCapMicros !== null
        ? formatMicros(story.ownDayCapMicros)
        : null,
    batch: {
      class: CLASSES[story.type],
      pool: REWARD_POOL[story.type],
      pool_usdt: formatMicros(story.pool.usdtMicros),
      pool_amc: formatMicros(story.pool.amcMicros),
      amc_price: story.pool.amcPriceMicros === null ? null : formatMicros(story.pool.amcPriceMicros),
      value: formatMicros(paid.dueMicros),
      paid: formatMicros(paid.payouts.reduce((sum, payout) => sum + payout.paidMicros, 0n)),
      count: values.length,
      paid_at: '2026-01-03T00:00:05.000Z',
    },
    attestations: [],
  }
}
