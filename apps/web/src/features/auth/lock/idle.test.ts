import { expect, it } from 'vitest'
import { isOver } from './idle.ts'

const start = { steadyMs: 1_000, wallMs: 1_700_000_000_000 }
const after = (steadyMs: number, wallMs: number) =>
  isOver(start, { steadyMs: start.steadyMs + steadyMs, wallMs: start.wallMs + wallMs }, 60_000)

it('expires when either clock shows the time', () => {
  expect([after(59_999, 59_999), after(60_000, 60_000)]).toEqual([false, true])
  // The device slept, so the page's clock stood still.
  expect(after(1_000, 60_000)).toBe(true)
  // The device's clock was stopped.
  expect(after(60_000, 58_000)).toBe(true)
})

it('expires when the clock was set back, but not when it was corrected by seconds', () => {
  expect([after(10_000, 4_000), after(10_000, -3_600_000)]).toEqual([true, true])
  expect(after(10_000, 6_000)).toBe(false)
})
