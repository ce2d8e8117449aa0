import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWalletAddress } from './wallet-address.ts'

const addressOf = (value: bigint) => `0x${value.toString(16).padStart(40, '0')}`

test('zero and the precompiles are no wallets, any other address is one, in any case', () => {
  for (const value of [0n, 1n, 4n, 0x64n, 0xffffn]) expect(isWalletAddress(addressOf(value))).toBe(false)
  for (const value of [0x10000n, 2n ** 160n - 1n]) expect(isWalletAddress(addressOf(value))).toBe(true)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }), (value) => {
      expect(isWalletAddress(addressOf(value))).toBe(value >= 0x10000n)
      expect(isWalletAddress(addressOf(value).toUpperCase().replace('0X', '0x'))).toBe(value >= 0x10000n)
    }),
  )
})

test('the contracts of the product are no wallets, in any case', () => {
  const bank = `0x${'aB'.repeat(20)}`
  expect(isWalletAddress(bank)).toBe(true)
  expect(isWalletAddress(bank.toLowerCase(), [bank])).toBe(false)
  expect(isWalletAddress(bank, [`0x${'cd'.repeat(20)}`, bank.toLowerCase()])).toBe(false)
  expect(isWalletAddress(bank, [`0x${'cd'.repeat(20)}`])).toBe(true)
})

test('a text that is no address is no wallet', () => {
  for (const text of [
    '',
    '0x',
    '0x00',
    'a'.repeat(40),
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(41)}`,
    `x0x${'1'.repeat(40)}`,
  ])
    expect(isWalletAddress(text)).toBe(false)
})
