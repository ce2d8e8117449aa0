import type { FundOrder, FundRedemption } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import {
  changePpm,
  formatReturn,
  isFundOrderPayable,
  keepFundTab,
  lockedUnits,
  purchaseSteps,
  readFundTab,
  redemptionSteps,
} from './fund-view.ts'

const order = {
  status: 'UnPaid',
  payment_method: 'wallet',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:30:00.000Z',
  paid_at: null,
  collected_at: null,
  cancelled_at: null,
} as FundOrder
const redemption = {
  status: 'Pending',
  submitted_at: '2026-01-01T00:00:00.000Z',
  audited_at: null,
  arrival_at: null,
  completed_at: null,
  cancelled_at: null,
  waits_for: null,
} as FundRedemption
const states = (steps: readonly { id: string; state: string }[]) =>
  steps.map(({ id, state }) => `${id} ${state}`)

describe('a purchase', () => {
  it('passes through the chain when the wallet pays', () => {
    expect(states(purchaseSteps(order))).toEqual([
      'created done',
      'sent waiting',
      'confirmed waiting',
      'paid waiting',
    ])
    expect(states(purchaseSteps({ ...order, status: 'Subscription' }))).toEqual([
      'created done',
      'sent done',
      'confirmed active',
      'paid waiting',
    ])
    for (const status of ['Paid', 'Redemption', 'Redeemed'] as const)
      expect(states(purchaseSteps({ ...order, status, paid_at: order.created_at })).at(-1)).toBe('paid done')
    expect(states(purchaseSteps({ ...order, status: 'Cancelled' }))).toEqual([
      'created done',
      'cancelled failed',
    ])
  })

  it('is completed at once from the balance', () => {
    const bought = {
      ...order,
      status: 'Paid',
      payment_method: 'available',
      paid_at: order.created_at,
    } as const
    expect(states(purchaseSteps(bought))).toEqual(['created done', 'paid done'])
  })

  it('can be paid until its quote expires', () => {
    const end = Date.parse('2026-01-01T00:30:00.000Z')
    expect(isFundOrderPayable(order, end - 1)).toBe(true)
    expect(isFundOrderPayable(order, end)).toBe(false)
    expect(isFundOrderPayable({ ...order, status: 'Processing' }, 0)).toBe(false)
    expect(isFundOrderPayable({ ...order, expires_at: null }, 0)).toBe(false)
  })
})

describe('a redemption', () => {
  it('is reviewed, waits for its weekday and for cash, and arrives', () => {
    expect(states(redemptionSteps(redemption))).toEqual([
      'submitted done',
      'review active',
      'arrival waiting',
    ])
    const approved = {
      ...redemption,
      status: 'Approved',
      waits_for: 'time',
      arrival_at: '2026-01-04T00:00:00.000Z',
    } as const
    expect(redemptionSteps(approved).at(-1)).toEqual({
      id: 'arrival',
      state: 'active',
      at: '2026-01-04T00:00:00.000Z',
    })
    expect(states(redemptionSteps({ ...approved, waits_for: 'cash' })).at(-1)).toBe('waiting active')
    expect(states(redemptionSteps({ ...redemption, status: 'Completed' })).at(-1)).toBe('arrived done')
    expect(states(redemptionSteps({ ...redemption, status: 'Rejected' })).at(-1)).toBe('rejected failed')
    expect(states(redemptionSteps({ ...redemption, status: 'Cancelled' })).at(-1)).toBe('cancelled failed')
  })
})

describe('figures', () => {
  it('have their sign, and are never rounded up', () => {
    expect([32_000, 0, -32_999].map(formatReturn)).toEqual(['+3.2%', '+0%', '−3.29%'])
    expect(changePpm('1.000000', '1.050000')).toBe(50_000)
    expect(changePpm('1.050000', '1.000000')).toBe(-47_619)
    expect(changePpm('0.000000', '1.000000')).toBe(0)
  })
})

describe('the selected tab', () => {
  it('is kept under the name of the specification, 0 by default', () => {
    expect(readFundTab()).toBe(0)
    keepFundTab(2)
    expect(localStorage.getItem('my_page_swiper_current')).toBe('2')
    expect(readFundTab()).toBe(2)
    localStorage.setItem('my_page_swiper_current', 'x')
    expect(readFundTab()).toBe(0)
  })
})

it('locked units are neither redeemable nor being redeemed', () => {
  expect(lockedUnits({ units: '10', units_redeeming: '2', units_redeemable: '5' })).toBe('3')
})
