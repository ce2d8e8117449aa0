import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, prices, rates, sum, whole } from './arbitraries.fixture.ts'
import {
  ALL_WEEKDAYS,
  type BillFigures,
  billLine,
  billTotals,
  changePpm,
  costOf,
  defaultPlan,
  type FundTerms,
  fundIncome,
  fundLevel,
  isRedeemableDay,
  type Lot,
  MAX_MICROS,
  minimumUnits,
  nextRedeemableDay,
  quotePurchase,
  redeemableUnits,
  redemptionFigures,
  startOfDay,
  takeLots,
  unlockTime,
} from './index.ts'

const DAY_MS = 86_400_000
const MONDAY = startOfDay('2026-01-05')
const terms: FundTerms = {
  minimumMicros: whole(100),
  lockDays: 30,
  redeemableWeekdays: ALL_WEEKDAYS,
  subscriptionPpm: 10_000,
  redemptionPpm: 5_000,
  managementPpm: 200_000,
}
const lot = (id: bigint, boughtAtMs: number, nav: bigint, freeUnits: bigint): Lot => ({
  id,
  boughtAtMs,
  navMicros: nav,
  freeUnits,
})

const sale = { isClosed: false, navMicros: 10_000n }

describe('buying', () => {
  test('adds the fee to the value, requires the minimum, and refuses more than 64 bits', () => {
    expect(quotePurchase({ units: 80n, priceMicros: 1_250_001n }, terms, sale)).toEqual({
      ok: true,
      valueMicros: 100_000_080n,
      feeMicros: 1_000_000n,
      totalMicros: 101_000_080n,
    })
    expect(quotePurchase({ units: 79n, priceMicros: 1_250_000n }, terms, sale)).toMatchObject({
      code: 'BELOW_MINIMUM',
    })
    // An invalid amount is reported first, then a closed product, a NAV that is too low, and the minimum.
    const closed = { isClosed: true, navMicros: 0n }
    for (const units of [0n, -1n, MAX_MICROS]) {
      const code = 'INVALID_AMOUNT'
      expect(quotePurchase({ units, priceMicros: 2n }, terms, closed)).toMatchObject({ code })
    }
    const few = { units: 1n, priceMicros: 1n }
    expect(quotePurchase(few, terms, closed)).toMatchObject({ code: 'PRODUCT_CLOSED' })
    const low = { isClosed: false, navMicros: 9_999n }
    expect(quotePurchase(few, terms, low)).toMatchObject({ code: 'NAV_TOO_LOW' })
    expect(quotePurchase({ units: 80n, priceMicros: 1_250_000n }, terms, sale)).toMatchObject({ ok: true })
    const free = { ...terms, subscriptionPpm: 0 }
    const most = quotePurchase({ units: 1n, priceMicros: MAX_MICROS }, free, sale)
    expect(most).toMatchObject({ ok: true, totalMicros: MAX_MICROS })
    expect(minimumUnits(1_250_000n, terms)).toBe(80n)
    expect(minimumUnits(1_250_001n, { ...terms, minimumMicros: 0n })).toBe(1n)
  })

  test('the fewest units reach the minimum, and one less does not', () => {
    fc.assert(
      fc.property(prices, amountsOrZero, (navMicros, minimumMicros) => {
        const units = minimumUnits(navMicros, { ...terms, minimumMicros })
        expect(units * navMicros >= minimumMicros).toBe(true)
        expect(units === 1n || (units - 1n) * navMicros < minimumMicros).toBe(true)
      }),
    )
  })
})

