import { expect, it } from 'vitest'
import { readReachValues } from './reach-values.ts'

const WALLET = `0x${'Ab'.repeat(20)}`

it('reads countries and wallets in one form, without duplicates', () => {
  expect(readReachValues('countries', ' kp, IR\nkp ;')).toEqual({ values: ['KP', 'IR'], wrong: undefined })
  expect(readReachValues('addresses', `${WALLET}\n${WALLET.toLowerCase()}`)).toEqual({
    values: [WALLET.toLowerCase()],
    wrong: undefined,
  })
})

it('names the first invalid text', () => {
  expect(readReachValues('countries', 'KP USA X').wrong).toBe('USA')
  expect(readReachValues('addresses', `${WALLET} 0x123`).wrong).toBe('0x123')
  expect(readReachValues('addresses', '').values).toEqual([])
})
