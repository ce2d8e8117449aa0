import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import { defaultPlan, MAX_MICROS, type Plan, type PlanProblem, validatePlan } from './index.ts'
import { type PlanProblemCode, problem, refusePlan } from './plan-problems.ts'

/** Returns a copy with the value at a path replaced. */
function replaced(part: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = Array.isArray(part) ? [...part] : { ...(part as object) }
  return Object.assign(copy, { [key]: replaced((part as Record<string, unknown>)[key], rest, value) })
}

/** Returns the default plan with one figure replaced, such as `packages[0].copies`. */
function planWith(path: string, value: unknown): Plan {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  return replaced(defaultPlan, keys, value) as Plan
}

function problemsOf(plan: Plan): readonly PlanProblem[] {
  const result = validatePlan(plan)
  return result.ok ? [] : result.details
}

/** Returns the codes of the problems at a path, which in the JSON form does not end in `Micros`. */
function codesOf(path: string, value: unknown): PlanProblemCode[] {
  const jsonPath = path.replace(/Micros\b/, '')
  const problems = problemsOf(planWith(path, value))
  return problems.filter((problem) => problem.path === jsonPath).map(({ code }) => code)
}

interface Range {
  readonly code: PlanProblemCode
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}
const rate: Range = { code: 'rate', valid: [0, 1_000_000], invalid: [-1, 0.5, 1_000_001, Number.NaN] }
const rateBelowWhole: Range = { code: 'below_whole', valid: [0, 999_999], invalid: [-1, 0.5, 1_000_000] }
const count: Range = { code: 'count', valid: [1, Number.MAX_SAFE_INTEGER], invalid: [0, -1, 1.5, 2 ** 53] }
const limit: Range = { code: 'range', valid: [0n, MAX_MICROS], invalid: [-1n, MAX_MICROS + 1n] }

describe('each figure has a range', () => {
  test.each<[string, Range]>([
    ['packages[0].copies', count],
    ['packages[0].referralPpm', rate],
    ['packages[1].organisationPpm', rate],
    ['packages[2].staticPpm', rate],
    ['packages[3].pairingPpm', rate],
    ['packages[4].pairingDayCapMicros', limit],
    ['order.hashRatePpm', rateBelowWhole],
    ['order.usdtSharePpm', rate],
    ['order.quoteValidityMs', count],
    ['order.commissionSharePpm', { ...rate, valid: [200_000, 1_000_000], invalid: [1_000_001, 200_000.5] }],
    ['reward.usdtSharePpm', rate],
    ['reward.releaseParts', count],
    ['reward.staticCapPpm', count],
    ['management.generationPpm[1]', rate],
    ['management.ranks[1].ratePpm', rate],
    ['management.ranks[0].fromMicros', { code: 'rising', valid: [1n], invalid: [0n, -1n] }],
    [
      'management.ranks[1].fromMicros',
      { code: 'rising', valid: [whole(1_000) + 1n], invalid: [whole(1_000)] },
    ],
    ['management.ranks[4].fromMicros', { code: 'rising', valid: [MAX_MICROS], invalid: [MAX_MICROS + 1n] }],
    ['withdrawal.feePpm', rateBelowWhole],
    ['withdrawal.minimumFeeMicros', limit],
    ['withdrawal.auditAboveMicros', limit],
    ['withdrawal.dayLimitMicros[0]', { code: 'limit_rising', valid: [0n, 1n], invalid: [-1n] }],
    [
      'withdrawal.dayLimitMicros[1]',
      { code: 'limit_rising', valid: [whole(100)], invalid: [whole(100) - 1n] },
    ],
    [
      'withdrawal.dayLimitMicros[5]',
      { code: 'limit_rising', valid: [MAX_MICROS], invalid: [MAX_MICROS + 1n] },
    ],
    ['leaving.signAboveMicros', limit],
    ['leaving.savingsFreeMicros', limit],
    ['leaving.reviewNewAboveMicros', limit],
    ['leaving.savedDelayMs', { ...count, valid: [1], invalid: [0, -1, 1.5] }],
    [
      'leaving.savedDelayMs',
      { code: 'delay_long', valid: [366 * 86_400_000], invalid: [366 * 86_400_000 + 1] },
    ],
    ['approval.severalAboveMicros', limit],
    ['approval.approvers', { code: 'approvers', valid: [1, 5], invalid: [0, 6, 1.5] }],
    ['savings.usdtRatePpm', rate],
    ['savings.amcRatePpm', rate],
    ['savings.fastUpToMicros', limit],
    ['savings.fastDelayMs', count],
    ['savings.slowDelayMs', { code: 'below_fast', valid: [300_000], invalid: [299_999, 300_000.5] }],
    [
      'savings.slowDelayMs',
      { code: 'delay_long', valid: [366 * 86_400_000], invalid: [366 * 86_400_000 + 1] },
    ],
    [
      'transfer.minimumMicros',
      { code: 'positive', valid: [1n, MAX_MICROS], invalid: [0n, -1n, MAX_MICROS + 1n] },
    ],
    ['fund.incomePpm', rate],
    ['fund.navMaxAgeMs', count],
    ['fund.payoutDelayMs', count],
  ])('%s', (path, { code, valid, invalid }) => {
    for (const value of valid) expect(codesOf(path, value)).toEqual([])
    for (const value of invalid) expect(codesOf(path, value)).toEqual([code])
  })
})

