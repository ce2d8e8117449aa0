import type { RewardDetail } from '@rif/api-schema'
import {
  batchCoverage,
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
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Explanation, explainReward } from './explain.ts'

const CLASSES = {
  ReferralReward: 'commission',
  TeamReward: 'commission',
  PairingReward: 'pairing',
  ManagementReward: 'management',
  Interest: 'static',
} as const satisfies Record<RewardKind, string>

interface Story {
  type: RewardKind
  level: number
  baseMicros: bigint
  belowLevel: number
  paidBeforeMicros: bigint
  ownDayCapMicros: bigint | null
  others: bigint[]
  pool: { usdtMicros: bigint; amcMicros: bigint; amcPriceMicros: bigint | null }
}

const micros = (max: bigint) => fc.bigInt({ min: 0n, max })
const stories: fc.Arbitrary<Story> = fc.record({
  type: fc.constantFrom(...(Object.keys(CLASSES) as RewardKind[])),
  level: fc.integer({ min: 1, max: 5 }),
  baseMicros: fc.bigInt({ min: 20_000_000_000n, max: 10n ** 12n }),
  belowLevel: fc.integer({ min: 0, max: 4 }),
  paidBeforeMicros: micros(100_000_000n),
  ownDayCapMicros: fc.option(fc.bigInt({ min: 1n, max: 20_000_000_000n })),
  others: fc.array(fc.bigInt({ min: 1n, max: 10n ** 11n }), { maxLength: 4 }),
  pool: fc.record({
    usdtMicros: micros(10n ** 11n),
    amcMicros: micros(10n ** 11n),
    amcPriceMicros: fc.option(fc.bigInt({ min: 1n, max: 5_000_000n })),
  }),
})

/**
 * Returns the amount due of a story, written out by hand for commissions and by the settlement's rules for
 * the rest.
 */
function dueOf(story: Story) {
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
function told(story: Story): RewardDetail {
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

const explained = (reward: RewardDetail): Explanation => {
  const result = explainReward(reward)
  if (!result.ok) throw new Error(result.problems.join('; '))
  return result
}
const unequal = (reward: RewardDetail) =>
  explained(reward)
    .checks.filter((check) => !check.equal)
    .map((check) => check.figure)

test('rewards settled by the rules are recomputed equal, for every kind', () => {
  fc.assert(
    fc.property(stories, (story) => {
      expect(unequal(told(story))).toEqual([])
    }),
  )
})

const AMOUNTS = ['value', 'flushed', 'paid', 'usdt', 'amc'] as const
const RATES = ['ratio_ppm', 'coverage_ppm', 'usdt_share_ppm', 'amc_share_ppm', 'release_parts'] as const

test('any changed figure is detected, however small the change', () => {
  const change = fc.bigInt({ min: -1_000_000n, max: 1_000_000n }).filter((by) => by !== 0n)
  fc.assert(
    fc.property(stories, fc.constantFrom(...AMOUNTS, ...RATES), change, (story, field, by) => {
      const reward = told(story)
      const before = reward[field]
      const after =
        typeof before === 'number' ? before + Number(by) : formatMicros(BigInt(before.replace('.', '')) + by)
      expect(unequal({ ...reward, [field]: after })).toContain(field)
    }),
  )
})

test('a changed level, base, covered part or earlier payment is detected if it changes the amount due', () => {
  fc.assert(
    fc.property(stories, stories, (story, other) => {
      const changed = {
        ...story,
        level: other.level,
        belowLevel: other.belowLevel,
        baseMicros: other.baseMicros,
      }
      const due = dueOf(story)
      const otherDue = dueOf(changed)
      fc.pre(due.ratioPpm !== otherDue.ratioPpm || due.valueMicros !== otherDue.valueMicros)
      const reward = told(story)
      const { level, base, covered_ppm } = told(changed)
      expect(explained({ ...reward, level, base, covered_ppm }).equal).toBe(false)
    }),
  )
})

test('a pool with more or less is detected if it changes the coverage', () => {
  fc.assert(
    fc.property(stories, micros(10n ** 11n), (story, usdtMicros) => {
      const reward = told(story)
      const pool = { ...story.pool, usdtMicros }
      const coverage = batchCoverage(pool, BigInt(reward.batch.value.replace('.', '')))
      fc.pre(coverage !== reward.coverage_ppm)
      const batch = { ...reward.batch, pool_usdt: formatMicros(usdtMicros) }
      expect(unequal({ ...reward, batch })).toContain('coverage_ppm')
    }),
  )
})

test('a wrong pool, a wrong class and impossible sums are detected', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const reward = told(story)
      const withBatch = (batch: Partial<RewardDetail['batch']>) =>
        unequal({ ...reward, batch: { ...reward.batch, ...batch } })
      const otherPool = reward.batch.pool === 'yield_pool' ? 'commission_pool' : 'yield_pool'
      expect(withBatch({ pool: otherPool })).toContain('pool')
      expect(withBatch({ class: reward.batch.class === 'static' ? 'pairing' : 'static' })).toContain('class')
      const more = formatMicros(BigInt(reward.batch.paid.replace('.', '')) + BigInt(reward.batch.count) + 1n)
      expect(withBatch({ paid: more })).toContain('batch_sums')
    }),
  )
})

test('the rules of another plan do not explain it', () => {
  const story: Story = {
    ...{ type: 'ReferralReward', level: 3, baseMicros: 100_000_000n, belowLevel: 0, paidBeforeMicros: 0n },
    ...{
      ownDayCapMicros: null,
      others: [],
      pool: { usdtMicros: 10n ** 9n, amcMicros: 0n, amcPriceMicros: null },
    },
  }
  const reward = told(story)
  const packages = defaultPlan.packages.map((terms) => ({ ...terms, referralPpm: terms.referralPpm / 2 }))
  const figures = { ...serialisePlan({ ...defaultPlan, packages }) }
  expect(unequal({ ...reward, plan: { ...reward.plan, figures } })).toContain('ratio_ppm')
  expect(explainReward({ ...reward, plan: { ...reward.plan, figures: {} } })).toMatchObject({ ok: false })
})

test('the payment of an order is split without a remainder: the operator, the own rewards, others, and what stays', () => {
  const story: Story = {
    ...{ type: 'ReferralReward', level: 3, baseMicros: 500_000_000n, belowLevel: 0, paidBeforeMicros: 0n },
    ...{ ownDayCapMicros: null, others: [30_000_000n, 20_000_000n] },
    pool: { usdtMicros: 10n ** 9n, amcMicros: 0n, amcPriceMicros: null },
  }
  const reward = told(story)
  expect(explained(reward).split).toBeNull()
  const of = (type: RewardKind, ratio_ppm: number, paid: string) => ({
    ...{ reward_id: '1', type, ratio_ppm, value: paid, paid },
  })
  const of_order = [of('ReferralReward', 80_000, '40.000000'), of('TeamReward', 60_000, '30.000000')]
  const { split } = explained({ ...reward, of_order })
  expect(split).toMatchObject({
    ...{ poolPpm: 350_000, operatorMicros: 325_000_000n, poolMicros: 175_000_000n },
    ...{ othersMicros: 20_000_000n, restMicros: 85_000_000n },
  })
  const own = split!.own.reduce((sum, { paidMicros }) => sum + paidMicros, 0n)
  expect(own + split!.othersMicros + split!.restMicros).toBe(split!.poolMicros)
})
