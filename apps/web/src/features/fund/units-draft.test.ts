import type { FundProduct } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { judgePurchase, judgeRedemption, mostUnits, redemptionBar } from './units-draft.ts'

const product = {
  nav: '1.250000',
  minimum_usd: '100.000000',
  lock_days: 30,
  redeemable_weekdays: [5],
  subscription_fee_ppm: 10_000,
  redemption_fee_ppm: 5_000,
  management_fee_ppm: 200_000,
} as FundProduct & { nav: string }
const NOW = Date.parse('2026-01-05T00:00:00.000Z')
const balance = (available: string) => ({ payWith: 'available' as const, available, nowMs: NOW })

describe('buying', () => {
  it('costs value and fee according to the rules, and shows the end of the lock period', () => {
    expect(judgePurchase('80', product, balance('101.000000'))).toEqual({
      ok: true,
      units: '80',
      price: '1.250000',
      value: '100.000000',
      fee: '1.000000',
      total: '101.000000',
      lockUntil: '2026-02-04T00:00:00.000Z',
    })
  })

  it('reports problems', () => {
    const problem = (input: string, available = '1000000.000000') => {
      const judged = judgePurchase(input, product, balance(available))
      return judged.ok ? null : judged.problem
    }
    expect(problem('')).toBe('unitsRequired')
    expect(problem('0')).toBe('unitsInvalid')
    expect(problem('9'.repeat(18))).toBe('unitsInvalid')
    expect(problem('79')).toBe('belowMinimum')
    expect(problem('80', '100.999999')).toBe('insufficient')
  })

  it('offers the largest number of units that the balance pays with their fee', () => {
    expect(mostUnits(product, '201.999999', '9999')).toBe('159')
    expect(mostUnits(product, '202.000000', '9999')).toBe('160')
    expect(mostUnits(product, '100.000000', '9999')).toBeNull()
  })

  it('ignores the balance when the wallet pays', () => {
    const wallet = { payWith: 'wallet' as const, available: '0.000000', nowMs: NOW }
    expect(judgePurchase('80', product, wallet)).toMatchObject({ ok: true, total: '101.000000' })
  })
})

describe('redeeming', () => {
  it('accepts whole units up to the redeemable number', () => {
    const holding = { units_redeemable: '10' }
    expect(judgeRedemption('10', holding)).toEqual({ ok: true, units: '10' })
    expect(judgeRedemption('11', holding)).toEqual({ ok: false, problem: 'notRedeemable' })
    expect(judgeRedemption('0', holding)).toEqual({ ok: false, problem: 'unitsInvalid' })
    expect(judgeRedemption('', holding)).toEqual({ ok: false, problem: 'unitsRequired' })
  })

  it('is closed by a lock period or the weekday', () => {
    const holding = { units_redeemable: '1' }
    expect(redemptionBar({ ...holding, units_redeemable: '0' }, product, '2026-01-09')).toBe('locked')
    expect(redemptionBar(holding, product, '2026-01-08')).toBe('weekday')
    expect(redemptionBar(holding, product, '2026-01-09')).toBeNull()
  })
})
