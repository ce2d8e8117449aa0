import { ACTIVITY_KINDS } from '@rif/api-schema'
import { expect, test } from 'vitest'
import en from '../../locales/en.json'
import { activityLook, activityTarget, kindsNamed } from './activity-view.ts'

const amounts = (amount: string) => [{ asset: 'USDT' as const, amount }]
const fields = {
  cause: { type: 'order', id: '7' },
  title: null,
  reward_id: null,
  amounts: amounts('1.000000'),
}

test('a transfer is described by its direction, and an unknown kind only by its amounts', () => {
  expect(activityLook({ kind: 'transfer', amounts: amounts('-1.000000') }).words).toBe('transfer_out')
  expect(activityLook({ kind: 'transfer', amounts: amounts('1.000000') }).words).toBe('transfer_in')
  expect(activityLook({ kind: 'something_new', amounts: amounts('1.000000') }).words).toBeNull()
})

test('every kind of transaction has a text', () => {
  for (const amount of ['-1.000000', '1.000000']) {
    const words = ACTIVITY_KINDS.map((kind) => activityLook({ kind, amounts: amounts(amount) }).words)
    expect(words.map((key) => key && en.activity.kind[key])).toEqual(words.map(() => expect.any(String)))
  }
})

test('each leads to the page that explains it, and never to the order of another member', () => {
  expect(activityTarget({ ...fields, kind: 'commission', reward_id: '5' })).toEqual({
    to: '/pages/rewardList/detail',
    search: { reward_id: '5' },
  })
  expect(activityTarget({ ...fields, kind: 'commission' })).toEqual({
    to: '/pages/rewardList/index',
    search: { show: 'rewards' },
  })
  expect(activityTarget({ ...fields, kind: 'order_payment', title: 'Launch 100' })).toEqual({
    to: '/pages/shop/shopOrderDetail',
    search: { order_id: '7' },
  })
  expect(activityTarget({ ...fields, kind: 'something' })).toBeNull()
  const cause = { type: 'withdrawal', id: '9' }
  expect(activityTarget({ ...fields, cause, kind: 'withdrawal_paid' })).toEqual({
    to: '/pages/withdrawal/detail',
    search: { withdraw_id: '9' },
  })
})

test('fund, savings, transfers, hash power and exchanges lead to their pages', () => {
  const target = (kind: string, type: string, amount = '1.000000') =>
    activityTarget({ ...fields, kind, cause: { type, id: '3' }, amounts: amounts(amount) })
  expect(target('savings_out', 'savings_transfer')).toEqual({
    to: '/pages/savings/list',
    search: { show: 'leaving' },
  })
  expect(target('savings_interest', 'settlement')).toEqual({
    to: '/pages/savings/list',
    search: { show: 'interest' },
  })
  expect(target('transfer', 'transfer', '-1.000000')).toEqual({
    to: '/pages/transfer/list',
    search: { direction: 'out' },
  })
  expect(target('dividend', 'settlement')).toEqual({
    to: '/pages/exchange/list',
    search: { show: 'dividends' },
  })
  expect(target('hash_power_purchase', 'conversion')).toEqual({ to: '/pages/index/hashRate' })
  expect(target('grant', 'hash-power')).toEqual({ to: '/pages/index/hashRate' })
  expect(target('fund_purchase', 'fund_order')).toEqual({
    to: '/pages/found/order_detail',
    search: { order_id: '3' },
  })
  expect(target('fund_income', 'fund_income')).toEqual({ to: '/pages/found/foundIncome/incomeList' })
  expect(target('grant', 'demonstration')).toBeNull()
})

test("finds the kinds whose name in the member's language contains a text, and transfers in both directions", () => {
  const nameOf = (kind: string) => `${kind.replaceAll('_', ' ').toUpperCase()}!`
  expect(kindsNamed(' transfer ', nameOf)).toEqual([
    'fund_income_transfer',
    'transfer_hold',
    'transfer_release',
    'transfer',
  ])
  expect(kindsNamed('Savings in', nameOf)).toEqual(['savings_in', 'savings_interest'])
  expect(kindsNamed('undone', nameOf)).toEqual([])
  expect(kindsNamed('', nameOf)).toEqual([])
})
