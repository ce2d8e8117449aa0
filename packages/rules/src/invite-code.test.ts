import { expect, it } from 'vitest'
import { normaliseInviteCode } from './invite-code.ts'

it('reads a typed invitation code with its separators and in small letters', () => {
  expect(normaliseInviteCode(' k7m2-q9xt ')).toBe('K7M2Q9XT')
  expect(normaliseInviteCode(' - ')).toBe('')
  expect(normaliseInviteCode('Ｋ７Ｍ２－ｑ９ｘｔ')).toBe('K7M2Q9XT')
})
