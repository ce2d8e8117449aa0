import { expect, test } from 'vitest'
import { coverageDays } from './coverage-parts.tsx'

test('every day of the range is listed, with the amount due and not paid', () => {
  const days = [
    { day: '2026-02-28', class: 'static' as const, value: '112.100000', paid: '56.050000' },
    { day: '2026-02-28', class: 'pairing' as const, value: '50.000000', paid: '50.000000' },
  ]
  expect(coverageDays({ from: '2026-02-27', to: '2026-03-01', days }, 'static')).toEqual([
    { day: '2026-02-27', value: '0.000000', paid: '0.000000', unpaid: '0.000000' },
    { day: '2026-02-28', value: '112.100000', paid: '56.050000', unpaid: '56.050000' },
    { day: '2026-03-01', value: '0.000000', paid: '0.000000', unpaid: '0.000000' },
  ])
})
