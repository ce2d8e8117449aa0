import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import { launchProblems, MAX_MICROS, termsProblems } from './index.ts'

const NOW = 1_000

describe('launchProblems', () => {
  const launch = { allocationMicros: whole(10), priceMicros: whole(2), startsAtMs: 500, endsAtMs: 2_000 }
  const problems = (change: Partial<typeof launch>) => launchProblems({ ...launch, ...change }, NOW)

  test('finds none in a launch that can be offered, even one that has started', () => {
    expect(problems({})).toEqual({})
    expect(problems({ startsAtMs: NOW - 1, endsAtMs: NOW + 1 })).toEqual({})
  })

  test('requires amounts of 64 bits, and a cost that is one', () => {
    for (const wrong of [0n, -1n, MAX_MICROS + 1n]) {
      expect(problems({ allocationMicros: wrong })).toEqual({ allocation: 'amount' })
      expect(problems({ priceMicros: wrong })).toEqual({ price: 'amount' })
    }
    expect(problems({ allocationMicros: MAX_MICROS, priceMicros: whole(1) })).toEqual({})
    expect(problems({ allocationMicros: MAX_MICROS, priceMicros: whole(1) + 1n })).toEqual({
      allocation: 'size',
    })
    expect(problems({ allocationMicros: 1n, priceMicros: whole(1) })).toEqual({})
    expect(problems({ allocationMicros: 1n, priceMicros: whole(1) - 1n })).toEqual({ allocation: 'size' })
  })

  test('requires both times, an end after now and an end after the start', () => {
    expect(problems({ startsAtMs: Number.NaN })).toEqual({ starts_at: 'missing' })
    expect(problems({ endsAtMs: Number.NaN })).toEqual({ ends_at: 'missing' })
    expect(problems({ endsAtMs: NOW })).toEqual({ ends_at: 'past' })
    expect(problems({ startsAtMs: 2_000, endsAtMs: 2_000 })).toEqual({ ends_at: 'order' })
    expect(problems({ startsAtMs: 1_999, endsAtMs: 2_000 })).toEqual({})
    expect(problems({ startsAtMs: 2_001, endsAtMs: 2_000 })).toEqual({ ends_at: 'order' })
  })
})

describe('termsProblems', () => {
  const terms = {
    rateMicros: whole(1),
    dayCapMicros: null as bigint | null,
    validFromMs: null as number | null,
  }
  const problems = (change: Partial<typeof terms>) => termsProblems({ ...terms, ...change }, NOW)

  test('finds none in terms without a cap that are valid from the approval on', () => {
    expect(problems({})).toEqual({})
    expect(problems({ dayCapMicros: 1n, validFromMs: NOW })).toEqual({})
  })

  test('requires amounts and a time that is not past', () => {
    expect(problems({ rateMicros: 0n })).toEqual({ rate: 'amount' })
    expect(problems({ dayCapMicros: 0n })).toEqual({ day_cap: 'amount' })
    expect(problems({ validFromMs: NOW - 1 })).toEqual({ valid_from: 'past' })
    expect(problems({ validFromMs: Number.NaN })).toEqual({ valid_from: 'missing' })
    expect(problems({ rateMicros: MAX_MICROS + 1n, dayCapMicros: -1n, validFromMs: 0 })).toEqual({
      rate: 'amount',
      day_cap: 'amount',
      valid_from: 'past',
    })
  })
})
