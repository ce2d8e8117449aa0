import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  dayOf,
  daysBetween,
  isDay,
  isLastDayOfMonth,
  monthOf,
  nextDay,
  previousDay,
  startOfDay,
} from './index.ts'

const times = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2200, 0, 1) })

test('a day ends just before 00:00:00 UTC of the next day', () => {
  expect(dayOf(Date.parse('2026-01-30T23:59:59.999Z'))).toBe('2026-01-30')
  expect(dayOf(Date.parse('2026-01-31T00:00:00Z'))).toBe('2026-01-31')
})

test('days and months roll over, leap years too', () => {
  expect(nextDay('2026-12-31')).toBe('2027-01-01')
  expect(previousDay('2028-03-01')).toBe('2028-02-29')
  expect(addDays('2026-01-31', 30)).toBe('2026-03-02')
  expect(monthOf('2026-01-31')).toBe('2026-01')
  expect(
    ['2026-01-31', '2026-02-28', '2028-02-28', '2028-02-29', '2026-04-30'].map(isLastDayOfMonth),
  ).toEqual([true, true, false, true, true])
})

test('rejects days that do not exist', () => {
  expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true)
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z', '+012026-01', ''].some(isDay)).toBe(
    false,
  )
})

test('a time lies within its day, and days count and sort like numbers', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -2_000, max: 2_000 }), (time, count) => {
      const day = dayOf(time)
      expect(startOfDay(day) <= time && time < startOfDay(nextDay(day))).toBe(true)
      const other = addDays(day, count)
      expect(daysBetween(day, other)).toBe(count)
      expect(day < other).toBe(count > 0)
      expect(previousDay(nextDay(day))).toBe(day)
    }),
  )
})
