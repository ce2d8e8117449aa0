import { expect, test } from 'vitest'
import { earningsCsv } from './earnings-csv.ts'

const level = {
  level: 2,
  members: 45,
  whole: null,
  ages: [
    { days: 30, members: 45, median_ppm: 16_900 },
    { days: 90, members: 3, median_ppm: null },
  ],
}

test('the file contains every published figure with its number of members, and no value for too few', () => {
  const all = {
    whole: 9,
    whole_by_commission: 4,
    without_commission: 12,
    spread: [{ from_ppm: 0, members: 36 }],
  }
  const figures = { members: 50, without_package: 7, since: '2026-01-01', fewest: 20, levels: [level], all }
  const text = earningsCsv({ day: '2026-06-30', computed_at: '2026-07-01T00:00:00Z', figures })
  expect(text.split('\r\n')).toEqual([
    'day,figure,level,days,from_ppm,members,value',
    '2026-06-30,members,,,,50,50',
    '2026-06-30,without_package,,,,7,7',
    '2026-06-30,got_back_what_was_paid,2,,,45,',
    '2026-06-30,median_ppm,2,30,,45,16900',
    '2026-06-30,median_ppm,2,90,,3,',
    '2026-06-30,got_back_what_was_paid,,,,50,9',
    '2026-06-30,of_these_mostly_by_commission,,,,9,4',
    '2026-06-30,without_commission,,,,50,12',
    '2026-06-30,spread,,,0,50,36',
    '',
  ])
})

test('the file of too few members has no total figure', () => {
  const figures = { members: 3, without_package: 0, since: null, fewest: 20, levels: [], all: null }
  const text = earningsCsv({ day: '2026-06-30', computed_at: '2026-07-01T00:00:00Z', figures })
  expect(text.split('\r\n')).toHaveLength(4)
})
