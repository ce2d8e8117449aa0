import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import {
  copiesLeft,
  defaultPlan,
  packageNamed,
  parsePlan,
  serialisePlan,
  termsOfLevel,
  topOrganisationPpm,
  validatePlan,
} from './index.ts'

const problemsOf = (json: unknown) => {
  const result = parsePlan(json)
  return result.ok ? [] : result.problems
}

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
  expect(defaultPlan.management).toEqual({
    generationPpm: [1_000_000, 500_000, 250_000],
    ranks: [
      { fromMicros: whole(1_000), ratePpm: 50_000 },
      { fromMicros: whole(5_000), ratePpm: 80_000 },
      { fromMicros: whole(20_000), ratePpm: 100_000 },
      { fromMicros: whole(100_000), ratePpm: 120_000 },
      { fromMicros: whole(500_000), ratePpm: 150_000 },
    ],
  })
  expect(defaultPlan.withdrawal).toEqual({
    feePpm: 10_000,
    minimumFeeMicros: whole(1),
    auditAboveMicros: whole(1_000),
    dayLimitMicros: [100, 500, 1_000, 3_000, 10_000, 30_000].map(whole),
  })
  expect(defaultPlan.savings).toEqual({
    usdtRatePpm: 180_000,
    amcRatePpm: 180_000,
    fastUpToMicros: whole(1_000),
    fastDelayMs: 300_000,
    slowDelayMs: 259_200_000,
  })
  expect(defaultPlan.transfer).toEqual({ minimumMicros: whole(1) })
  expect(defaultPlan.leaving).toEqual({
    signAboveMicros: whole(100),
    savingsFreeMicros: whole(1_000),
    reviewNewAboveMicros: whole(100),
    savedDelayMs: 86_400_000,
  })
  expect(defaultPlan.approval).toEqual({ severalAboveMicros: whole(10_000), approvers: 2 })
  expect(defaultPlan.fund).toEqual({
    incomePpm: 100_000,
    navMaxAgeMs: 259_200_000,
    payoutDelayMs: 259_200_000,
  })
})

test('packages are found by level and by name', () => {
  expect(termsOfLevel(defaultPlan, 3)?.name).toBe('Launch 1000')
  expect(termsOfLevel(defaultPlan, 0)).toBeNull()
  expect(packageNamed(defaultPlan, 'Launch 500')?.level).toBe(2)
  expect(packageNamed(defaultPlan, 'Launch 501')).toBeNull()
  expect(topOrganisationPpm(defaultPlan)).toBe(100_000)
})

test('the copies left are never negative', () => {
  expect([0, 199, 200, 201].map((paid) => copiesLeft(defaultPlan.packages[0]!, paid))).toEqual([200, 1, 0, 0])
})

describe('a plan as JSON', () => {
  test('is read back unchanged, and has amounts as decimal texts', () => {
    const json = JSON.parse(JSON.stringify(serialisePlan(defaultPlan)))
    expect(json.packages[1]).toMatchObject({
      price: '500.000000',
      pairingDayCap: '500.000000',
      referralPpm: 70_000,
    })
    expect(json.withdrawal.dayLimit[0]).toBe('100.000000')
    expect(parsePlan(json)).toEqual({ ok: true, plan: defaultPlan })
  })

  test.each(['savings', 'transfer', 'fund'] as const)(
    'of a release without %s gets the default',
    (section) => {
      const { [section]: _, ...json } = serialisePlan(defaultPlan)
      expect(parsePlan(json)).toEqual({ ok: true, plan: defaultPlan })
      expect(problemsOf({ ...json, [section]: null })).toContain(`${section}: must be an object`)
    },
  )

  test('is refused with all problems', () => {
    const { order: _, ...json } = JSON.parse(JSON.stringify(serialisePlan(defaultPlan)))
    json.packages[0].price = 100
    json.packages[1].name = 7
    json.packages[2] = null
    json.reward.releaseParts = '30'
    json.withdrawal.dayLimit = null
    json.extra = true
    expect(problemsOf(json)).toEqual([
      'extra: unknown',
      'packages[0].price: must be a decimal text such as "100.5"',
      'packages[1].name: must be a text',
      'packages[2]: must be an object',
      'packages[2].name: must be a text',
      'packages[2].level: must be an integer',
      'packages[2].price: must be a decimal text such as "100.5"',
      'packages[2].copies: must be an integer',
      'packages[2].referralPpm: must be an integer',
      'packages[2].organisationPpm: must be an integer',
      'packages[2].staticPpm: must be an integer',
      'packages[2].pairingPpm: must be an integer',
      'packages[2].pairingDayCap: must be a decimal text such as "100.5"',
      'order: must be an object',
      'order.hashRatePpm: must be an integer',
      'order.usdtSharePpm: must be an integer',
      'order.quoteValidityMs: must be an integer',
      'order.commissionSharePpm: must be an integer',
      'reward.releaseParts: must be an integer',
      'withdrawal.dayLimit: must be a list',
    ])
  })

  test.each([[null], ['plan'], [[]], [7]])('is not %j', (json) => {
    expect(parsePlan(json)).toMatchObject({ ok: false, code: 'INVALID_PLAN' })
    expect(problemsOf(json)).toContain('plan: must be an object')
  })

  test('is validated', () => {
    const json = serialisePlan({ ...defaultPlan, order: { ...defaultPlan.order, commissionSharePpm: 0 } })
    expect(parsePlan(json)).toMatchObject({ ok: false, code: 'INVALID_PLAN' })
  })
})
