import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import {
  ASSETS,
  canTransition,
  FUND_ORDER_TRANSITIONS,
  INCOME_SUMS,
  isPaymentAsset,
  levelAfterPayment,
  MEMBER_ACCOUNTS,
  ORDER_TRANSITIONS,
  PAYMENT_ASSETS,
  placementSide,
  priceOf,
  REDEMPTION_TRANSITIONS,
  REWARD_KINDS,
  REWARD_POOL,
  roleAllows,
  SIDE_CHOICES,
  WITHDRAWAL_TRANSITIONS,
} from './index.ts'

/** Returns all transitions of a table as texts such as "Paid > Redemption". */
function transitionsOf<Status extends string>(table: Readonly<Record<Status, readonly Status[]>>): string[] {
  const statuses = Object.keys(table) as Status[]
  return statuses.flatMap((from) =>
    statuses.filter((to) => canTransition(table, from, to)).map((to) => `${from} > ${to}`),
  )
}

test('orders advance, return to UnPaid only when a payment is reorganised, and are paid after a cancellation', () => {
  expect(transitionsOf(ORDER_TRANSITIONS)).toEqual([
    'UnPaid > Processing',
    'UnPaid > Cancelled',
    'Processing > UnPaid',
    'Processing > Paid',
    'Cancelled > Paid',
  ])
})

test('withdrawals end paid, rejected or cancelled', () => {
  expect(transitionsOf(WITHDRAWAL_TRANSITIONS)).toEqual([
    'Auditing > Withdrawable',
    'Auditing > Rejected',
    'Auditing > Cancelled',
    'Withdrawable > Success',
    'Withdrawable > Cancelled',
  ])
})

test('fund orders are paid, redeemed in parts and end redeemed or cancelled', () => {
  expect(transitionsOf(FUND_ORDER_TRANSITIONS)).toEqual([
    'UnPaid > Processing',
    'UnPaid > Subscription',
    'UnPaid > Paid',
    'UnPaid > Cancelled',
    'Processing > UnPaid',
    'Processing > Subscription',
    'Processing > Paid',
    'Subscription > UnPaid',
    'Subscription > Paid',
    'Paid > Redemption',
    'Redemption > Paid',
    'Redemption > Redeemed',
    'Cancelled > Paid',
  ])
})

test('redemptions are completed only after their approval', () => {
  expect(transitionsOf(REDEMPTION_TRANSITIONS)).toEqual([
    'Pending > Approved',
    'Pending > Rejected',
    'Pending > Cancelled',
    'Approved > Completed',
    'Approved > Cancelled',
  ])
})

test('every reward kind belongs to exactly one income sum', () => {
  expect(INCOME_SUMS).toEqual({
    tjjl: ['ReferralReward'],
    pdjl: ['TeamReward', 'PairingReward'],
    jtjl: ['Interest'],
    gljl: ['ManagementReward'],
  })
  expect(Object.values(INCOME_SUMS).flat().sort()).toEqual([...REWARD_KINDS].sort())
})

test('static rewards are paid from the yield pool, all others from the commission pool', () => {
  expect(REWARD_KINDS.filter((kind) => REWARD_POOL[kind] === 'yield_pool')).toEqual(['Interest'])
  expect(REWARD_KINDS.filter((kind) => REWARD_POOL[kind] === 'commission_pool')).toHaveLength(4)
})

test('packages, rewards and withdrawals use USDT and AMC only, and a USDT is worth a USDT', () => {
  expect(ASSETS).toEqual(['USDT', 'AMC', 'RIF', 'VC', 'DIV'])
  expect(ASSETS.filter(isPaymentAsset)).toEqual(PAYMENT_ASSETS)
  expect(PAYMENT_ASSETS).toEqual(['USDT', 'AMC'])
  expect([priceOf('USDT', null), priceOf('AMC', null), priceOf('AMC', 5n)]).toEqual([whole(1), null, 5n])
})

test('a member has six accounts for each asset', () => {
  const names = ['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income']
  expect(MEMBER_ACCOUNTS).toEqual(names)
})

test('an owner has the rights of all roles, an operator and an approver also those of a viewer', () => {
  const roles = ['viewer', 'operator', 'approver', 'owner'] as const
  const allowed = roles.map((role) => roles.filter((needed) => roleAllows(role, needed)))
  expect(allowed).toEqual([['viewer'], ['viewer', 'operator'], ['viewer', 'approver'], roles])
})

test('auto selects the smaller side, left on a tie; a requested side is used', () => {
  expect(SIDE_CHOICES).toEqual(['left', 'right', 'auto'])
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
