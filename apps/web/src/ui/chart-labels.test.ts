import { expect, it } from 'vitest'
import { labelsWithRoom } from './chart-labels.ts'

it('of two overlapping labels the later one is shown', () => {
  const marks = [
    { x: 0.02, y: 0.95, text: 'Launch 1000 paid' },
    { x: 0.4, y: 0.93, text: 'Launch 500 paid' },
    { x: 0.8, y: 0.3, text: '137.00 received' },
  ]
  expect([...labelsWithRoom(marks)].sort()).toEqual([1, 2])
})

it('labels beside and above each other are all shown', () => {
  const marks = [
    { x: 0.02, y: 0.1, text: '10.00 received' },
    { x: 0.04, y: 0.9, text: 'Launch 100 paid' },
    { x: 0.98, y: 0.9, text: 'Launch 500 paid' },
  ]
  expect(labelsWithRoom(marks).size).toBe(3)
})
