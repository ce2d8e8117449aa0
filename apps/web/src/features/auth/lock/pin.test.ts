import { expect, it } from 'vitest'
import { openBox, openToken, sealKey, sealToken } from './lock-crypto.ts'
import { keyOfPin, pinProblem } from './pin.ts'

it('refuses a PIN that is short, not a number, or easy to guess', () => {
  expect(
    ['12', '12a456', '111111', '123456', '987654', '', '135790', '121212', '1234567890'].map(pinProblem),
  ).toEqual(['short', 'digits', 'easy', 'easy', 'easy', 'short', null, null, null])
})

it('decrypts a token only with the right PIN and salt', async () => {
  const [salt, iterations] = [btoa('salt of sixteen!'), 1_000]
  const key = await sealKey(await keyOfPin('135790', salt, iterations))
  const sealed = await sealToken(key, 'a token')
  expect(JSON.stringify([key, sealed])).not.toContain('a token')
  const right = await openBox(key, await keyOfPin('135790', salt, iterations))
  expect(await openToken(right!, sealed)).toBe('a token')
  // A later sign-in needs no PIN.
  expect(await openToken(right!, await sealToken(key, 'another'))).toBe('another')
  for (const [pin, other] of [
    ['135791', salt],
    ['135790', btoa('another salt 16!')],
  ] as const) {
    expect(await openBox(key, await keyOfPin(pin, other, iterations))).toBeNull()
  }
  const stranger = await sealKey(await keyOfPin('135790', salt, iterations))
  expect(await openToken(right!, await sealToken(stranger, 'a token'))).toBeNull()
})
