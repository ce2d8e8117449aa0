import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('a value is kept until one of its parts changes', () => {
  const answer = remembered<string, object>(10)
  const make = () => ({})
  const first = answer('a', ['1', undefined], make)
  expect(answer('a', ['1', undefined], make)).toBe(first)
  expect(answer('b', ['1', undefined], make)).not.toBe(first)
  const second = answer('a', ['1', '2'], make)
  expect(second).not.toBe(first)
  expect(answer('a', ['1', undefined], make)).not.toBe(second)
  expect(answer('a', ['1'], make)).not.toBe(answer('a', ['1', undefined], make))
})

test('a failed value is not cached', () => {
  const answer = remembered<string, number>(10)
  const fail = () => {
    throw new Error('refused')
  }
  expect(() => answer('a', [], fail)).toThrow('refused')
  expect(answer('a', [], () => 1)).toBe(1)
})

test('only the most recent keys are kept', () => {
  const answer = remembered<number, object>(2)
  const made = [1, 2, 3].map((key) => answer(key, [], () => ({ key })))
  expect(answer(3, [], () => ({}))).toBe(made[2])
  expect(answer(2, [], () => ({}))).toBe(made[1])
  expect(answer(1, [], () => ({}))).not.toBe(made[0])
})
