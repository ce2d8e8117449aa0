import { describe, expect, it } from 'vitest'
import { isPriceJump, isSequencerUp, type OracleRound, oraclePrice } from './price.ts'

describe('a jump of a price', () => {
  it.each([
    [550_000n, 500_000n, 100_000, false],
    [550_001n, 500_000n, 100_000, true],
    [450_000n, 500_000n, 100_000, false],
    [449_999n, 500_000n, 100_000, true],
    [500_000n, 500_000n, 0, false],
    [1n, 10n ** 18n, 500_000, true],
  ] as const)('%s after %s with a share of %s ppm: %s', (price, before, sharePpm, expected) => {
    expect(isPriceJump(price, before, sharePpm)).toBe(expected)
  })
})

describe('a round of an oracle', () => {
  const at = { atMs: 1_800_000_000_000, maxAgeMs: 3_600_000 }
  const round: OracleRound = {
    roundId: 7n,
    answer: 52_345_678n,
    decimals: 8,
    startedAt: 1_799_999_000n,
    updatedAt: 1_799_999_000n,
    answeredInRound: 7n,
  }

  it('gives a price in micro-units, rounded down', () => {
    const observedAtMs = 1_799_999_000_000
    expect(oraclePrice(round, at)).toEqual({ ok: true, priceMicros: 523_456n, observedAtMs })
    expect(oraclePrice({ ...round, answer: 3n, decimals: 0 }, at)).toMatchObject({ priceMicros: 3_000_000n })
    expect(oraclePrice({ ...round, answer: 10n ** 18n, decimals: 18 }, at)).toMatchObject({
      priceMicros: 1_000_000n,
    })
  })

  it.each([
    ['no round', { roundId: 0n }, 'incomplete'],
    ['a round that has not started', { startedAt: 0n }, 'incomplete'],
    ['a round without an answer', { updatedAt: 0n }, 'incomplete'],
    ['the answer of an earlier round', { answeredInRound: 6n }, 'incomplete'],
    ['an answer of the future', { updatedAt: 1_800_000_001n }, 'incomplete'],
    ['an old answer', { updatedAt: 1_799_996_399n }, 'stale'],
    ['zero', { answer: 0n }, 'not_positive'],
    ['a negative answer', { answer: -1n }, 'not_positive'],
    ['less than a micro-unit', { answer: 99n }, 'out_of_range'],
    ['more than can be stored', { answer: 2n ** 200n }, 'out_of_range'],
    ['absurd decimals', { decimals: 37, answer: 10n ** 37n }, 'out_of_range'],
  ] as const)('%s is refused', (_name, change, code) => {
    expect(oraclePrice({ ...round, ...change }, at)).toEqual({ ok: false, code })
  })

  it('has at most 36 decimals', () => {
    expect(oraclePrice({ ...round, decimals: 36, answer: 10n ** 36n }, at)).toMatchObject({
      priceMicros: 1_000_000n,
    })
  })

  it('is used from the second of its answer', () => {
    expect(oraclePrice({ ...round, updatedAt: 1_800_000_000n }, at)).toMatchObject({ ok: true })
  })

  it('is used up to its greatest age', () => {
    expect(oraclePrice({ ...round, updatedAt: 1_799_996_400n }, at)).toMatchObject({ ok: true })
  })
})

describe('the sequencer', () => {
  const atMs = 1_800_000_000_000
  it.each([
    ['up for more than an hour', { answer: 0n, startedAt: 1_799_996_399n }, true],
    ['up for just an hour', { answer: 0n, startedAt: 1_799_996_400n }, false],
    ['up again for a minute', { answer: 0n, startedAt: 1_799_999_940n }, false],
    ['down for two hours', { answer: 1n, startedAt: 1_799_992_800n }, false],
    ['not reported yet', { answer: 0n, startedAt: 0n }, false],
    ['an answer that is none', { answer: -1n, startedAt: 1_799_992_800n }, false],
  ] as const)('%s', (_name, round, expected) => {
    expect(isSequencerUp(round, atMs)).toBe(expected)
  })
})
