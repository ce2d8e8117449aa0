import type { Activity } from '@rif/api-schema'
import { MEMBER_ACCOUNTS, OPERATOR_ACCOUNTS } from '@rif/rules'
import { expect, test } from 'vitest'
import { isText, t } from '../../lib/index.ts'
import { dueText, rowAmounts, sourceText } from './activity-words.ts'

const OWN = `0x${'aa'.repeat(20)}`
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NOTHING = { address: null, label: null, name: null, rewards: 0, base: null, ratio_ppm: null }

type Facts = Partial<Activity['source']>
const of = (kind: string, source: Facts, amount = '1.000000') =>
  sourceText(
    {
      kind,
      day: '2026-11-21',
      due: [],
      amounts: [{ asset: 'USDT', amount }],
      source: { ...NOTHING, ...source },
    },
    OWN,
    t,
  )

test("a row names the order or member that caused its amount, by the member's own name for it", () => {
  const order = { address: OTHER, name: 'Launch 500', rewards: 2 }
  expect(of('commission', { ...order, label: 'Cousin' })).toBe('Cousin paid for Launch 500')
  expect(of('commission', order)).toBe('0x7099…79C8 paid for Launch 500')
  expect(of('static', { rewards: 2 })).toMatch(/^2 packages, for .*21/)
  expect(of('pairing', { rewards: 1, base: '500.000000', ratio_ppm: 80_000 })).toBe('500.00 matched × 8%')
  expect(of('transfer', { address: OTHER })).toBe('From 0x7099…79C8')
  expect(of('transfer', { address: OTHER }, '-1.000000')).toBe('To 0x7099…79C8')
  expect(of('withdrawal_request', { address: OWN.toUpperCase().replace('0X', '0x') })).toMatch(
    /^To your wallet 0x/,
  )
  expect(of('withdrawal_request', { address: OTHER })).toBe('To 0x7099…79C8')
  expect(of('fund_purchase', { name: 'Rental Income' })).toBe('Rental Income')
  expect(of('dividend', {})).toBeNull()
})

test('a row shows the paid part of the due amount', () => {
  const due = (paid: string) => [{ asset: 'USDT' as const, due: '11.500000', paid }]
  expect(dueText({ due: due('11.500000') }, t)).toBe('paid in full')
  expect(dueText({ due: due('1.150000') }, t)).toBe('of 11.50 calculated')
  expect(dueText({ due: due('1.150000') }, t, true)).toBe('10% of 11.50 calculated')
  expect(dueText({ due: [] }, t)).toBeNull()
})

test('a reward in two assets shows the paid worth; other transactions show their assets', () => {
  const amounts = [
    { asset: 'USDT' as const, amount: '28.000000' },
    { asset: 'AMC' as const, amount: '24.000000' },
  ]
  const due = [{ asset: 'USDT' as const, due: '40.000000', paid: '40.000000' }]
  expect(rowAmounts({ amounts, due, source: { ...NOTHING, rewards: 1 } })).toEqual([
    { amount: '40.000000', isOut: false, asset: null },
  ])
  expect(rowAmounts({ amounts, due: [], source: NOTHING }).map(({ asset }) => asset)).toEqual(['USDT', 'AMC'])
})

test('every account of a ledger line has a name', () => {
  const unnamed = [...MEMBER_ACCOUNTS, ...OPERATOR_ACCOUNTS].filter(
    (account) => !isText(`entry.account.${account}`),
  )
  expect(unnamed).toEqual([])
})
