import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, prices, sum, whole } from './arbitraries.fixture.ts'
import {
  ASSETS,
  allotLaunch,
  CONVERSION_QUOTE_MS,
  DEFAULT_EXCHANGE_RATE,
  dividendOf,
  EXCHANGE_TARGETS,
  exchangeRemaining,
  isExchangeTarget,
  launchCapacity,
  launchPhase,
  MAX_MICROS,
  quoteExchange,
  quoteHashPower,
  sharePpm,
} from './index.ts'

const noCap = { rateMicros: whole(1), dayCapMicros: null, usedTodayMicros: 0n }

test('RIF are exchanged for DIV and VC, one for one by default, at a rate that is fixed for a minute', () => {
  expect(EXCHANGE_TARGETS).toEqual(['DIV', 'VC'])
  expect(ASSETS.filter(isExchangeTarget)).toEqual(['VC', 'DIV'])
  expect(DEFAULT_EXCHANGE_RATE).toBe(whole(1))
  expect(CONVERSION_QUOTE_MS).toBe(60_000)
})

describe('quoteExchange', () => {
  test('is limited by the daily cap, to the micro-unit', () => {
    const terms = { rateMicros: whole(1), dayCapMicros: 10n, usedTodayMicros: 4n }
    const quote = (rifMicros: bigint) => quoteExchange({ to: 'VC', rifMicros, availableMicros: 6n }, terms)
    expect(quote(6n)).toEqual({ ok: true, receivesMicros: 6n })
    const rich = quoteExchange({ to: 'VC', rifMicros: 7n, availableMicros: 7n }, terms)
    expect(rich).toEqual({ ok: false, code: 'DAILY_LIMIT', remainingMicros: 6n })
    expect(exchangeRemaining({ dayCapMicros: null, usedTodayMicros: 4n })).toBeNull()
    expect(exchangeRemaining({ dayCapMicros: 3n, usedTodayMicros: 4n })).toBe(0n)
  })

  test('applies the rate to each RIF, floored', () => {
    const quote = (rifMicros: bigint, rateMicros: bigint) =>
      quoteExchange({ to: 'DIV', rifMicros, availableMicros: MAX_MICROS }, { ...noCap, rateMicros })
    expect(quote(whole(7), whole(1))).toEqual({ ok: true, receivesMicros: whole(7) })
    expect(quote(3n, 500_000n)).toEqual({ ok: true, receivesMicros: 1n })
    expect(quote(1n, 999_999n)).toEqual({ ok: false, code: 'INVALID_AMOUNT' })
    expect(quote(MAX_MICROS, whole(1) + 1n)).toEqual({ ok: false, code: 'INVALID_AMOUNT' })
  })

  test('refuses in the documented order', () => {
    const full = { rateMicros: whole(1), dayCapMicros: 5n, usedTodayMicros: 9n }
    const codes = [
      quoteExchange({ to: 'AMC', rifMicros: 0n, availableMicros: 0n }, full),
      quoteExchange({ to: 'VC', rifMicros: 0n, availableMicros: 0n }, full),
      quoteExchange({ to: 'VC', rifMicros: -1n, availableMicros: 0n }, full),
      quoteExchange({ to: 'VC', rifMicros: MAX_MICROS + 1n, availableMicros: 0n }, full),
      quoteExchange({ to: 'VC', rifMicros: 1n, availableMicros: 0n }, full),
      quoteExchange({ to: 'VC', rifMicros: 1n, availableMicros: 1n }, full),
    ].map((result) => (result.ok ? 'ok' : result.code))
    expect(codes).toEqual([
      'ASSET_NOT_ALLOWED',
      'INVALID_AMOUNT',
      'INVALID_AMOUNT',
      'INVALID_AMOUNT',
      'INSUFFICIENT_BALANCE',
      'DAILY_LIMIT',
    ])
  })

  test('never takes more than the balance, nor more than the daily cap', () => {
    const terms = fc.record({
      rateMicros: prices,
      dayCapMicros: fc.option(amounts),
      usedTodayMicros: amountsOrZero,
    })
    const request = fc.record({
      to: fc.constantFrom(...ASSETS),
      rifMicros: fc.oneof(amountsOrZero, fc.bigInt(-5n, 5n)),
      availableMicros: amountsOrZero,
    })
    fc.assert(
      fc.property(request, terms, (any, on) => {
        const result = quoteExchange(any, on)
        if (result.ok) {
          expect(any.rifMicros > 0n && any.rifMicros <= any.availableMicros).toBe(true)
          expect(result.receivesMicros * 1_000_000n <= any.rifMicros * on.rateMicros).toBe(true)
          if (on.dayCapMicros !== null)
            expect(any.rifMicros + on.usedTodayMicros <= on.dayCapMicros).toBe(true)
        } else if (result.code === 'DAILY_LIMIT') {
          expect(result.remainingMicros).toBe(exchangeRemaining(on))
          const rest = quoteExchange({ ...any, rifMicros: result.remainingMicros }, on)
          expect(rest.ok || rest.code === 'INVALID_AMOUNT').toBe(true)
        }
      }),
    )
  })
})

