import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import {
  addDays,
  backPpm,
  createEarningsTally,
  EARNINGS_AGES,
  FEWEST_MEMBERS,
  hasAge,
  type MemberEarnings,
  medianPpm,
  min,
  SPREAD_FROM_PPM,
} from './index.ts'

const DAY = '2026-11-21'
const member = (change: Partial<MemberEarnings> = {}): MemberEarnings => ({
  level: 1,
  firstDay: '2026-08-03',
  paidMicros: whole(100),
  backMicros: 0n,
  commissionMicros: 0n,
  ages: [{ paidMicros: whole(100), backMicros: 0n }, null, null],
  ...change,
})
const figuresOf = (members: readonly MemberEarnings[]) => {
  const tally = createEarningsTally()
  for (const earnings of members) tally.add(earnings)
  return tally.figures()
}
const some = (count: number, change: Partial<MemberEarnings> = {}) =>
  Array.from({ length: count }, () => member(change))

const micros = fc.bigInt(0n, whole(20_000))
const anyMember: fc.Arbitrary<MemberEarnings> = fc
  .record({
    level: fc.integer({ min: 1, max: 5 }),
    age: fc.integer({ min: 0, max: 400 }),
    paid: fc.bigInt(1n, whole(20_000)),
    back: micros,
    commission: micros,
  })
  .map(({ level, age, paid, back, commission }) => {
    const firstDay = addDays(DAY, -age)
    const sums = { paidMicros: paid, backMicros: back }
    const commissionMicros = min(commission, back)
    const ages = EARNINGS_AGES.map((item) => (hasAge(firstDay, item, DAY) ? sums : null))
    return { level, firstDay, ...sums, commissionMicros, ages }
  })

describe('the median', () => {
  test('has as many rates at or below it as above it, as an integer', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000_000), { minLength: 1, maxLength: 60 }), (rates) => {
        const median = medianPpm(rates)
        const sorted = rates.toSorted((a, b) => a - b)
        const [lower, upper] = [sorted[(rates.length - 1) >> 1]!, sorted[rates.length >> 1]!]
        expect(median).toBe(Math.floor((lower + upper) / 2))
        expect(rates.filter((rate) => rate < median).length).toBeLessThanOrEqual(rates.length / 2)
        expect(rates.filter((rate) => rate > median).length).toBeLessThanOrEqual(rates.length / 2)
      }),
    )
  })

  test('is floored, also when a rate is floored', () => {
    expect(medianPpm([1, 2])).toBe(1)
    expect(backPpm({ paidMicros: 3n, backMicros: 2n })).toBe(666_666)
  })
})

describe('the tally', () => {
  test('counts every member once, in each figure', () => {
    fc.assert(
      fc.property(fc.array(anyMember, { maxLength: 80 }), (members) => {
        const { levels, all, members: count, since } = figuresOf(members)
        expect(count).toBe(members.length)
        expect(levels.reduce((sum, level) => sum + level.members, 0)).toBe(count)
        expect(since).toBe(members.map(({ firstDay }) => firstDay).toSorted()[0] ?? null)
        expect(all === null).toBe(count < FEWEST_MEMBERS)
        if (all === null) return
        expect(all.spread.reduce((sum, part) => sum + part, 0)).toBe(count)
        expect(all.spread.at(-1)).toBe(all.whole)
        expect(all.whole).toBe(members.filter((member) => member.backMicros >= member.paidMicros).length)
        for (const { level, ages } of levels) {
          const own = members.filter((member) => member.level === level)
          for (const [place, { age, members: behind, medianPpm: median }] of ages.entries()) {
            const reached = own.filter(({ firstDay }) => hasAge(firstDay, age, DAY))
            expect(behind).toBe(reached.length)
            const rates = reached.map(({ ages: sums }) => backPpm(sums[place]!))
            expect(median).toBe(behind < FEWEST_MEMBERS ? null : medianPpm(rates))
          }
        }
      }),
    )
  })

  test('does not depend on the order of the members', () => {
    fc.assert(
      fc.property(fc.array(anyMember, { maxLength: 60 }), (members) => {
        expect(figuresOf(members.toReversed())).toEqual(figuresOf(members))
      }),
    )
  })

  test('counts members who received nothing', () => {
    const paid = { paidMicros: whole(100), backMicros: whole(10) }
    const { levels, all } = figuresOf([...some(11), ...some(9, { ...paid, ages: [paid, null, null] })])
    expect(levels[0]!.ages[0]).toEqual({ age: 30, members: 20, medianPpm: 0 })
    expect(all).toEqual({
      whole: 0,
      wholeByCommission: 0,
      withoutCommission: 20,
      spread: [11, 0, 9, 0, 0, 0],
    })
    expect(SPREAD_FROM_PPM).toHaveLength(6)
  })

  test('publishes nothing about fewer than 20 members', () => {
    expect(figuresOf(some(19))).toMatchObject({
      members: 19,
      all: null,
      levels: [{ members: 19, whole: null, ages: [{ members: 19, medianPpm: null }, {}, {}] }],
    })
    expect(figuresOf(some(20))).toMatchObject({
      all: { whole: 0 },
      levels: [{ whole: 0, ages: [{ members: 20, medianPpm: 0 }, {}, {}] }],
    })
  })

  test('hides another level where the sum over all levels would reveal a small one', () => {
    const wholes = ({ levels }: ReturnType<typeof figuresOf>) => levels.map((level) => level.whole)
    expect(wholes(figuresOf([...some(30), ...some(25, { level: 2 }), ...some(1, { level: 3 })]))).toEqual([
      0,
      null,
      null,
    ])
    // Two small levels hide each other.
    expect(wholes(figuresOf([...some(30), ...some(10, { level: 2 }), ...some(10, { level: 3 })]))).toEqual([
      0,
      null,
      null,
    ])
  })

  test('counts the members who earned back their payments mostly by commissions', () => {
    const got = (backMicros: bigint, commissionMicros: bigint) => ({ backMicros, commissionMicros })
    const { all } = figuresOf([
      ...some(17),
      member(got(whole(100), whole(50))),
      member(got(whole(100), whole(50) + 1n)),
      member(got(whole(99), whole(99))),
    ])
    expect(all).toMatchObject({ whole: 2, wholeByCommission: 1, withoutCommission: 17 })
  })

  test('counts in each level the members who earned back their payments', () => {
    const { all, levels } = figuresOf([
      ...some(19),
      ...some(3, { backMicros: whole(100), commissionMicros: whole(80) }),
    ])
    expect(all).toMatchObject({ whole: 3, wholeByCommission: 3 })
    expect(levels).toMatchObject([{ level: 1, members: 22, whole: 3 }])
  })
})

test('an age is reached at the end of its last day', () => {
  expect(hasAge('2026-01-01', 30, '2026-01-29')).toBe(false)
  expect(hasAge('2026-01-01', 30, '2026-01-30')).toBe(true)
  expect(hasAge('2026-01-01', 365, '2026-12-31')).toBe(true)
})