describe('the packages', () => {
  const { packages } = defaultPlan

  test('are one per level, in the order of the levels', () => {
    const missing = problem('packages', 'packages_count', { count: 5 })
    expect(problemsOf({ ...defaultPlan, packages: packages.slice(0, 4) })).toEqual([missing])
    expect(problemsOf({ ...defaultPlan, packages: [] })).toEqual([missing])
    const level = problem('packages[2].level', 'level', { level: 3 })
    expect(problemsOf(planWith('packages[2].level', 4))).toEqual([level])
  })

  test('have different names that are not blank', () => {
    const repeated = problemsOf(planWith('packages[0].name', 'Launch 500'))
    expect(repeated).toEqual([problem('packages', 'names_repeat')])
    expect(problemsOf(planWith('packages[0].name', ' '))).toEqual([problem('packages[0].name', 'empty')])
  })

  test('have positive prices that rise with the level', () => {
    expect(codesOf('packages[0].priceMicros', 1n)).toEqual([])
    expect(codesOf('packages[0].priceMicros', 0n)).toEqual(['price_rising'])
    expect(codesOf('packages[1].priceMicros', whole(100) + 1n)).toEqual([])
    expect(codesOf('packages[1].priceMicros', whole(100))).toEqual(['price_rising'])
  })

  test('have prices whose static rewards fit 64 bits', () => {
    const most = MAX_MICROS / 2n
    expect(codesOf('packages[4].priceMicros', most)).toEqual([])
    expect(codesOf('packages[4].priceMicros', most + 1n)).toEqual(['too_large'])
    const lowCap = (price: bigint) =>
      problemsOf({
        ...planWith('packages[4].priceMicros', price),
        reward: { ...defaultPlan.reward, staticCapPpm: 1 },
      })
    expect(lowCap(MAX_MICROS)).toEqual([])
    expect(lowCap(MAX_MICROS + 1n)).toEqual([problem('packages[4].price', 'too_large')])
  })
})

test('the commissions of a sale never exceed its part for the commission pool', () => {
  const missing = (ppm: number) => [problem('order.commissionSharePpm', 'pool_share', { missing: ppm })]
  expect(problemsOf(planWith('order.commissionSharePpm', 200_000))).toEqual([])
  expect(problemsOf(planWith('order.commissionSharePpm', 199_999))).toEqual(missing(1))
  expect(problemsOf(planWith('packages[1].referralPpm', 250_000))).toEqual([])
  expect(problemsOf(planWith('packages[1].referralPpm', 250_001))).toEqual(missing(1))
  expect(problemsOf(planWith('packages[1].organisationPpm', 300_000))).toEqual(missing(50_000))
})

test('there are at most five ranks, and one daily limit for each level', () => {
  const ranks = (length: number) =>
    Array.from({ length }, (_, index) => ({ fromMicros: BigInt(index + 1), ratePpm: 1 }))
  expect(problemsOf(planWith('management.ranks', ranks(0)))).toEqual([])
  expect(problemsOf(planWith('management.ranks', ranks(5)))).toEqual([])
  const tooMany = problem('management.ranks', 'ranks_count', { count: 5 })
  expect(problemsOf(planWith('management.ranks', ranks(6)))).toEqual([tooMany])
  const limits = problem('withdrawal.dayLimit', 'limits_count', { level: 5 })
  expect(problemsOf(planWith('withdrawal.dayLimitMicros', [1n, 2n, 3n, 4n, 5n]))).toEqual([limits])
  expect(problemsOf(planWith('withdrawal.dayLimitMicros', [1n, 1n, 1n, 1n, 1n, 1n, 1n]))).toEqual([limits])
})

test('a delay that is too long and too many approvers are reported with their limits', () => {
  const tooLong = 366 * 86_400_000 + 1
  for (const path of ['savings.slowDelayMs', 'leaving.savedDelayMs'])
    expect(problemsOf(planWith(path, tooLong))).toEqual([problem(path, 'delay_long', { days: 366 })])
  const tooMany = problem('approval.approvers', 'approvers', { count: 5 })
  expect(problemsOf(planWith('approval.approvers', 6))).toEqual([tooMany])
})

test('a refusal has a text for each problem', () => {
  const { problems } = refusePlan([
    problem('a', 'rate'),
    problem('a', 'below_whole'),
    problem('a', 'count'),
    problem('a', 'range'),
    problem('a', 'packages_count', { count: 5 }),
    problem('a', 'names_repeat'),
    problem('a', 'empty'),
    problem('a', 'level', { level: 3 }),
    problem('a', 'price_rising'),
    problem('a', 'too_large'),
    problem('a', 'pool_share', { missing: 7 }),
    problem('a', 'ranks_count', { count: 5 }),
    problem('a', 'rising'),
    problem('a', 'limits_count', { level: 5 }),
    problem('a', 'limit_rising'),
    problem('a', 'below_fast'),
    problem('a', 'delay_long', { days: 366 }),
    problem('a', 'positive'),
    problem('a', 'not_amount'),
    problem('a', 'not_integer'),
    problem('a', 'not_text'),
    problem('a', 'not_list'),
    problem('a', 'not_object'),
    problem('a', 'unknown'),
  ])
  expect(problems).toEqual([
    'a: 0 to 1000000',
    'a: below 100%',
    'a: at least 1',
    'a: out of range',
    'a: exactly 5, one per level',
    'a: names repeat',
    'a: empty',
    'a: must be 3',
    'a: prices are positive and rise with the level',
    'a: too large',
    'a: less than the highest referral and organisation rates together, by 7 ppm',
    'a: at most 5',
    'a: positive and rising',
    'a: one for each level 0 to 5',
    'a: in range and not below the limit of a lower level',
    'a: not below fastDelayMs',
    'a: at most 366 days',
    'a: positive and in range',
    'a: must be a decimal text such as "100.5"',
    'a: must be an integer',
    'a: must be a text',
    'a: must be a list',
    'a: must be an object',
    'a: unknown',
  ])
})