describe('quoteHashPower', () => {
  const at = { amcPriceMicros: 500_000n, rifPriceMicros: 2_500_000n }
  const quote = (amcMicros: bigint, availableMicros: bigint, change: Partial<typeof at> = {}) =>
    quoteHashPower({ amcMicros, availableMicros }, { ...at, ...change })

  test('is the worth divided by the price, floored twice', () => {
    expect(quote(whole(10), whole(10))).toEqual({ ok: true, worthMicros: whole(5), rifMicros: whole(2) })
    expect(quote(13n, whole(1))).toEqual({ ok: true, worthMicros: 6n, rifMicros: 2n })
  })

  test('refuses in the documented order', () => {
    const unpriced = { amcPriceMicros: 1n, rifPriceMicros: null }
    const codes = [
      quoteHashPower({ amcMicros: 0n, availableMicros: 0n }, unpriced),
      quoteHashPower({ amcMicros: 1n, availableMicros: 0n }, unpriced),
      quoteHashPower({ amcMicros: 1n, availableMicros: 0n }, { amcPriceMicros: null, rifPriceMicros: 1n }),
      quote(1n, 0n),
      quote(MAX_MICROS, 0n, { amcPriceMicros: whole(9), rifPriceMicros: 1n }),
      quote(whole(1), 0n),
    ].map((result) => (result.ok ? 'ok' : result.code))
    expect(codes).toEqual([
      'INVALID_AMOUNT',
      'PRICE_UNAVAILABLE',
      'PRICE_UNAVAILABLE',
      'INVALID_AMOUNT',
      'INVALID_AMOUNT',
      'INSUFFICIENT_BALANCE',
    ])
  })

  test('never gives more than the worth of the AMC', () => {
    fc.assert(
      fc.property(amounts, amounts, prices, prices, (amcMicros, available, amcPrice, rifPrice) => {
        const result = quoteHashPower(
          { amcMicros, availableMicros: available },
          { amcPriceMicros: amcPrice, rifPriceMicros: rifPrice },
        )
        if (!result.ok) return
        expect(amcMicros <= available).toBe(true)
        expect(result.rifMicros * rifPrice <= amcMicros * amcPrice).toBe(true)
      }),
    )
  })
})

