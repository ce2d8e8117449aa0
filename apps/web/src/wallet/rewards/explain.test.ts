import type { RewardDetail } from '@rif/api-schema'
import {
  batchCoverage,
  defaultPlan,
  formatMicros,
  mul,
  parseMicros,
  REWARD_KINDS,
  type RewardKind,
  serialisePlan,
} from '@rif/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Explanation, explainReward } from './explain.ts'
import { dueOf, rewardDetail, type Story } from './reward.fixture.ts'

const micros = (max: bigint) => fc.bigInt({ min: 0n, max })
const stories: fc.Arbitrary<Story> = fc.record({
  type: fc.constantFrom(...REWARD_KINDS),
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
      expect(unequal(rewardDetail(story))).toEqual([])
    }),
  )
})

const AMOUNTS = ['value', 'flushed', 'paid', 'usdt', 'amc'] as const
const RATES = ['ratio_ppm', 'coverage_ppm', 'usdt_share_ppm', 'amc_share_ppm', 'release_parts'] as const

test('any changed figure is detected, however small the change', () => {
  const change = fc.bigInt({ min: -1_000_000n, max: 1_000_000n }).filter((by) => by !== 0n)
  fc.assert(
    fc.property(stories, fc.constantFrom(...AMOUNTS, ...RATES), change, (story, field, by) => {
      const reward = rewardDetail(story)
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
      const reward = rewardDetail(story)
      const { level, base, covered_ppm } = rewardDetail(changed)
      expect(explained({ ...reward, level, base, covered_ppm }).equal).toBe(false)
    }),
  )
})

test('a pool with more or less is detected if it changes the coverage', () => {
  fc.assert(
    fc.property(stories, micros(10n ** 11n), (story, usdtMicros) => {
      const reward = rewardDetail(story)
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
      const reward = rewardDetail(story)
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
    type: 'ReferralReward',
    level: 3,
    baseMicros: 100_000_000n,
    belowLevel: 0,
    paidBeforeMicros: 0n,
    ownDayCapMicros: null,
    others: [],
    pool: { usdtMicros: 10n ** 9n, amcMicros: 0n, amcPriceMicros: null },
  }
  const reward = rewardDetail(story)
  const packages = defaultPlan.packages.map((terms) => ({ ...terms, referralPpm: terms.referralPpm / 2 }))
  const figures = { ...serialisePlan({ ...defaultPlan, packages }) }
  expect(unequal({ ...reward, plan: { ...reward.plan, figures } })).toContain('ratio_ppm')
  expect(explainReward({ ...reward, plan: { ...reward.plan, figures: {} } })).toMatchObject({ ok: false })
})

test('the payment of an order is split without a remainder: the operator, the own rewards, others, and what stays', () => {
  const story: Story = {
    type: 'ReferralReward',
    level: 3,
    baseMicros: 500_000_000n,
    belowLevel: 0,
    paidBeforeMicros: 0n,
    ownDayCapMicros: null,
    others: [30_000_000n, 20_000_000n],
    pool: { usdtMicros: 10n ** 9n, amcMicros: 0n, amcPriceMicros: null },
  }
  const reward = rewardDetail(story)
  expect(explained(reward).split).toBeNull()
  const of = (type: RewardKind, ratio_ppm: number, paid: string) => ({
    reward_id: '1',
    type,
    ratio_ppm,
    value: paid,
    paid,
  })
  const of_order = [of('ReferralReward', 80_000, '40.000000'), of('TeamReward', 60_000, '30.000000')]
  const { split } = explained({ ...reward, of_order })
  expect(split).toMatchObject({
    poolPpm: 350_000,
    operatorMicros: 325_000_000n,
    poolMicros: 175_000_000n,
    othersMicros: 20_000_000n,
    restMicros: 85_000_000n,
  })
  const own = split!.own.reduce((sum, { paidMicros }) => sum + paidMicros, 0n)
  expect(own + split!.othersMicros + split!.restMicros).toBe(split!.poolMicros)
})

const lost = (reward: RewardDetail) =>
  explained(reward).losses.map(({ cause, lost: amount }) => [cause, amount])

test('the losses and the paid amount add up to base times ratio, for every kind', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const reward = rewardDetail(story)
      const sum = explained(reward).losses.reduce((all, loss) => all + parseMicros(loss.lost), 0n)
      expect(sum + parseMicros(reward.paid)).toBe(mul(parseMicros(reward.base), reward.ratio_ppm))
    }),
  )
})

const RICH = { usdtMicros: 10n ** 13n, amcMicros: 10n ** 13n, amcPriceMicros: 500_000n }
const STORY: Story = {
  type: 'PairingReward',
  level: 1,
  baseMicros: 20_000_000_000n,
  belowLevel: 0,
  paidBeforeMicros: 0n,
  ownDayCapMicros: null,
  others: [],
  pool: RICH,
}

test('names the cap of the level, or the lower one of the member, with what it cut', () => {
  const cap = formatMicros(defaultPlan.packages[0]!.pairingDayCapMicros)
  const gross = mul(STORY.baseMicros, defaultPlan.packages[0]!.pairingPpm)
  const [loss] = explained(rewardDetail(STORY)).losses
  expect(loss).toEqual({ cause: 'dayCap', cap, lost: formatMicros(gross - parseMicros(cap)) })
  const own = explained(rewardDetail({ ...STORY, ownDayCapMicros: 3_000_000n })).losses
  expect(own).toEqual([{ cause: 'ownDayCap', cap: '3.000000', lost: formatMicros(gross - 3_000_000n) }])
  // An own cap above that of the level changes nothing.
  expect(explained(rewardDetail({ ...STORY, ownDayCapMicros: 10n ** 12n })).losses[0]!.cause).toBe('dayCap')
})

test('names the limit of a package, and a pool that could not pay all', () => {
  const package_ = { ...STORY, type: 'Interest', baseMicros: 100_000_000n } as const
  expect(lost(rewardDetail(package_))).toEqual([])
  // 200 less 199.9 were left, of 0.6 a day.
  const almostFull = { ...package_, paidBeforeMicros: 199_900_000n }
  expect(explained(rewardDetail(almostFull)).losses).toEqual([
    { cause: 'packageCap', lost: '0.500000', remaining: '0.100000', capPpm: 2_000_000 },
  ])
  const poor = { usdtMicros: 150_000n, amcMicros: 0n, amcPriceMicros: null }
  expect(lost(rewardDetail({ ...package_, pool: poor }))).toEqual([['coverage', '0.450000']])
})
