import { expect, it, vi } from 'vitest'
import { scrollWithin } from './scroll-within.ts'

/** A part of 40 px at `top` in a column whose window begins at 100 and ends at 700. */
function scrolled(top: number, from = 50): number {
  const column = document.createElement('div')
  const part = document.createElement('a')
  vi.spyOn(column, 'getBoundingClientRect').mockReturnValue({ top: 100, bottom: 700 } as DOMRect)
  vi.spyOn(part, 'getBoundingClientRect').mockReturnValue({ top, bottom: top + 40 } as DOMRect)
  column.scrollTop = from
  scrollWithin(column, part, 64)
  return column.scrollTop
}

it.each([
  ['above the edge', 80, 30],
  ['in sight', 300, 50],
  ['just above what stays at the lower edge', 596, 50],
  ['under it', 620, 74],
])('brings a part that is %s into sight', (_, top, expected) => {
  expect(scrolled(top)).toBe(expected)
})
