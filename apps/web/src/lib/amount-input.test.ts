import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, decimalSeparator, readAmountInput, toAmount } from './amount-input.ts'

describe('readAmountInput', () => {
  it.each([
    ['12.5', '.', '12.5'],
    ['12,5', '.', '12.5'],
    ['12,5', ',', '12.5'],
    ['1,234', '.', '1234'],
    ['1,234', ',', '1.234'],
    ['1.234', ',', '1234'],
    ['1,234.56 USDT', '.', '1234.56'],
    ['1.234,56 €', '.', '1234.56'],
    ['$ 12', '.', '12'],
    ['1,234,567', ',', '1234567'],
    ["1'234.5", '.', '1234.5'],
    ['1 234,5', ',', '1234.5'],
    ['１２３．５', '.', '123.5'],
    ['١٢٣٫٥', '.', '123.5'],
    ['  007.10', '.', '7.10'],
    ['.5', '.', '0.5'],
    ['12.', '.', '12.'],
    ['12..', '.', '12.'],
    ['', '.', ''],
    ['-5', '.', '-5'],
    ['−5', '.', '-5'],
  ] as const)('%s with %s is %s', (text, decimal, value) => {
    expect(readAmountInput(text, decimal, 'USDT')).toEqual({ value, remark: null })
  })

  it.each([
    ['about 5', '5'],
    ['12 AMC', '12'],
    ['12.5 (all)', '12.5'],
  ])('says that it left something out of "%s"', (text, value) => {
    expect(readAmountInput(text, '.', 'USDT')).toEqual({ value, remark: 'dropped' })
  })

  it.each(['abc', '1e5', '0x10', '12a34', '5-3', '1 or 2', '💰'])('reads no number from "%s"', (text) => {
    expect(readAmountInput(text, '.', 'USDT')).toEqual({ value: null, remark: 'notNumber' })
  })

  it('reports cut decimals, unless they were zeros', () => {
    expect(readAmountInput('0.12345678', '.')).toEqual({ value: '0.123456', remark: 'cut' })
    expect(readAmountInput('0.12345600', '.')).toEqual({ value: '0.123456', remark: null })
  })

  it('leaves every plain amount unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (micros) => {
        const text = formatMicros(micros)
        expect(toAmount(readAmountInput(text, '.').value ?? '')).toBe(text)
        expect(toAmount(amountText(text))).toBe(text)
      }),
    )
  })
})

describe('toAmount', () => {
  it('returns the wire amount, or null if there is none', () => {
    expect(toAmount('12.')).toBe(formatMicros(parseMicros('12')))
    expect([
      toAmount(''),
      toAmount('0'),
      toAmount('0.0'),
      toAmount('-5'),
      toAmount('12345678901234'),
    ]).toEqual([null, null, null, null, null])
  })

  it('determines the separator of a language', () => {
    expect(['en-US', 'de-DE', 'ja-JP', 'ar-EG'].map(decimalSeparator)).toEqual(['.', ',', '.', '.'])
  })
})
