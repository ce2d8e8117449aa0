import type { Order } from '@rif/api-schema'
import { describe, expect, test } from 'vitest'
import { isOrderOpen, isPayable, openOrderFor, orderSteps } from './order-view.ts'

const quote = {
  discount: '0.000000',
  rif: '0.000000',
  due: '100.000000',
  usdt: '70.000000',
  amc: '60.000000',
}
const NOW = Date.parse('2026-01-31T10:00:00.000Z')

function orderWith(change: Partial<Order>): Order {
  return {
    order_id: '7',
    chain_order_id: '18446744073709551623',
    product_id: '1',
    product_name: 'Launch 100',
    level: 1,
    price: '100.000000',
    amc_price: '0.500000',
    status: 'UnPaid',
    use_hash_rate: false,
    quote,
    full_quote: quote,
    payer: `0x${'1'.repeat(40)}`,
    bank: `0x${'2'.repeat(40)}`,
    created_at: '2026-01-31T09:45:00.000Z',
    expires_at: '2026-01-31T10:15:00.000Z',
    tx_hash: null,
    confirmations: 0,
    confirmations_needed: 3,
    usual_seconds: null,
    paid_at: null,
    collected_at: null,
    cancelled_at: null,
    cancel_reason: null,
    unmatched_tx_hash: null,
    payment_method: 'USDT+AMC',
    service_fee: '0.000000',
    total: '100.000000',
    ...change,
  }
}

test('an order is open until it is paid or cancelled, and payable until its quote ends', () => {
  expect(
    (['UnPaid', 'Processing', 'Paid', 'Cancelled'] as const).map((status) => isOrderOpen({ status })),
  ).toEqual([true, true, false, false])
  expect(isPayable(orderWith({}), NOW)).toBe(true)
  expect(isPayable(orderWith({ expires_at: '2026-01-31T10:00:00.000Z' }), NOW)).toBe(false)
  expect(isPayable(orderWith({ status: 'Processing' }), NOW)).toBe(false)
})

describe('openOrderFor', () => {
  test('continues the open order of the same package, with or without the discount', () => {
    const open = orderWith({ order_id: '9', use_hash_rate: true })
    expect(openOrderFor([orderWith({ product_id: '2' }), open], '1', NOW)).toBe(open)
  })

  test('ignores other packages and expired quotes', () => {
    const others = [
      orderWith({ product_id: '2' }),
      orderWith({ expires_at: '2026-01-31T09:59:59.000Z' }),
      orderWith({ status: 'Processing' }),
    ]
    expect(openOrderFor(others, '1', NOW)).toBeNull()
  })
})

describe('orderSteps', () => {
  const statesOf = (order: Order) => orderSteps(order).map(({ id, state }) => `${id} ${state}`)

  test('follow the status', () => {
    expect(statesOf(orderWith({}))).toEqual([
      'created done',
      'sent waiting',
      'confirmed waiting',
      'paid waiting',
    ])
    expect(statesOf(orderWith({ status: 'Processing', confirmations: 1 }))).toEqual([
      'created done',
      'sent done',
      'confirmed active',
      'paid waiting',
    ])
    expect(statesOf(orderWith({ status: 'Paid' }))).toEqual([
      'created done',
      'sent done',
      'confirmed done',
      'paid done',
    ])
  })

  test('a cancelled order ends where it was cancelled', () => {
    const cancelled = orderWith({ status: 'Cancelled', cancelled_at: '2026-01-31T09:50:00.000Z' })
    expect(orderSteps(cancelled).at(-1)).toEqual({
      id: 'cancelled',
      state: 'failed',
      at: '2026-01-31T09:50:00.000Z',
    })
  })
})
