import { expect, test } from 'vitest'
import {
  FUND_ORDER_TRANSITIONS,
  type FundOrderStatus,
  isOpenFundOrder,
  isOpenOrder,
  ORDER_TRANSITIONS,
  type OrderStatus,
} from './index.ts'

test('an order is open until it is paid or cancelled', () => {
  const statuses = Object.keys(ORDER_TRANSITIONS) as OrderStatus[]
  expect(statuses.filter(isOpenOrder)).toEqual(['UnPaid', 'Processing'])
  const ofFund = Object.keys(FUND_ORDER_TRANSITIONS) as FundOrderStatus[]
  expect(ofFund.filter(isOpenFundOrder)).toEqual(['UnPaid', 'Processing', 'Subscription'])
})
