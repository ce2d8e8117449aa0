import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import {
  copiesLeft,
  defaultPlan,
  MAX_MICROS,
  type Plan,
  packageNamed,
  parsePlan,
  serialisePlan,
  termsOfLevel,
  topOrganisationPpm,
  validatePlan,
} from './index.ts'

const problemsOf = (plan: Plan) => {
  const result = validatePlan(plan)
  return result.ok ? [] : result.problems
}
const withPackage = (index: number, change: object): Plan => ({
  ...defaultPlan,
  packages: defaultPlan.packages.map((terms, at) => (at === index ? { ...terms, ...change } : terms)),
})
const withOrder = (change: Partial<Plan['order']>): Plan => ({
  ...defaultPlan,
  order: { ...defaultPlan.order, ...change },
})
const withReward = (change: Partial<Plan['reward']>): Plan => ({
  ...defaultPlan,
  reward: { ...defaultPlan.reward, ...change },
})
const withManagement = (change: Partial<Plan['management']>): Plan => ({
  ...defaultPlan,
  management: { ...defaultPlan.management, ...change },
})
const withWithdrawal = (change: Partial<Plan['withdrawal']>): Plan => ({
  ...defaultPlan,
  withdrawal: { ...defaultPlan.withdrawal, ...change },
})
const withSavings = (change: Partial<Plan['savings']>): Plan => ({
  ...defaultPlan,
  savings: { ...defaultPlan.savings, ...change },
})

test('the default plan has the figures of the rules', () => {
  expect(validatePlan(defaultPlan)).toEqual({ ok: true })
  const rows = defaultPlan.packages.map((terms) => Object.values(terms))
  expect(rows).toEqual([
    ['Launch 100', 1, whole(100), 200, 60_000, 20_000, 6_000, 60_000, whole(100)],
    ['Launch 500', 2, whole(500), 200, 70_000, 40_000, 7_000, 70_000, whole(500)],
    ['Launch 1000', 3, whole(1_000), 200, 80_000, 60_000, 8_000, 80_000, whole(1_000)],
    ['Launch 5000', 4, whole(5_000), 200, 90_000, 80_000, 9_000, 90_000, whole(5_000)],
    ['Launch 10000', 5, whole(10_000), 200, 100_000, 100_000, 10_000, 100_000, whole(10_000)],
  ])
  expect(defaultPlan.order).toEqual({
    hashRatePpm: 100_000,
    usdtSharePpm: 700_000,
    quoteValidityMs: 1_800_000,
    commissionSharePpm: 350_000,
  })
  expect(defaultPlan.reward).toEqual({ usdtSharePpm: 700_000, releaseParts: 30, staticCapPpm: 2_000_000 })
  expect(defaultPlan.savings).toEqual({
    ...{ usdtRatePpm: 180_000, amcRatePpm: 180_000, fastUpToMicros: whole(1_000) },
    ...{ fastDelayMs: 300_000, slowDelayMs: 259_200_000 },
  })
})

test('packages are found by level and by name', () => {
  expect(termsOfLevel(defaultPlan, 3)?.name).toBe('Launch 1000')
  expect(termsOfLevel(defaultPlan, 0)).toBeNull()
  expect(packageNamed(defaultPlan, 'Launch 500')?.level).toBe(2)
  expect(packageNamed(defaultPlan, 'Launch 501')).toBeNull()
  expect(topOrganisationPpm(defaultPlan)).toBe(100_000)
})

test('copies run out and never go below none', () => {
  expect([0, 199, 200, 201].map((taken) => copiesLeft(defaultPlan.packages[0]!, taken))).toEqual([
    200, 1, 0, 0,
  ])
})

