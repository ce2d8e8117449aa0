import type { Me, Reward } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { rewardSums, totalWorth } from './overview.ts'

const now = new Date('2026-03-02T10:00:00Z')
const me = { tjjl: '8.000000', pdjl: '6.000000', jtjl: '1.000000', gljl: '0.000000' } as Me

function reward(type: Reward['type'], day: string, value: string, coveragePpm = 1_000_000): Reward {
  return { type, day, value, coverage_ppm: coveragePpm } as Reward
}

describe('rewardSums', () => {
  const rewards = [
    reward('ReferralReward', '2026-03-02', '8.000000'),
    reward('PairingReward', '2026-03-01', '4.000000', 500_000),
    reward('TeamReward', '2026-03-01', '2.000000'),
    reward('Interest', '2026-02-20', '1.000000'),
  ]

  it('adds up what was really paid, by kind and day', () => {
    expect(rewardSums(me, rewards, true, now)).toEqual([
      { kind: 'recommendation', today: '8.000000', yesterday: '0.000000', total: '8.000000' },
      { kind: 'organisation', today: '0.000000', yesterday: '4.000000', total: '6.000000' },
      { kind: 'static', today: '0.000000', yesterday: '0.000000', total: '1.000000' },
      { kind: 'management', today: '0.000000', yesterday: '0.000000', total: '0.000000' },
    ])
  })

  it('does not guess where the page of rewards ends too early', () => {
    const [first] = rewardSums(me, rewards.slice(0, 2), false, now)
    expect(first).toMatchObject({ today: '8.000000', yesterday: null })
    const [today] = rewardSums(me, rewards.slice(0, 1), false, now)
    expect(today).toMatchObject({ today: null, yesterday: null })
  })
})

describe('totalWorth', () => {
  const none = {
    available: '0.000000',
    locked: '0.000000',
    withdrawing: '0.000000',
    savings: '0.000000',
    savings_leaving: '0.000000',
    fund_income: '0.000000',
  }
  const rich = {
    ...me,
    balances: {
      USDT: { ...none, available: '10.000000', withdrawing: '1.000000' },
      AMC: { ...none, locked: '4.000000' },
    },
  } as Me

  it('counts all accounts, AMC at its price', () => {
    expect(totalWorth(rich, '0.500000')).toBe('13.000000')
  })

  it('leaves AMC out while there is no price', () => {
    expect(totalWorth(rich, null)).toBe('11.000000')
  })
})
