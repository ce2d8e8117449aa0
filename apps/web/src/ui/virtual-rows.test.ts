import { expect, test } from 'vitest'
import { rowsOf, rowsToDraw } from './virtual-rows.tsx'

test('marks the first and the last item of each group, which are the ends of its card', () => {
  const rows = rowsOf(
    ['a1', 'a2', 'a3', 'b1'],
    (item) => item,
    ([group]) => group!,
  )
  expect(rows.map((row) => row.key)).toEqual(['heading a', 'a1', 'a2', 'a3', 'heading b', 'b1'])
  const ends = rows.flatMap((row) => (row.kind === 'item' ? [[row.isFirst, row.isLast]] : []))
  expect(ends).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [true, true],
  ])
  const plain = rowsOf([1, 2], String, undefined)
  expect(plain.map((row) => row.kind === 'item' && [row.isFirst, row.isLast])).toEqual([
    [true, false],
    [false, true],
  ])
})

test('renders only visible rows after a jump, and those around them when the page rests or moves a little', () => {
  const items = Array.from({ length: 22 }, (_, n) => ({ index: 96 + n }))
  const range = { startIndex: 100, endIndex: 113 }
  const drawn = (isScrolling: boolean, from: number) =>
    rowsToDraw(items, { range, isScrolling }, from).map(({ index }) => index)
  const inSight = Array.from({ length: 14 }, (_, n) => 100 + n)
  expect(drawn(true, 88)).toEqual(inSight)
  expect(drawn(true, 112)).toEqual(inSight)
  expect(drawn(true, 97)).toHaveLength(22)
  expect(drawn(false, 88)).toHaveLength(22)
  expect(rowsToDraw(items, { range: null, isScrolling: true }, 0)).toHaveLength(22)
})
