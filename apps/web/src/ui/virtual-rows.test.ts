import { expect, test } from 'vitest'
import { rowsOf } from './virtual-rows.tsx'

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
