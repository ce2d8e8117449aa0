import { expect, test } from 'vitest'
import { activityLook, activityTarget } from './activity-view.ts'

const amounts = (amount: string) => [{ asset: 'USDT' as const, amount }]
const fields = { cause: { type: 'order', id: '7' }, title: null, reward_id: null }

test('a transfer is told by its direction, and an unknown kind by its amounts alone', () => {
  expect(activityLook({ kind: 'transfer', amounts: amounts('-1.000000') }).words).toBe('transfer_out')
  expect(activityLook({ kind: 'transfer', amounts: amounts('1.000000') }).words).toBe('transfer_in')
  expect(activityLook({ kind: 'something_new', amounts: amounts('1.000000') }).words).toBeNull()
})

test('each leads to what explains it, and never to the order of somebody else', () => {
  expect(activityTarget({ ...fields, kind: 'commission', reward_id: '5' })).toEqual({
    ...{ to: '/pages/rewardList/detail', search: { reward_id: '5' } },
  })
  expect(activityTarget({ ...fields, kind: 'commission' })).toEqual({ to: '/pages/rewardList/index' })
  expect(activityTarget({ ...fields, kind: 'order_payment', title: 'Launch 100' })).toEqual({
    ...{ to: '/pages/shop/shopOrderDetail', search: { order_id: '7' } },
  })
  expect(activityTarget({ ...fields, kind: 'something' })).toBeNull()
  const cause = { type: 'withdrawal', id: '9' }
  expect(activityTarget({ ...fields, cause, kind: 'withdrawal_paid' })).toEqual({
    ...{ to: '/pages/withdrawal/detail', search: { withdraw_id: '9' } },
  })
})
