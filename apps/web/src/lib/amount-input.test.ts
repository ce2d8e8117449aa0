import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanAmountInput, decimalSeparator, toAmount } from './amount-input.ts'

describe('cleanAmountInput', () => {
  it.each([
    ['12.5', '.', '12.5'],
    ['12,5', '.', '12.5'],
    ['12,5', ',', '12.5'],
    ['1,234', '.', '1234'],
    ['1,234', ',', '1.234'],
    ['1.234', ',', '1234'],
    ['1,234.56 USDT', '.', '1234.56'],
    ['1.234,56 €', '.', '1234.56'],
    ['1,234,567', ',', '1234567'],
    ['１２３．５', '.', '123.5'],
    ['  007.10', '.', '7.10'],
    ['.5', '.', '0.5'],
    ['12.', '.', '12.'],
    ['0.12345678', '.', '0.123456'],
    ['abc', '.', ''],
    ['-5', '.', '-5'],
  ] as const)('%s with %s is %s', (text, decimal, clean) => {
    expect(cleanAmountInput(text, decimal)).toBe(clean)
  })

  it('leaves every amount as it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (micros) => {
        const text = formatMicros(micros)
        expect(toAmount(cleanAmountInput(text, '.'))).toBe(text)
      }),
    )
  })
})

describe('toAmount', () => {
  it('gives the wire amount, or null while there is none', () => {
    expect(toAmount('12.')).toBe(formatMicros(parseMicros('12')))
    expect([
      toAmount(''),
      toAmount('0'),
      toAmount('0.0'),
      toAmount('-5'),
      toAmount('12345678901234'),
    ]).toEqual([null, null, null, null, null])
  })

  it('knows the separator of a language', () => {
    expect([decimalSeparator('en-US'), decimalSeparator('de-DE'), decimalSeparator('ja-JP')]).toEqual([
      '.',
      ',',
      '.',
    ])
  })
})
