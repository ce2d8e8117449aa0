import { expect, test } from 'vitest'
import { takeClaimWish, wishClaim } from './claim-wish.ts'

test('a tap on Claim starts the claim of that withdrawal once, and of no other', () => {
  expect(takeClaimWish('7')).toBe(false)
  wishClaim('7')
  expect(takeClaimWish('7')).toBe(true)
  expect(takeClaimWish('7')).toBe(false)
  wishClaim('7')
  expect(takeClaimWish('8')).toBe(false)
  expect(takeClaimWish('7')).toBe(false)
})