describe('lots', () => {
  const lots = [lot(2n, MONDAY, 1n, 5n), lot(1n, MONDAY, 2n, 5n), lot(3n, MONDAY - DAY_MS, 3n, 2n)]
  const unlocked = MONDAY + 30 * DAY_MS

  test('are taken oldest first, to the millisecond of their lock period', () => {
    expect(takeLots({ units: 8n, lots, atMs: unlocked }, terms)).toEqual({
      ok: true,
      parts: [
        { id: 3n, units: 2n, navMicros: 3n },
        { id: 1n, units: 5n, navMicros: 2n },
        { id: 2n, units: 1n, navMicros: 1n },
      ],
    })
    const early = { units: 3n, lots, atMs: unlocked - 1 }
    expect(takeLots(early, terms)).toMatchObject({ code: 'UNITS_NOT_REDEEMABLE' })
    expect(takeLots({ ...early, units: 2n }, terms)).toMatchObject({ ok: true })
  })

  test('are locked for whole days, whatever the weekday', () => {
    expect(unlockTime(MONDAY, { lockDays: 0 })).toBe(MONDAY)
    expect(unlockTime(MONDAY, terms)).toBe(unlocked)
    expect(redeemableUnits(lots, terms, unlocked - 1)).toBe(2n)
    expect(redeemableUnits(lots, { ...terms, redeemableWeekdays: [] }, unlocked)).toBe(12n)
  })

  test('of the same time are taken in the order of their ids', () => {
    const same = [lot(2n, MONDAY, 1n, 1n), lot(10n, MONDAY, 1n, 1n), lot(1n, MONDAY, 1n, 1n)]
    const taken = takeLots({ units: 2n, lots: same, atMs: unlocked }, terms)
    expect(taken.ok && taken.parts.map((part) => part.id)).toEqual([1n, 2n])
  })

  test('refuse an amount of units that is not positive or exceeds 64 bits', () => {
    const plenty = [lot(1n, MONDAY, 1n, MAX_MICROS)]
    const take = (units: bigint) => takeLots({ units, lots: plenty, atMs: unlocked }, terms)
    for (const result of [take(0n), take(-1n), take(MAX_MICROS + 1n)]) {
      expect(result).toEqual({ ok: false, code: 'INVALID_AMOUNT' })
    }
    expect(take(MAX_MICROS)).toMatchObject({ ok: true })
  })

  test('cost their units at the NAV of the purchase', () => {
    expect(costOf([])).toBe(0n)
    const parts = [
      { units: 2n, navMicros: 5n },
      { units: 3n, navMicros: 7n },
    ]
    expect(costOf(parts)).toBe(31n)
  })

  test('only on a redeemable weekday', () => {
    const weekOf = (weekday: number) =>
      ['05', '06', '07', '08', '09', '10', '11'].map((day) =>
        isRedeemableDay(`2026-01-${day}`, { ...terms, redeemableWeekdays: [weekday] }),
      )
    expect(weekOf(1)).toEqual([true, false, false, false, false, false, false])
    expect(weekOf(7)).toEqual([false, false, false, false, false, false, true])
    expect(nextRedeemableDay('2026-01-06', { ...terms, redeemableWeekdays: [1] })).toBe('2026-01-12')
    const fridays = { ...terms, redeemableWeekdays: [5] }
    expect(nextRedeemableDay('2026-01-05', fridays)).toBe('2026-01-09')
    expect(nextRedeemableDay('2026-01-09', fridays)).toBe('2026-01-09')
    expect(nextRedeemableDay('2026-01-10', { ...terms, redeemableWeekdays: [7] })).toBe('2026-01-11')
    // The search ends after a week, even without a weekday.
    expect(nextRedeemableDay('2026-01-05', { ...terms, redeemableWeekdays: [] })).toBe('2026-01-12')
    expect(takeLots({ units: 1n, lots, atMs: unlocked }, fridays)).toMatchObject({
      code: 'UNITS_NOT_REDEEMABLE',
    })
  })

  test('give exactly the requested units, never more than are free, or nothing', () => {
    const anyLots = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 60 }), prices, fc.bigInt(0n, 50n)).map(([day, nav, units]) => ({
        boughtAtMs: MONDAY + day * DAY_MS,
        navMicros: nav,
        freeUnits: units,
      })),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(anyLots, fc.bigInt(1n, 200n), (some, units) => {
        const numberedLots = some.map((item, index) => ({ ...item, id: BigInt(index + 1) }))
        const atMs = MONDAY + 60 * DAY_MS
        const result = takeLots({ units, lots: numberedLots, atMs }, terms)
        const free = numberedLots.filter((item) => item.boughtAtMs + 30 * DAY_MS <= atMs)
        expect(result.ok).toBe(sum(free.map((item) => item.freeUnits)) >= units)
        if (!result.ok) return
        expect(sum(result.parts.map((part) => part.units))).toBe(units)
        for (const part of result.parts) {
          expect(part.units <= free.find((item) => item.id === part.id)!.freeUnits).toBe(true)
        }
      }),
    )
  })
})

