import { expect, test } from 'vitest'
import { canBePaid, FUND_ORDER_TRANSITIONS, type FundOrderStatus } from './index.ts'

test('a payment pays every order that is not paid yet, also a cancelled one', () => {
  const statuses = Object.keys(FUND_ORDER_TRANSITIONS) as FundOrderStatus[]
  expect(statuses.filter(canBePaid)).toEqual(['UnPaid', 'Processing', 'Subscription', 'Cancelled'])
})
