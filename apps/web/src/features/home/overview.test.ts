import type { Me } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { holdings, kindSums, leftShare, navDays, sumOf, totalWorth } from './overview.ts'

const sums = { tjjl: '8.000000', pdjl: '6.000000', jtjl: '1.000000', gljl: '0.000000' }
const none = { tjjl: '0.000000', pdjl: '0.000000', jtjl: '0.000000', gljl: '0.000000' }

describe('kindSums', () => {
  it('tells by kind what today and yesterday paid, and what pays it', () => {
    const days = [
      { group: 2 as const, sums: { ...none, pdjl: '4.000000' } },
      { group: 3 as const, sums: { ...none, jtjl: '1.000000' } },
    ]
    expect(kindSums(sums, days)).toEqual([
      { sum: 'tjjl', source: 'sales', today: '0.000000', yesterday: '0.000000', total: '8.000000' },
      { sum: 'pdjl', source: 'sales', today: '0.000000', yesterday: '4.000000', total: '6.000000' },
      { sum: 'jtjl', source: 'revenue', today: '0.000000', yesterday: '0.000000', total: '1.000000' },
      { sum: 'gljl', source: 'sales', today: '0.000000', yesterday: '0.000000', total: '0.000000' },
    ])
  })

  it('does not say zero while it does not know', () => {
    expect(kindSums(sums, undefined)[0]).toMatchObject({ today: null, yesterday: null, total: '8.000000' })
    expect(sumOf(['1.000000', null])).toBeNull()
    expect(sumOf(['1.000000', '0.500000'])).toBe('1.500000')
  })
})

const accounts = {
  available: '0.000000',
  locked: '0.000000',
  withdrawing: '0.000000',
  savings: '0.000000',
  savings_leaving: '0.000000',
  fund_income: '0.000000',
}
const me = {
  balances: {
    USDT: { ...accounts, available: '10.000000', withdrawing: '1.000000' },
    AMC: { ...accounts, locked: '4.000000' },
    RIF: accounts,
    VC: { ...accounts, available: '2.000000' },
    DIV: accounts,
  },
} as Me

describe('totalWorth', () => {
  it('counts all accounts, AMC at its price, and units of the fund', () => {
    const fund = { market_value: '7.500000' }
    expect(totalWorth(me, { amcPrice: '0.500000', fund })).toBe('20.500000')
  })

  it('leaves out AMC while there is no price, and units that could not be read', () => {
    expect(totalWorth(me, { amcPrice: null, fund: undefined })).toBe('11.000000')
  })
})

it('net values are told with their day, or from the oldest to the newest', () => {
  const published = (...times: string[]) => navDays(times.map((at) => ({ nav_published_at: at })))
  expect(published()).toBeNull()
  expect(published('2026-01-02T00:00:00.000Z', '2026-01-02T23:59:59.000Z')).toBe('2026-01-02')
  expect(published('2026-01-03T00:00:00.000Z', '2026-01-02T10:00:00.000Z')).toBe('2026-01-02 – 2026-01-03')
})

it('holdings are what can be used, and whatever else there is', () => {
  expect(holdings(me)).toEqual([
    { asset: 'USDT', available: '10.000000', others: [{ account: 'withdrawing', amount: '1.000000' }] },
    { asset: 'AMC', available: '0.000000', others: [{ account: 'locked', amount: '4.000000' }] },
    { asset: 'RIF', available: '0.000000', others: [] },
    { asset: 'VC', available: '2.000000', others: [] },
  ])
})

it('the left share of nothing is a half', () => {
  expect([leftShare('0', '0'), leftShare('3', '1'), leftShare('0', '5')]).toEqual([0.5, 0.75, 0])
})