describe('redeeming', () => {
  test('a gain pays both fees, a loss no management fee', () => {
    expect(redemptionFigures({ units: 100n, navMicros: whole(2), costMicros: whole(150) }, terms)).toEqual({
      ok: true,
      valueMicros: whole(200),
      costMicros: whole(150),
      profitMicros: whole(50),
      redemptionFeeMicros: whole(1),
      managementFeeMicros: whole(10),
      netMicros: whole(189),
    })
    const loss = redemptionFigures({ units: 100n, navMicros: whole(1), costMicros: whole(150) }, terms)
    expect(loss).toMatchObject({ profitMicros: -whole(50), managementFeeMicros: 0n, netMicros: 99_500_000n })
    expect(fundIncome(whole(10), defaultPlan)).toBe(whole(1))
  })

  test('the management fee never exceeds what the redemption fee leaves', () => {
    const fees = { redemptionPpm: 600_000, managementPpm: 1_000_000 }
    expect(redemptionFigures({ units: 10n, navMicros: 10n, costMicros: 0n }, fees)).toMatchObject({
      redemptionFeeMicros: 60n,
      managementFeeMicros: 40n,
      netMicros: 0n,
    })
  })

  test('a value that is not an amount is refused, the largest amount is not', () => {
    const largest = redemptionFigures({ units: MAX_MICROS, navMicros: 1n, costMicros: 0n }, terms)
    expect(largest).toMatchObject({ ok: true, valueMicros: MAX_MICROS })
    for (const units of [0n, MAX_MICROS]) {
      const result = redemptionFigures({ units, navMicros: 2n, costMicros: 1n }, terms)
      expect(result).toEqual({ ok: false, code: 'INVALID_AMOUNT' })
    }
  })

  test('net and fees add up to the value, and none is negative', () => {
    const any = fc.record({ units: fc.bigInt(1n, 1_000_000n), navMicros: prices, costMicros: amounts })
    const fees = fc.record({ redemptionPpm: rates, managementPpm: rates })
    fc.assert(
      fc.property(any, fees, (redemption, anyFees) => {
        const figures = redemptionFigures(redemption, anyFees)
        if (!figures.ok) return
        const { valueMicros, netMicros, redemptionFeeMicros, managementFeeMicros } = figures
        expect(netMicros >= 0n && redemptionFeeMicros >= 0n && managementFeeMicros >= 0n).toBe(true)
        expect(netMicros + redemptionFeeMicros + managementFeeMicros).toBe(valueMicros)
      }),
    )
  })
})

test('the change of a NAV is in ppm, within the safe integers', () => {
  expect(changePpm(whole(2), whole(3))).toBe(500_000)
  expect(changePpm(whole(2), whole(2))).toBe(0)
  expect(changePpm(whole(2), 0n)).toBe(-1_000_000)
  expect(changePpm(0n, whole(2))).toBe(0)
  expect(changePpm(3n, 4n)).toBe(333_333)
  expect(changePpm(1n, MAX_MICROS)).toBe(Number.MAX_SAFE_INTEGER)
})

test('the fund level follows the prices of the packages', () => {
  const at = (value: number) => fundLevel(whole(value), defaultPlan)
  expect([0, 99, 100, 999, 1_000, 10_000, 99_999].map(at)).toEqual([0, 0, 1, 2, 3, 5, 5])
})

describe('bills', () => {
  const flows = {
    openingUnits: 10n,
    openingNavMicros: whole(1),
    purchasedUnits: 5n,
    purchasedMicros: whole(6),
    subscriptionFeesMicros: 60_000n,
    redeemedUnits: 4n,
    redeemedMicros: whole(5),
    redemptionFeesMicros: 25_000n,
    managementFeesMicros: 200_000n,
    closingNavMicros: 1_500_000n,
  }

  test('a line has the holdings, the movements, and the profit after all fees', () => {
    expect(billLine(flows)).toEqual({
      openingMicros: whole(10),
      closingUnits: 11n,
      closingMicros: 16_500_000n,
      purchasedMicros: whole(6),
      subscriptionFeesMicros: 60_000n,
      redeemedMicros: whole(5),
      redemptionFeesMicros: 25_000n,
      managementFeesMicros: 200_000n,
      profitMicros: 16_500_000n + whole(5) - whole(10) - whole(6) - 285_000n,
    })
    const unpriced = billLine({ ...flows, openingNavMicros: null, closingNavMicros: null })
    expect(unpriced).toMatchObject({ openingMicros: 0n, closingMicros: 0n })
  })

  test('the totals are the sums of all lines, figure by figure', () => {
    const figures: fc.Arbitrary<BillFigures> = fc.record({
      openingMicros: amountsOrZero,
      purchasedMicros: amountsOrZero,
      redeemedMicros: amountsOrZero,
      subscriptionFeesMicros: amountsOrZero,
      redemptionFeesMicros: amountsOrZero,
      managementFeesMicros: amountsOrZero,
      closingMicros: amountsOrZero,
      profitMicros: fc.bigInt(),
    })
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 5 }), (lines) => {
        const totals = billTotals(lines)
        expect(Object.keys(totals)).toHaveLength(8)
        for (const key of Object.keys(totals) as (keyof BillFigures)[]) {
          expect(totals[key]).toBe(sum(lines.map((line) => line[key])))
        }
      }),
    )
  })

  test('the profits of consecutive months add up', () => {
    const first = billLine(flows)
    const second = billLine({
      ...flows,
      openingUnits: first.closingUnits,
      openingNavMicros: flows.closingNavMicros,
      closingNavMicros: whole(1),
    })
    const totals = billTotals([first, second])
    expect(totals.profitMicros).toBe(first.profitMicros + second.profitMicros)
    const received = totals.redeemedMicros - totals.redemptionFeesMicros - totals.managementFeesMicros
    const paid = totals.purchasedMicros + totals.subscriptionFeesMicros
    expect(totals.profitMicros).toBe(second.closingMicros + received - paid - first.openingMicros)
    expect(billTotals([]).profitMicros).toBe(0n)
  })
})
