import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decimalsOf,
  formatAmount,
  formatExact,
  formatPpm,
  formatPrice,
  isCut,
  shortAddress,
  shortAddressLong,
} from './format.ts'

describe('formatAmount', () => {
  it.each([
    ['0', '0.00'],
    ['70.000000', '70.00'],
    ['1234567.891', '1,234,567.89'],
    ['0.123456', '0.12'],
    ['0.99999', '0.99'],
    ['-12.5', '−12.50'],
    ['-0.00001', '0.00'],
    ['9223372036854.775807', '9,223,372,036,854.77'],
  ])('%s is %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text)
  })

  it('never shows more than the amount, and all decimals on request', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (micros) => {
        const amount = formatMicros(micros)
        const shown = parseMicros(formatAmount(amount).replaceAll(',', ''))
        expect(shown <= micros && micros - shown < 10_000n).toBe(true)
        expect(parseMicros(formatExact(amount).replaceAll(',', ''))).toBe(micros)
        expect(isCut(amount)).toBe(shown !== micros)
      }),
    )
  })
})

describe('other formats', () => {
  it('truncates rates to two decimals', () => {
    expect([0, 6000, 100_000, 1_000_000, 12_345].map(formatPpm)).toEqual([
      '0%',
      '0.6%',
      '10%',
      '100%',
      '1.23%',
    ])
  })

  it('shortens addresses to 12 and 8, or 16 and 4 characters', () => {
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(shortAddress(address)).toBe('0x70997970C5…17dc79C8')
    expect(shortAddressLong(address)).toBe('0x70997970C51812…79C8')
    expect(shortAddress('0x12')).toBe('0x12')
  })

  it('truncates ETH to four decimals, and prices to two to four', () => {
    expect(formatAmount('0.041299', decimalsOf('ETH'))).toBe('0.0412')
    expect(formatAmount('1.000000', decimalsOf('ETH'))).toBe('1.0000')
    expect(['10.4', '0.333333', '10.425'].map(formatPrice)).toEqual(['10.40', '0.3333', '10.425'])
    expect(isCut('0.041200', decimalsOf('ETH'))).toBe(false)
  })
})