describe('dividends', () => {
  test('the holders share a pool in proportion, never more than its balance', () => {
    fc.assert(
      fc.property(amountsOrZero, fc.array(amountsOrZero, { maxLength: 12 }), (pool, holdings) => {
        const all = sum(holdings)
        const parts = holdings.map((own) => dividendOf(pool, own, all))
        expect(sum(parts) <= pool).toBe(true)
        expect(all === 0n || pool - sum(parts) < BigInt(holdings.length)).toBe(true)
        holdings.forEach((own, index) => {
          holdings.forEach((other, place) => {
            if (own >= other) expect(parts[index]! >= parts[place]!).toBe(true)
          })
        })
      }),
    )
    expect(dividendOf(10n, 1n, 3n)).toBe(3n)
    expect(dividendOf(10n, 0n, 0n)).toBe(0n)
  })

  test('a share is given in ppm, floored', () => {
    expect(sharePpm(1n, 3n)).toBe(333_333)
    expect(sharePpm(0n, 0n)).toBe(0)
    expect(sharePpm(5n, -1n)).toBe(0)
    expect(sharePpm(5n, 4n)).toBe(1_000_000)
  })
})

describe('a launch', () => {
  test('allots everything while the allocation suffices, and returns the VC that the units do not cost', () => {
    const offer = { allocationMicros: whole(10), priceMicros: 3_000_000n }
    expect(launchCapacity(offer)).toBe(whole(30))
    expect(allotLaunch(offer, whole(6), whole(30))).toEqual({
      unitsMicros: whole(2),
      spentMicros: whole(6),
      returnedMicros: 0n,
    })
    expect(allotLaunch(offer, 10_000_001n, whole(30))).toEqual({
      unitsMicros: 3_333_333n,
      spentMicros: 9_999_999n,
      returnedMicros: 2n,
    })
  })

  test('allots no units that would cost nothing', () => {
    const offer = { allocationMicros: 10n, priceMicros: 600_000n }
    expect(allotLaunch(offer, 1n, 1n)).toEqual({ unitsMicros: 0n, spentMicros: 0n, returnedMicros: 1n })
    expect(allotLaunch(offer, 2n, 2n)).toEqual({ unitsMicros: 3n, spentMicros: 1n, returnedMicros: 1n })
  })

  test('is shared in proportion when oversubscribed', () => {
    const offer = { allocationMicros: whole(10), priceMicros: whole(2) }
    expect(allotLaunch(offer, whole(10), whole(40))).toEqual({
      unitsMicros: 2_500_000n,
      spentMicros: whole(5),
      returnedMicros: whole(5),
    })
  })

  test('never allots more than the allocation, and no subscriber loses anything', () => {
    fc.assert(
      fc.property(
        amounts,
        prices,
        fc.array(amounts, { minLength: 1, maxLength: 12 }),
        (allocationMicros, priceMicros, subscriptions) => {
          const offer = { allocationMicros, priceMicros }
          const all = sum(subscriptions)
          const allotted = subscriptions.map((vc) => allotLaunch(offer, vc, all))
          allotted.forEach(({ unitsMicros, spentMicros, returnedMicros }, index) => {
            expect(spentMicros + returnedMicros).toBe(subscriptions[index])
            expect(spentMicros >= 0n && returnedMicros >= 0n).toBe(true)
            expect(unitsMicros > 0n).toBe(spentMicros > 0n)
            // The charge equals the cost of the units, to less than a micro-unit.
            expect(unitsMicros * priceMicros - spentMicros * 1_000_000n < 1_000_000n).toBe(true)
          })
          expect(sum(allotted.map((item) => item.unitsMicros)) <= allocationMicros).toBe(true)
          expect(sum(allotted.map((item) => item.spentMicros)) <= launchCapacity(offer)).toBe(true)
        },
      ),
    )
  })

  test('is open from its start until just before its end, and allocated when that is recorded', () => {
    const times = { startsAtMs: 10, endsAtMs: 20 }
    const at = (ms: number, isAllocated = false) => launchPhase({ ...times, isAllocated }, ms)
    expect([at(9), at(10), at(19), at(20), at(20, true)]).toEqual([
      'Upcoming',
      'Open',
      'Open',
      'Closed',
      'Allocated',
    ])
  })
})
