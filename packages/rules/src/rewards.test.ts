import { expect, test } from 'vitest'
import { cutByLimit } from './rewards.ts'

test('a limit cuts what the ratio of the base gives above the value', () => {
  expect(cutByLimit({ baseMicros: 1_000_000_000n, ratioPpm: 60_000, valueMicros: 45_000_000n })).toBe(
    15_000_000n,
  )
  expect(cutByLimit({ baseMicros: 1_000_000_000n, ratioPpm: 60_000, valueMicros: 60_000_000n })).toBe(0n)
})
