import { describe, expect, test } from 'vitest'
import {
  formatMicros,
  type Micros,
  managementRank,
  defaultPlan as plan,
  remainingDividends,
} from './index.ts'
import { lines, replay, teamSize } from './replay.fixture.ts'
import { outcome, scenario } from './worked-example.fixture.ts'

const expected = lines(outcome)
const result = replay(lines(scenario), '2026-02-02')

describe('the worked example of the rules', () => {
  test.each(['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'])('rewards of %s', (day) => {
    const ofDay = (reward: (typeof expected)[number]) => reward.type === 'reward' && reward.day === day
    expect(result.rewards.filter(ofDay)).toEqual(expected.filter(ofDay))
  })

  test('an order that needs a price never published is refused', () => {
    expect(result.refused).toEqual(['PRICE_UNAVAILABLE'])
  })

  test('final balances of every member', () => {
    const withoutZeros = (amounts: Record<string, Micros>) =>
      Object.fromEntries(
        Object.entries(amounts)
          .filter(([, micros]) => micros !== 0n)
          .map(([name, micros]) => [name, formatMicros(micros)]),
      )
    const members = [...result.members.values()].map((member) => ({
      type: 'member',
      member: member.name,
      parent: member.parent?.name ?? null,
      side: member.side,
      level: member.level,
      valid: member.level > 0,
      balances: Object.fromEntries(
        Object.entries({
          USDT: withoutZeros({ available: member.usdt }),
          AMC: withoutZeros({ available: member.amc, locked: member.locked }),
          RIF: withoutZeros({ available: member.rif }),
        }).filter(([, accounts]) => Object.keys(accounts).length > 0),
      ),
      left_team_investment: formatMicros(member.investment.left),
      right_team_investment: formatMicros(member.investment.right),
      carry_left: formatMicros(member.carry.left),
      carry_right: formatMicros(member.carry.right),
      team_size_all: teamSize(member) - 1,
      team_size_valid: teamSize(member) - 1,
      remaining_dividends: formatMicros(
        member.packages.reduce((sum, paid) => sum + remainingDividends(paid, plan), 0n),
      ),
      manage_award_base: formatMicros(member.base),
      manage_level: managementRank(member.base, plan).rank,
    }))
    expect(members).toEqual(expected.filter((line) => line.type === 'member'))
  })

  test('final balances of the pools and of revenue', () => {
    const { pools, revenue } = result
    expect(expected.at(-1)!.accounts).toMatchObject({
      USDT: { commission_pool: formatMicros(pools.commission.usdt), revenue: formatMicros(revenue.usdt) },
      AMC: {
        commission_pool: formatMicros(pools.commission.amc),
        revenue: formatMicros(revenue.amc),
        yield_pool: formatMicros(pools.yield.amc),
      },
      RIF: { revenue: formatMicros(revenue.rif) },
    })
    expect(pools.yield.usdt).toBe(0n)
  })
})
