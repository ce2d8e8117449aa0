import { expect, it } from 'vitest'
import { analyticsRangeProblem, presetOf, presetRange } from './range.ts'

const NOW = new Date('2026-03-01T00:00:00Z')

it('counts the days of a range by UTC, today included', () => {
  expect(presetRange('today', NOW)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(presetRange('week', NOW)).toEqual({ from: '2026-02-23', to: '2026-03-01' })
  expect(presetOf({ from: '2026-02-23', to: '2026-03-01' }, NOW)).toBe('week')
  expect(presetOf({ from: '2026-02-23', to: '2026-02-28' }, NOW)).toBeNull()
})

it('refuses ranges that the server would refuse', () => {
  expect(analyticsRangeProblem({ from: '2026-01-01', to: '2026-12-31' })).toBeNull()
  expect(analyticsRangeProblem({ from: '2025-01-01', to: '2026-01-02' })).toBe('long')
  expect(analyticsRangeProblem({ from: '2026-01-02', to: '2026-01-01' })).toBe('order')
})
