import type { SavingsAccount } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { judgeSavings, maxOf } from './savings-draft.ts'
import { paidByDay, reallyPaid, spanOf } from './savings-view.ts'

const assetOf = (asset: 'USDT' | 'AMC', savings: string, available: string) => ({
  asset,
  savings,
  available,
  leaving: '0.000000',
  yesterday_income: '0.000000',
  total_earned: '0.000000',
  rate_ppm: 180_000,
})
const account: SavingsAccount = {
  total_amount: '0.000000',
  yesterday_income: '0.000000',
  total_earned: '0.000000',
  total_holding_value: '0.000000',
  locked_amc: '0.000000',
  assets: [assetOf('USDT', '2000.000000', '5.000000'), assetOf('AMC', '9000.000000', '0.000000')],
  prices: { AMC: '0.500000' },
  recent_out_usdt: '0.000000',
  fast_up_to_usdt: '1000.000000',
  fast_delay_ms: 300_000,
  slow_delay_ms: 259_200_000,
}

describe('judge', () => {
  it('takes a deposit from the available balance, at once', () => {
    expect(maxOf({ direction: 'in', asset: 'USDT' }, account)).toBe('5.000000')
    expect(judgeSavings({ direction: 'in', asset: 'USDT', amount: '5' }, account)).toEqual({
      ok: true,
      request: { asset: 'USDT', amount: '5.000000' },
      delayMs: 0,
    })
  })

  it.each([
    ['USDT', '1000', 300_000],
    ['USDT', '1000.000001', 259_200_000],
    ['AMC', '2000', 300_000],
    ['AMC', '2000.000002', 259_200_000],
  ] as const)('says how long %s %s takes on the way out', (asset, amount, delayMs) => {
    expect(judgeSavings({ direction: 'out', asset, amount }, account)).toMatchObject({ ok: true, delayMs })
  })

  it('uses the long delay for what exceeds the worth of 24 hours together with earlier transfers', () => {
    const delayMs = (recent: string | null) =>
      judgeSavings(
        { direction: 'out', asset: 'USDT', amount: '400' },
        { ...account, recent_out_usdt: recent },
      )
    expect(delayMs('600.000000')).toMatchObject({ delayMs: 300_000 })
    expect(delayMs('600.000001')).toMatchObject({ delayMs: 259_200_000 })
    expect(delayMs(null)).toMatchObject({ delayMs: 259_200_000 })
  })

  it('uses the long delay for AMC without a price', () => {
    const unpriced = { ...account, prices: { AMC: null } }
    const judged = judgeSavings({ direction: 'out', asset: 'AMC', amount: '1' }, unpriced)
    expect(judged).toMatchObject({ delayMs: 259_200_000 })
  })

  it.each([
    ['', 'amountRequired'],
    ['0', 'amountInvalid'],
    ['-5', 'amountInvalid'],
    ['99999999999999', 'amountInvalid'],
    ['5.000001', 'insufficient'],
  ])('refuses "%s"', (amount, problem) => {
    expect(judgeSavings({ direction: 'in', asset: 'USDT', amount }, account)).toEqual({ ok: false, problem })
  })
})

describe('the views', () => {
  it('show a span in the largest whole unit', () => {
    expect([300_000, 259_200_000, 7_200_000, 90_000].map(spanOf)).toEqual([
      { unit: 'minutes', count: 5 },
      { unit: 'days', count: 3 },
      { unit: 'hours', count: 2 },
      { unit: 'minutes', count: 2 },
    ])
  })

  it('show the rate actually paid', () => {
    const total = { asset: 'USDT', due: '10.000000', paid: '4.000000', coverage_ppm: 400_000 } as const
    const coverage = { from: '2026-01-01', to: '2026-01-30', days: [], totals: [total] }
    expect(reallyPaid(coverage, 'USDT', 180_000)).toEqual({ coveragePpm: 400_000, ratePpm: 72_000 })
    expect(reallyPaid(coverage, 'AMC', 180_000)).toBeNull()
  })

  it('fill days without interest with zero', () => {
    const interest = {
      asset: 'USDT' as const,
      day: '2026-03-01',
      principal: '1.000000',
      rate_ppm: 1,
      due: '0.000002',
      coverage_ppm: 500_000,
      paid: '0.000001',
    }
    expect(paidByDay([interest, { ...interest, asset: 'AMC' }], 'USDT', '2026-03-02', 3)).toEqual([
      { day: '2026-02-28', paid: '0.000000', due: '0.000000' },
      { day: '2026-03-01', paid: '0.000001', due: '0.000002' },
      { day: '2026-03-02', paid: '0.000000', due: '0.000000' },
    ])
  })
})
