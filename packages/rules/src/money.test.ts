import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, prices, rates } from './arbitraries.fixture.ts'
import {
  floorDiv,
  formatMicros,
  fromChainUnits,
  isAmount,
  isMicrosText,
  MAX_MICROS,
  MICRO,
  mul,
  ONE_PPM,
  parseMicros,
  toChainUnits,
  units,
  worth,
} from './index.ts'

describe('floored arithmetic', () => {
  test('floorDiv rounds towards minus infinity', () => {
    expect([floorDiv(7n, 2n), floorDiv(-7n, 2n), floorDiv(-8n, 2n), floorDiv(-1n, 10n)]).toEqual([
      3n,
      -4n,
      -4n,
      -1n,
    ])
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (a, b) => {
        const rest = a - floorDiv(a, b) * b
        expect(rest >= 0n && rest < b).toBe(true)
      }),
    )
  })

  test('mul is the floored share, and the parts of a whole never exceed it', () => {
    expect(mul(91_666_665n, 100_000)).toBe(9_166_666n)
    expect(mul(MAX_MICROS, ONE_PPM)).toBe(MAX_MICROS)
    fc.assert(
      fc.property(amountsOrZero, rates, (amount, rate) => {
        const rest = amount - mul(amount, rate) - mul(amount, ONE_PPM - rate)
        expect(rest === 0n || rest === 1n).toBe(true)
      }),
    )
  })

  test('mul never falls as the amount or the rate grows', () => {
    fc.assert(
      fc.property(amounts, amounts, rates, rates, (a, b, r, s) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(mul(low, Math.min(r, s)) <= mul(high, Math.max(r, s))).toBe(true)
      }),
    )
  })

  test('the amount that a value buys is never worth more than the value, and is the largest such amount', () => {
    fc.assert(
      fc.property(amountsOrZero, prices, (value, price) => {
        const bought = units(value, price)
        expect(worth(bought, price) <= value).toBe(true)
        expect((bought + 1n) * price > value * MICRO).toBe(true)
      }),
    )
  })

  test('an amount never buys back more of itself', () => {
    fc.assert(
      fc.property(amountsOrZero, prices, (amount, price) => {
        expect(units(worth(amount, price), price) <= amount).toBe(true)
      }),
    )
  })
})

describe('amounts as text', () => {
  test.each([
    ['0', 0n, '0.000000'],
    ['56.05', 56_050_000n, '56.050000'],
    ['-0.000001', -1n, '-0.000001'],
    ['007.1', 7_100_000n, '7.100000'],
    ['9223372036854.775807', MAX_MICROS, '9223372036854.775807'],
    ['-19930.216665', -19_930_216_665n, '-19930.216665'],
  ])('%s', (text, micros, formatted) => {
    expect(isMicrosText(text)).toBe(true)
    expect(parseMicros(text)).toBe(micros)
    expect(formatMicros(micros)).toBe(formatted)
  })

  test.each(['', '-', '.5', '5.', '1.0000001', '1e3', '+1', ' 1', '1\n', '1,000', '0x10', '--1', '١'])(
    'refuses %j',
    (text) => {
      expect(isMicrosText(text)).toBe(false)
      expect(() => parseMicros(text)).toThrow('not a decimal amount with at most 6 decimals')
    },
  )

  test('round trip at any size', () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(), amounts), (micros) => {
        const text = formatMicros(micros)
        expect(text).toMatch(/^-?[0-9]+\.[0-9]{6}$/)
        expect(parseMicros(text)).toBe(micros)
      }),
    )
  })

  test('an amount that can be moved is positive and fits 64 bits', () => {
    expect([0n, -1n, 1n, MAX_MICROS, MAX_MICROS + 1n].map(isAmount)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
  })
})

describe('amounts on chain', () => {
  test('6 decimals are micro-units, 18 are a trillion times finer', () => {
    expect(toChainUnits(70_000_001n, 6)).toBe(70_000_001n)
    expect(toChainUnits(1n, 18)).toBe(10n ** 12n)
    expect(fromChainUnits(10n ** 12n + 5n, 18)).toEqual({ micros: 1n, dust: 5n })
  })

  test('fewer than 6 decimals cannot hold a micro-unit', () => {
    expect(() => toChainUnits(1n, 5)).toThrow('a token needs at least 6 decimals')
  })

  test('no base unit is lost between the micro-units and the dust', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 6, max: 30 }), (value, decimals) => {
        const { micros, dust } = fromChainUnits(value, decimals)
        expect(toChainUnits(micros, decimals) + dust).toBe(value)
        expect(dust >= 0n && dust < 10n ** BigInt(decimals - 6)).toBe(true)
      }),
    )
  })
})
