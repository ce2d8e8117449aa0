import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, levels, sum, whole } from './arbitraries.fixture.ts'
import {
  beginCommissions,
  climbSponsorLine,
  mul,
  defaultPlan as plan,
  type SponsorLineMember,
  topOrganisationPpm,
} from './index.ts'

type Line = SponsorLineMember<string>[]

const at = (memberId: string, level: number): Line[number] => ({ memberId, level, valid: level > 0 })
const climb = (base: bigint, line: Iterable<Line[number]>) =>
  climbSponsorLine(beginCommissions<string>(base), line, plan)
const lines: fc.Arbitrary<Line> = fc.array(
  fc.record({ memberId: fc.uuid(), level: levels, valid: fc.boolean() }),
  { maxLength: 12 },
)

describe('the walk up the sponsor line', () => {
  test("C's order in the worked example", () => {
    expect(climb(whole(100), [at('A', 3), at('R', 5)])).toMatchObject({
      done: true,
      coveredPpm: 100_000,
      commissions: [
        { kind: 'ReferralReward', memberId: 'A', ratioPpm: 80_000, valueMicros: whole(8) },
        { kind: 'TeamReward', memberId: 'A', ratioPpm: 60_000, valueMicros: whole(6) },
        { kind: 'TeamReward', memberId: 'R', ratioPpm: 40_000, valueMicros: whole(4) },
      ],
    })
  })

  test('an invalid sponsor loses the referral reward, which no other member receives', () => {
    const { commissions, done } = climb(whole(500), [at('E', 0), at('C', 1), at('D', 1), at('A', 3)])
    expect(commissions.map(({ kind, memberId, ratioPpm }) => [kind, memberId, ratioPpm])).toEqual([
      ['TeamReward', 'C', 20_000],
      ['TeamReward', 'A', 40_000],
    ])
    expect(done).toBe(false)
  })

  test('a value that is floored to zero gives no reward but counts as covered rate', () => {
    const walk = climb(20n, [at('C', 1), at('A', 3), at('R', 5)])
    expect(walk.commissions.map(({ kind, memberId }) => [kind, memberId])).toEqual([['ReferralReward', 'C']])
    expect(walk.done).toBe(true)
  })

  test('stops reading at the highest rate', () => {
    function* line(): Generator<Line[number]> {
      yield at('R', 5)
      throw new Error('read too far')
    }
    expect(climb(whole(1), line()).done).toBe(true)
  })

  test('a finished walk stays finished', () => {
    const ended = climb(whole(1), [at('R', 5)])
    expect(climbSponsorLine(ended, [], plan)).toEqual(ended)
    expect(ended.done).toBe(true)
  })

  test('a root that buys has no member above it', () => {
    expect(climb(whole(10_000), []).commissions).toEqual([])
  })

  test('gives the same result in chunks of any size', () => {
    fc.assert(
      fc.property(amounts, lines, fc.integer({ min: 1, max: 5 }), (base, line, size) => {
        let walk = beginCommissions<string>(base)
        for (let from = 0; from < line.length; from += size) {
          walk = climbSponsorLine(walk, line.slice(from, from + size), plan)
        }
        expect(walk).toEqual(climb(base, line))
      }),
    )
  })

  test('organisation rewards never exceed the highest rate, and all rewards together never exceed the funding by the sale', () => {
    fc.assert(
      fc.property(amounts, lines, (base, line) => {
        const { commissions } = climb(base, line)
        const valid = new Set(line.filter((member) => member.valid).map((member) => member.memberId))
        const values = commissions.map((due) => due.valueMicros)
        const team = commissions.filter((due) => due.kind === 'TeamReward')
        expect(values.every((value) => value > 0n)).toBe(true)
        expect(commissions.every((due) => valid.has(due.memberId))).toBe(true)
        expect(commissions.length - team.length).toBeLessThanOrEqual(1)
        expect(sum(team.map((due) => due.valueMicros)) <= mul(base, topOrganisationPpm(plan))).toBe(true)
        expect(sum(values) <= mul(base, plan.order.commissionSharePpm)).toBe(true)
      }),
    )
  })
})
