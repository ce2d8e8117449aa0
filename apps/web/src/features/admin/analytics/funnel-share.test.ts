import { expect, test } from 'vitest'
import { shareOfBefore } from './funnel-share.ts'

test('a step that more took than the one before is no part of it', () => {
  expect([shareOfBefore(1, 3), shareOfBefore(3, 3), shareOfBefore(0, 3)]).toEqual([333_333, 1_000_000, 0])
  expect([shareOfBefore(5, 3), shareOfBefore(1, 0)]).toEqual([null, null])
})
