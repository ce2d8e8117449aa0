import { expect, test } from 'vitest'
import { monthOf, presetDays, rangeProblem } from './statement-range.ts'

const NOW = new Date('2026-01-15T23:30:00Z')

test('presets are days of the UTC calendar, up to today', () => {
  expect(presetDays('thisMonth', NOW)).toEqual({ from: '2026-01-01', to: '2026-01-15' })
  expect(presetDays('lastMonth', NOW)).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(presetDays('lastMonth', new Date('2028-03-31T00:00:00Z'))).toEqual({
    from: '2028-02-01',
    to: '2028-02-29',
  })
  expect(presetDays('thisYear', NOW)).toEqual({ from: '2026-01-01', to: '2026-01-15' })
})

test('a range needs two days in order, and begins by today', () => {
  expect(rangeProblem({ from: '', to: '2026-01-01' }, NOW)).toBe('missing')
  expect(rangeProblem({ from: '2026-01-02', to: '2026-01-01' }, NOW)).toBe('order')
  expect(rangeProblem({ from: '2026-01-16', to: '2026-01-16' }, NOW)).toBe('future')
  expect(rangeProblem({ from: '2026-01-15', to: '2026-02-15' }, NOW)).toBeNull()
})

test('a whole month has its name', () => {
  expect(monthOf({ from: '2028-02-01', to: '2028-02-29' })).toBe('2028-02')
  expect(monthOf({ from: '2025-12-01', to: '2025-12-31' })).toBe('2025-12')
  expect(monthOf({ from: '2026-01-01', to: '2026-01-30' })).toBeNull()
})
