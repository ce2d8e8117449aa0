import { describe, expect, it } from 'vitest'
import { coverageOf, kindSums, navDays, percentOf, shareOf, totalOf } from './overview.ts'

const sums = { tjjl: '8.000000', pdjl: '6.000000', jtjl: '1.000000', gljl: '0.000000' }
const none = { tjjl: '0.000000', pdjl: '0.000000', jtjl: '0.000000', gljl: '0.000000' }

describe('kindSums', () => {
  it('returns by kind the payments of today and yesterday, and their source', () => {
    const days = [
      { group: 2 as const, sums: { ...none, pdjl: '4.000000' } },
      { group: 3 as const, sums: { ...none, jtjl: '1.000000' } },
    ]
    expect(kindSums(sums, days)).toEqual([
      { sum: 'tjjl', source: 'sales', today: '0.000000', yesterday: '0.000000', total: '8.000000' },
      { sum: 'pdjl', source: 'sales', today: '0.000000', yesterday: '4.000000', total: '6.000000' },
      { sum: 'jtjl', source: 'revenue', today: '0.000000', yesterday: '0.000000', total: '1.000000' },
      { sum: 'gljl', source: 'sales', today: '0.000000', yesterday: '0.000000', total: '0.000000' },
    ])
  })

  it('does not return zero while a value is unknown', () => {
    expect(kindSums(sums, undefined)[0]).toMatchObject({ today: null, yesterday: null, total: '8.000000' })
    expect(totalOf(['1.000000', null])).toBeNull()
    expect(totalOf(['1.000000', '0.500000'])).toBe('1.500000')
  })
})

describe('coverageOf', () => {
  const row = (type: 'Interest' | 'TeamReward', value: string, paid: string) => ({
    type,
    value,
    paid,
    count: 1,
    usdt: paid,
    amc: '0.000000',
  })
  const items = [row('Interest', '303.000000', '28.920000'), row('TeamReward', '110.000000', '106.800000')]

  it('relates the paid to the due amount, by the pool that pays', () => {
    expect(coverageOf(items)).toEqual({ paid: '135.720000', due: '413.000000' })
    expect(coverageOf(items, 'revenue')).toEqual({ paid: '28.920000', due: '303.000000' })
    expect(coverageOf(items, 'sales')).toEqual({ paid: '106.800000', due: '110.000000' })
    expect(percentOf(coverageOf(items))).toBe('32.8%')
  })

  it('returns no rate where nothing was due', () => {
    expect(shareOf(coverageOf([]))).toBeNull()
    expect(percentOf(coverageOf([]))).toBeNull()
  })
})

it('net values are shown with their day, or the range from the oldest to the newest', () => {
  const published = (...times: string[]) => navDays(times.map((at) => ({ nav_published_at: at })))
  expect(published()).toBeNull()
  expect(published('2026-01-02T00:00:00.000Z', '2026-01-02T23:59:59.000Z')).toBe('Jan 2, 2026')
  expect(published('2026-01-03T00:00:00.000Z', '2026-01-02T10:00:00.000Z')).toBe('Jan 2, 2026 – Jan 3, 2026')
})
