import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canTransition,
  INCOME_SUMS,
  isPaymentAsset,
  levelAfterPayment,
  ORDER_TRANSITIONS,
  placementSide,
  REWARD_KINDS,
  WITHDRAWAL_TRANSITIONS,
} from './index.ts'

test('orders go forward, and back only when a payment is reorganised', () => {
  expect(canTransition(ORDER_TRANSITIONS, 'UnPaid', 'Processing')).toBe(true)
  expect(canTransition(ORDER_TRANSITIONS, 'Processing', 'UnPaid')).toBe(true)
  expect(canTransition(ORDER_TRANSITIONS, 'Processing', 'Cancelled')).toBe(false)
  expect(canTransition(ORDER_TRANSITIONS, 'UnPaid', 'Paid')).toBe(false)
  expect(canTransition(ORDER_TRANSITIONS, 'Paid', 'Cancelled')).toBe(false)
})

test('withdrawals that paid or gave back are closed', () => {
  expect(canTransition(WITHDRAWAL_TRANSITIONS, 'Auditing', 'Withdrawable')).toBe(true)
  expect(canTransition(WITHDRAWAL_TRANSITIONS, 'Auditing', 'Success')).toBe(false)
  expect(canTransition(WITHDRAWAL_TRANSITIONS, 'Withdrawable', 'Rejected')).toBe(false)
  expect(canTransition(WITHDRAWAL_TRANSITIONS, 'Withdrawable', 'Success')).toBe(true)
  for (const closed of ['Success', 'Rejected', 'Cancelled'] as const)
    expect(WITHDRAWAL_TRANSITIONS[closed]).toEqual([])
})

test('every reward kind counts in exactly one income sum', () => {
  expect(Object.values(INCOME_SUMS).flat().sort()).toEqual([...REWARD_KINDS].sort())
})

test('rewards and withdrawals move USDT and AMC only', () => {
  expect((['USDT', 'AMC', 'RIF', 'VC', 'DIV'] as const).filter(isPaymentAsset)).toEqual(['USDT', 'AMC'])
})

test('auto takes the smaller side, left on a tie; a side asked for is taken', () => {
  expect([placementSide('auto', 0, 0), placementSide('auto', 2, 1), placementSide('auto', 1, 2)]).toEqual([
    'left',
    'right',
    'left',
  ])
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (left, right) => {
      expect([placementSide('left', left, right), placementSide('right', left, right)]).toEqual([
        'left',
        'right',
      ])
    }),
  )
})

test('a level never falls', () => {
  expect([levelAfterPayment(0, 1), levelAfterPayment(5, 1), levelAfterPayment(2, 4)]).toEqual([1, 5, 4])
})
