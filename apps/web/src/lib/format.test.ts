import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayGroup,
  formatAmount,
  formatExact,
  formatPpm,
  formatTime,
  isCut,
  parseTime,
  shortAddress,
  shortAddressLong,
} from './format.ts'

describe('formatAmount', () => {
  it.each([
    ['0', '0.00'],
    ['70.000000', '70.00'],
    ['1234567.891', '1,234,567.891'],
    ['0.123456', '0.1234'],
    ['0.99999', '0.9999'],
    ['-12.5', '−12.50'],
    ['-0.00001', '0.00'],
    ['9223372036854.775807', '9,223,372,036,854.7758'],
  ])('%s is %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text)
  })

  it('never shows more than there is, and all of it when asked', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (micros) => {
        const amount = formatMicros(micros)
        const shown = parseMicros(formatAmount(amount).replaceAll(',', ''))
        expect(shown <= micros && micros - shown < 100n).toBe(true)
        expect(parseMicros(formatExact(amount).replaceAll(',', ''))).toBe(micros)
        expect(isCut(amount)).toBe(shown !== micros)
      }),
    )
  })
})

describe('other formats', () => {
  it('cuts rates to two decimals', () => {
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

  it('reads numbers of up to ten digits as seconds', () => {
    expect(parseTime(1_767_225_600)?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(parseTime(1_767_225_600_000)?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(parseTime('nonsense')).toBeNull()
    expect(formatTime('nonsense')).toBeNull()
  })

  it('groups days into today, yesterday and older, by UTC', () => {
    const now = new Date('2026-03-01T00:30:00Z')
    expect(['2026-03-01', '2026-02-28', '2026-02-27'].map((day) => dayGroup(day, now))).toEqual([1, 2, 3])
  })
})
