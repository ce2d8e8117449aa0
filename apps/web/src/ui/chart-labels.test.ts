import { expect, it } from 'vitest'
import { spotsOfLabels } from './chart-labels.ts'

const FLAT = [
  { x: 0, y: 1 },
  { x: 1, y: 1 },
]
const shown = (marks: Parameters<typeof spotsOfLabels>[0]) => [...spotsOfLabels(marks, FLAT).keys()].sort()

it('of labels without enough room the later ones are shown', () => {
  const at = (x: number) => ({ x, y: 0.9, text: 'Launch 100 of many paid' })
  expect(shown([at(0.48), at(0.5), at(0.52)])).toEqual([2])
})

it('labels beside and above each other are all shown', () => {
  const marks = [
    { x: 0.02, y: 0.1, text: '10.00 received' },
    { x: 0.04, y: 0.9, text: 'Launch 100 paid' },
    { x: 0.98, y: 0.9, text: 'Launch 500 paid' },
  ]
  expect(shown(marks)).toEqual([0, 1, 2])
})

it.each([
  ['before a fall from a high line', [0.2, 0.2, 0.9], { side: 'middle', level: 'above' }],
  ['after a fall', [0.2, 0.9, 0.9], { side: 'left', level: 'above' }],
  ['after a rise to a line that rises on', [0.95, 0.5, 0.1], { side: 'left', level: 'above' }],
  ['in a valley', [0.1, 0.6, 0.1], { side: 'middle', level: 'below' }],
])('a label %s does not lie on the line', (_, [first, at, last], spot) => {
  const line = [
    { x: 0, y: first! },
    { x: 0.42, y: first! },
    { x: 0.5, y: at! },
    { x: 0.58, y: last! },
    { x: 1, y: last! },
  ]
  expect(spotsOfLabels([{ x: 0.5, y: at!, text: '100.00 received' }], line).get(0)).toEqual(spot)
})

it('a label near an edge stays in the chart', () => {
  const text = '100.00 received'
  const spots = spotsOfLabels(
    [
      { x: 0.01, y: 0.5, text },
      { x: 0.99, y: 0.5, text },
    ],
    FLAT,
  )
  expect([...spots.values()].map(({ side }) => side)).toEqual(['left', 'right'])
})