describe('a plan is refused', () => {
  test('when the commissions of a sale could exceed what the sale gives the pool', () => {
    expect(problemsOf(withOrder({ commissionSharePpm: 200_000 }))).toEqual([])
    const by = (ppm: number) => [
      `order.commissionSharePpm: less than the highest referral and organisation rates together, by ${ppm} ppm`,
    ]
    expect(problemsOf(withOrder({ commissionSharePpm: 199_999 }))).toEqual(by(1))
    expect(problemsOf(withPackage(1, { referralPpm: 250_001 }))).toEqual(by(1))
    expect(problemsOf(withPackage(1, { organisationPpm: 300_000 }))).toEqual(by(50_000))
  })

  test.each<[string, Plan]>([
    ['packages:', { ...defaultPlan, packages: defaultPlan.packages.slice(0, 4) }],
    ['packages:', { ...defaultPlan, packages: [] }],
    ['packages: names repeat', withPackage(0, { name: 'Launch 500' })],
    ['packages[0].name', withPackage(0, { name: ' ' })],
    ['packages[2].level', withPackage(2, { level: 4 })],
    ['packages[0].price', withPackage(0, { priceMicros: 0n })],
    ['packages[1].price', withPackage(1, { priceMicros: whole(100) })],
    ['packages[4].price: too large', withPackage(4, { priceMicros: MAX_MICROS / 2n + 1n })],
    ['packages[0].copies', withPackage(0, { copies: 0 })],
    ['packages[3].staticPpm', withPackage(3, { staticPpm: -1 })],
    ['packages[3].pairingPpm', withPackage(3, { pairingPpm: 0.5 })],
    ['packages[3].pairingPpm', withPackage(3, { pairingPpm: 1_000_001 })],
    ['packages[3].pairingDayCap', withPackage(3, { pairingDayCapMicros: -1n })],
    ['order.hashRatePpm', withOrder({ hashRatePpm: 1_000_000 })],
    ['order.usdtSharePpm', withOrder({ usdtSharePpm: 1_000_001 })],
    ['order.quoteValidityMs', withOrder({ quoteValidityMs: 0 })],
    ['order.commissionSharePpm', withOrder({ commissionSharePpm: 1_000_001 })],
    ['reward.usdtSharePpm', withReward({ usdtSharePpm: Number.NaN })],
    ['reward.releaseParts', withReward({ releaseParts: 0 })],
    ['reward.staticCapPpm', withReward({ staticCapPpm: 1.5 })],
    ['management.generationPpm[1]', withManagement({ generationPpm: [0, 2_000_000] })],
    ['management.ranks: at most 5', withManagement({ ranks: Array(6).fill({ fromMicros: 1n, ratePpm: 1 }) })],
    ['management.ranks[0].from', withManagement({ ranks: [{ fromMicros: 0n, ratePpm: 1 }] })],
    ['management.ranks[0].ratePpm', withManagement({ ranks: [{ fromMicros: 1n, ratePpm: -1 }] })],
    ['withdrawal.feePpm', withWithdrawal({ feePpm: 1_000_000 })],
    ['withdrawal.minimumFee', withWithdrawal({ minimumFeeMicros: -1n })],
    ['withdrawal.auditAbove', withWithdrawal({ auditAboveMicros: MAX_MICROS + 1n })],
    ['withdrawal.dayLimit:', withWithdrawal({ dayLimitMicros: [1n] })],
    ['withdrawal.dayLimit[3]', withWithdrawal({ dayLimitMicros: [1n, 2n, 3n, 2n, 5n, 6n] })],
    ['savings.usdtRatePpm', withSavings({ usdtRatePpm: 1_000_001 })],
    ['savings.amcRatePpm', withSavings({ amcRatePpm: -1 })],
    ['savings.fastUpTo', withSavings({ fastUpToMicros: -1n })],
    ['savings.fastDelayMs', withSavings({ fastDelayMs: 0 })],
    ['savings.slowDelayMs', withSavings({ slowDelayMs: 299_999 })],
    ['savings.slowDelayMs: at most', withSavings({ slowDelayMs: 367 * 86_400_000 })],
    ['fund.incomePpm', { ...defaultPlan, fund: { ...defaultPlan.fund, incomePpm: -1 } }],
    ['fund.navMaxAgeMs', { ...defaultPlan, fund: { ...defaultPlan.fund, navMaxAgeMs: 0 } }],
    ['fund.payoutDelayMs', { ...defaultPlan, fund: { ...defaultPlan.fund, payoutDelayMs: 0.5 } }],
  ])('for %s', (start, plan) => {
    expect(problemsOf(plan).some((problem) => problem.startsWith(start))).toBe(true)
  })
})

describe('a plan as JSON', () => {
  test('comes back as it was, money as decimal texts', () => {
    const json = JSON.parse(JSON.stringify(serialisePlan(defaultPlan)))
    expect(json.packages[1]).toMatchObject({
      price: '500.000000',
      pairingDayCap: '500.000000',
      referralPpm: 70_000,
    })
    expect(json.withdrawal.dayLimit[0]).toBe('100.000000')
    expect(parsePlan(json)).toEqual({ ok: true, plan: defaultPlan })
  })

  test('written before savings were part of it has the default for them', () => {
    const { savings: _, ...json } = serialisePlan(withSavings({ usdtRatePpm: 1 }))
    expect(parsePlan(json)).toEqual({ ok: true, plan: defaultPlan })
    expect(parsePlan({ ...json, savings: null })).toMatchObject({ ok: false })
  })

  test('says everything that is wrong with it', () => {
    const { order: _, ...json } = JSON.parse(JSON.stringify(serialisePlan(defaultPlan)))
    json.packages[0].price = 100
    json.packages[1].name = 7
    json.reward.releaseParts = '30'
    json.withdrawal.dayLimit = null
    json.extra = true
    const result = parsePlan(json)
    expect(result.ok ? [] : result.problems).toEqual(
      expect.arrayContaining([
        'extra: unknown',
        'packages[0].price: must be a decimal text such as "100.5"',
        'packages[1].name: must be a text',
        'order: must be an object',
        'reward.releaseParts: must be an integer',
        'withdrawal.dayLimit: must be a list',
      ]),
    )
  })

  test.each([[null], ['plan'], [[]], [7]])('is not %j', (json) => {
    expect(parsePlan(json)).toMatchObject({ ok: false, code: 'INVALID_PLAN' })
  })

  test('is validated too', () => {
    const json = serialisePlan(withOrder({ commissionSharePpm: 0 }))
    expect(parsePlan(json)).toMatchObject({ ok: false, code: 'INVALID_PLAN' })
  })
})
