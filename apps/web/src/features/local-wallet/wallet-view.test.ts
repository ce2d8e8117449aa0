import { describe, expect, it } from 'vitest'
import { maxEther } from './wallet-view.ts'

describe('all of the ether', () => {
  it.each([
    ['1.000000', 21_000n * 1_000_000_000n, '0.999958'],
    ['1.000000', 1n, '0.999999'],
    ['1.000000', 0n, '1.000000'],
    ['0.000010', 21_000n * 1_000_000_000n, '0.000000'],
  ])('of %s leaves twice the fee of %s wei, rounded up', (balance, fee, most) => {
    expect(maxEther(balance, fee)).toBe(most)
  })
})
