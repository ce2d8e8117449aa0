import type { FundDesk } from '@rif/api-schema'
import { expect, it } from 'vitest'
import { cashByDay } from './cash-days.ts'

const NOW = Date.parse('2026-11-22T11:24:00Z')
const due = (due_at: string, value: string) => ({ due_at, value }) as FundDesk['redemptions'][number]
const desk = {
  cash: '1000.000000',
  announced: '100.000000',
  next_due_at: '2026-11-25T11:24:00Z',
  redemptions: [
    due('2026-11-20T08:00:00Z', '50.000000'),
    due('2026-11-23T10:12:00Z', '300.000000'),
    due('2026-11-23T19:05:00Z', '200.500000'),
  ],
  pending: { length: 1, units: '70', value: '700.000000', items: [] },
} satisfies Partial<FundDesk> as unknown as FundDesk

it('sums the cash needed on each day, overdue amounts today, and the rest of the free cash', () => {
  const days = cashByDay(desk, NOW)
  expect(days).toHaveLength(7)
  expect(days.map(({ day, paid, pending, left }) => [day.slice(8), paid, pending, left]).slice(0, 5)).toEqual(
    [
      ['22', '50.000000', '0.000000', '850.000000'],
      ['23', '500.500000', '0.000000', '349.500000'],
      ['24', '0.000000', '0.000000', '349.500000'],
      ['25', '0.000000', '700.000000', '-350.500000'],
      ['26', '0.000000', '0.000000', '-350.500000'],
    ],
  )
})

it('reaches as far as the last payment', () => {
  const redemptions = [due('2026-12-05T23:59:59Z', '1.000000')]
  expect(cashByDay({ ...desk, redemptions }, NOW).at(-1)).toMatchObject({
    day: '2026-12-05',
    paid: '1.000000',
  })
})
