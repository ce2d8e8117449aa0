import type { Me, Portfolio } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { expect, test } from 'vitest'
import {
  changeLines,
  eventsOf,
  historyOf,
  holdingsOf,
  PLACES,
  placeWorth,
  portfolioTotalOf,
} from './portfolio.ts'

const accounts = {
  available: '0.000000',
  locked: '0.000000',
  withdrawing: '0.000000',
  savings: '0.000000',
  savings_leaving: '0.000000',
  fund_income: '0.000000',
}
const me = {
  balances: {
    USDT: { ...accounts, available: '10.000000', withdrawing: '1.000000', savings_leaving: '5.000000' },
    AMC: { ...accounts, locked: '4.000000', savings: '2.000000' },
    RIF: accounts,
    VC: { ...accounts, available: '2.000000' },
    DIV: accounts,
  },
} as Me

const money = (micros: bigint) => formatMicros(micros)

test("the total includes the wallet: after a new member's purchase it is the rest in the wallet, not zero", () => {
  const nothing = { balances: { ...me.balances, USDT: accounts, AMC: accounts } } as Me
  const wallet = { USDT: '99930.000000', AMC: '99940.000000' }
  const holdings = holdingsOf({ me: nothing, amcPrice: '0.500000', fund: undefined, wallet })
  expect(money(portfolioTotalOf(holdings))).toBe('149900.000000')
})

test('what a member does on the first day is a change of the total, and a step of its chart', () => {
  // The history of a new member begins with the day before joining.
  const source: Portfolio = {
    days: [day('2026-11-27', {}), day('2026-11-28', {})],
    changes: [
      change('2026-11-28', {
        place: 'wallet',
        kind: 'paid',
        title: 'Launch 100',
        usdt: '-70.000000',
        amc: '-60.000000',
      }),
    ],
  }
  const history = historyOf(source, { USDT: '99930.000000', AMC: '99940.000000' })
  expect(history.days.map(({ total }) => money(total))).toEqual(['150000.000000', '149900.000000'])
  expect(changeLines(history)).toEqual([
    { cause: 'packages', micros: -parseMicros('100'), titles: ['Launch 100'] },
  ])
  expect([...eventsOf(history).keys()]).toEqual(['2026-11-28'])
})

test('the total is the sum of its four places, with AMC at its price and without unavailable parts', () => {
  const fund = { market_value: '7.500000' }
  const wallet = { USDT: '100.000000', AMC: '3.000001' }
  const holdings = holdingsOf({ me, amcPrice: '0.500000', fund, wallet })
  expect(PLACES.map((place) => money(placeWorth(holdings, place)))).toEqual([
    '101.500000',
    '13.000000',
    '6.000000',
    '7.500000',
  ])
  expect(money(portfolioTotalOf(holdings))).toBe('128.000000')
  const unread = holdingsOf({ me, amcPrice: null, fund: undefined, wallet: undefined })
  expect(money(portfolioTotalOf(unread))).toBe('16.000000')
})

const day = (name: string, fields: Partial<Portfolio['days'][number]>): Portfolio['days'][number] => ({
  day: name,
  amc_price: '0.500000',
  usdt: '0.000000',
  amc: '0.000000',
  savings_usdt: '0.000000',
  savings_amc: '0.000000',
  fund: '0.000000',
  ...fields,
})
const change = (
  name: string,
  fields: Partial<Portfolio['changes'][number]>,
): Portfolio['changes'][number] => ({
  day: name,
  place: 'account',
  kind: 'grant',
  title: null,
  usdt: '0.000000',
  amc: '0.000000',
  ...fields,
})

const portfolio: Portfolio = {
  days: [
    day('2026-11-01', { usdt: '50.000000', amc: '10.000000', fund: '20.000000' }),
    day('2026-11-02', { usdt: '50.000000', amc: '10.000000', fund: '20.000000' }),
    day('2026-11-03', { usdt: '61.000000', amc: '10.000000', fund: '20.000000', amc_price: '0.333333' }),
    day('2026-11-04', {
      usdt: '30.000000',
      amc: '10.000000',
      savings_usdt: '5.000000',
      fund: '42.000000',
      amc_price: '0.333333',
    }),
  ],
  changes: [
    change('2026-11-01', { kind: 'static', usdt: '9.000000' }),
    change('2026-11-02', {
      place: 'wallet',
      kind: 'paid',
      title: 'Launch 100',
      usdt: '-70.000000',
      amc: '-60.000000',
    }),
    change('2026-11-03', { kind: 'static', usdt: '11.000000' }),
    change('2026-11-04', { kind: 'fund_purchase', usdt: '-20.000000' }),
    change('2026-11-04', { kind: 'withdrawal_paid', usdt: '-6.000000' }),
    change('2026-11-04', { place: 'wallet', kind: 'claimed', usdt: '5.880000' }),
    change('2026-11-04', { place: 'wallet', kind: 'received', usdt: '30.000000', amc: '1.000000' }),
  ],
}
const wallet = { USDT: '135.880000', AMC: '41.000000' }

test("the days are computed backwards from the wallet's present balances", () => {
  const { days } = historyOf(portfolio, wallet)
  expect(days.map(({ wallet: tokens }) => [money(tokens!.usdt), money(tokens!.amc)])).toEqual([
    ['170.000000', '100.000000'],
    ['100.000000', '40.000000'],
    ['100.000000', '40.000000'],
    ['135.880000', '41.000000'],
  ])
})

test('the changes add up to exactly the difference between the first day and the last', () => {
  for (const balances of [wallet, undefined, { USDT: '1.000001', AMC: '0.700007' }]) {
    const history = historyOf(portfolio, balances)
    const lines = changeLines(history)
    const sum = lines.reduce((total, { micros }) => total + micros, 0n)
    expect(sum).toBe(history.days.at(-1)!.total - history.days[0]!.total)
  }
})

test('the changes name rewards, packages, fees of withdrawals, the fund and the price', () => {
  const lines = changeLines(historyOf(portfolio, wallet))
  expect(lines.map(({ cause, micros, titles }) => [cause, money(micros), titles])).toEqual([
    // The first day's reward is included in the initial total of the range.
    ['rewards', '11.000000', []],
    ['fund', '2.000000', []],
    ['received', '30.333333', []],
    ['packages', '-100.000000', ['Launch 100']],
    ['withdrawals', '-0.120000', []],
    ['price', '-8.333350', []],
  ])
})

test('a wallet whose known movements exceed its balances has others, which are named as unknown', () => {
  const history = historyOf(portfolio, { USDT: '1.000000', AMC: '0.000000' })
  expect(history.days.every(({ wallet: tokens }) => tokens!.usdt >= 0n && tokens!.amc >= 0n)).toBe(true)
  expect(changeLines(history).find(({ cause }) => cause === 'unknown')?.micros).toBeLessThan(0n)
})

test('the chart marks purchases and receipts, the larger of two that are close', () => {
  const events = eventsOf(historyOf(portfolio, wallet))
  expect([...events]).toEqual([
    ['2026-11-02', { kind: 'paid', title: 'Launch 100', micros: parseMicros('100') }],
    ['2026-11-04', { kind: 'received', title: null, micros: parseMicros('30.333333') }],
  ])
})
