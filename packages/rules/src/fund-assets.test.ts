import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sum, whole } from './arbitraries.fixture.ts'
import {
  announce,
  chainPrice,
  computeNav,
  dealingStop,
  defaultPlan,
  divest,
  type FundAssets,
  freeCash,
  invest,
  investable,
  isBacked,
  isNavStale,
  isPriceValid,
  MAX_MICROS,
  max,
  min,
  netAssets,
  payUnits,
  release,
  sellUnits,
  spreadValue,
  stopsDealing,
  undoDivestment,
  undoInvestment,
  undoSale,
  unitsLeft,
  valueAssets,
} from './index.ts'

const DAY_MS = 86_400_000
const NEW: FundAssets = {
  cashMicros: 0n,
  announcedMicros: 0n,
  investedMicros: 0n,
  isInvested: false,
  beganNavMicros: null,
  units: 0n,
  approvedUnits: 0n,
  navMicros: whole(10),
  openingMicros: whole(10),
  isClosed: false,
}
const ok = (outcome: { ok: true; assets: FundAssets } | { ok: false; code: string }): FundAssets => {
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.assets
}
const bought = (units: bigint) => sellUnits(NEW, units, whole(10))
const investing = (assets: FundAssets, micros: bigint) => invest(ok(announce(assets, micros)), micros)

test('the NAV follows from cash and investments, and purchases and investing do not change it', () => {
  const two = bought(200n)
  expect(two).toMatchObject({ cashMicros: whole(2_000), units: 200n, navMicros: whole(10) })
  const invested = investing(two, whole(1_000))
  expect(invested).toMatchObject({
    cashMicros: whole(1_000),
    investedMicros: whole(1_000),
    navMicros: whole(10),
    announcedMicros: 0n,
    beganNavMicros: whole(10),
    isInvested: true,
  })
  expect(ok(valueAssets(invested, whole(500))).navMicros).toBe(7_500_000n)
  expect(ok(valueAssets(invested, 0n))).toMatchObject({ navMicros: whole(5), isInvested: true })
  expect(valueAssets(two, whole(1))).toMatchObject({ code: 'NOTHING_INVESTED' })
  expect(valueAssets(invested, -1n)).toMatchObject({ code: 'INVALID_AMOUNT' })
  const ofOneUnit = { ...invested, units: 1n }
  expect(valueAssets(ofOneUnit, MAX_MICROS)).toMatchObject({ code: 'INVALID_AMOUNT' })
})

test('announced cash and cash owed to approved redemptions is not invested, and announced cash is not paid out', () => {
  const assets = { ...bought(200n), approvedUnits: 50n }
  expect(investable(assets)).toBe(whole(1_500))
  expect(announce(assets, whole(1_500) + 1n)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  const announced = ok(announce(assets, whole(1_500)))
  expect(freeCash(announced)).toBe(whole(500))
  expect(investable(announced)).toBe(0n)
  expect(payUnits({ ...announced, approvedUnits: 51n }, 51n)).toBeNull()
  expect(payUnits(announced, 50n)?.valueMicros).toBe(whole(500))
  expect(release(announced, whole(1_500)).assets).toEqual(assets)
  expect(announce({ ...assets, isClosed: true }, 1n)).toMatchObject({ code: 'PRODUCT_CLOSED' })
  expect(announce(assets, 0n)).toMatchObject({ code: 'INVALID_AMOUNT' })
})

test('cash belongs to nobody only when no unit is outstanding and nothing is invested', () => {
  // The NAV of 9.999999 leaves a remainder in the cash with the last payment.
  const valued = ok(valueAssets(investing(bought(100n), whole(1)), 999_999n))
  const last = payUnits(
    { ...valued, investedMicros: 0n, cashMicros: whole(1_000), approvedUnits: 100n },
    100n,
  )!
  expect(last.assets.cashMicros).toBeGreaterThan(0n)
  expect(last).toMatchObject({ remainderMicros: 0n, assets: { isInvested: true, navMicros: 0n } })
  const ended = {
    ...valued,
    investedMicros: 0n,
    isInvested: false,
    cashMicros: whole(1_000),
    approvedUnits: 100n,
  }
  const paid = payUnits(ended, 100n)!
  expect(paid).toMatchObject({ remainderMicros: last.assets.cashMicros, assets: { cashMicros: 0n } })
})

test('the cash of an investment that did not happen is reserved again, and the product has one investment less', () => {
  const invested = investing(bought(200n), whole(1_000))
  const undo = { costMicros: whole(1_000), valueMicros: whole(900), isLast: true }
  expect(undoInvestment({ ...invested, investedMicros: whole(900) }, undo)).toEqual({
    ...invested,
    cashMicros: whole(2_000),
    announcedMicros: whole(1_000),
    investedMicros: 0n,
    isInvested: false,
  })
  expect(undoInvestment(invested, { ...undo, isLast: false })).toMatchObject({
    investedMicros: whole(100),
    isInvested: true,
  })
})

test('the cash of a divestment that did not arrive counts as invested again, and the operator adds the spent part', () => {
  const ended = ok(
    divest(investing(bought(200n), whole(1_000)), { amountMicros: whole(1_000), leftMicros: 0n }),
  )
  expect(undoDivestment(ended, whole(1_000))).toEqual({
    assets: { ...ended, cashMicros: whole(1_000), investedMicros: whole(1_000), isInvested: true },
    advanceMicros: 0n,
  })
  const spent = { ...ended, cashMicros: whole(700), announcedMicros: whole(100) }
  expect(undoDivestment(spent, whole(1_000))).toMatchObject({
    assets: { cashMicros: whole(100), investedMicros: whole(1_000) },
    advanceMicros: whole(400),
  })
})

test('amounts up to 64 bits are valid, and not one more', () => {
  const invested = { ...investing(bought(200n), whole(1_000)), units: 1n, cashMicros: 0n }
  expect(ok(valueAssets(invested, MAX_MICROS)).navMicros).toBe(MAX_MICROS)
  const most = { ...invested, investedMicros: 0n }
  expect(ok(divest(most, { amountMicros: MAX_MICROS, leftMicros: 0n })).navMicros).toBe(MAX_MICROS)
  const beyond = { amountMicros: MAX_MICROS, leftMicros: 1n }
  expect(divest(most, beyond)).toMatchObject({ code: 'INVALID_AMOUNT' })
  const rich = { ...bought(200n), cashMicros: MAX_MICROS, approvedUnits: 0n, announcedMicros: whole(5) }
  const full = { ...rich, investedMicros: MAX_MICROS - whole(6), isInvested: true }
  expect(announce(full, whole(1))).toMatchObject({ ok: true })
  expect(announce(full, whole(1) + 1n)).toMatchObject({ code: 'INVALID_AMOUNT' })
})

test('assets below the value of the units at the NAV do not back them', () => {
  const two = bought(200n)
  expect(isBacked(two)).toBe(true)
  expect(isBacked({ ...two, cashMicros: two.cashMicros - 1n })).toBe(false)
})

describe('a divestment', () => {
  const invested = investing(bought(200n), whole(1_000))

  test('closes the product when it ends an investment below the NAV at which investing began', () => {
    const lost = ok(divest(invested, { amountMicros: whole(999), leftMicros: 0n }))
    expect(lost).toMatchObject({ navMicros: 9_995_000n, isClosed: true, isInvested: false })
    const even = ok(divest(invested, { amountMicros: whole(1_000), leftMicros: 0n }))
    expect(even).toMatchObject({ navMicros: whole(10), isClosed: false })
    const partly = ok(divest(invested, { amountMicros: 0n, leftMicros: 1n }))
    expect(partly).toMatchObject({ isClosed: false, isInvested: true })
    // A recovery belongs to the remaining holders.
    const recovered = ok(divest(lost, { amountMicros: whole(200), leftMicros: 0n }))
    expect(recovered).toMatchObject({ navMicros: 10_995_000n, isClosed: true })
  })

  test('closes by the NAV at which investing began, not by that of a later investment', () => {
    const fallen = ok(valueAssets(invested, whole(600)))
    const more = investing(fallen, whole(500))
    expect(more).toMatchObject({ navMicros: whole(8), beganNavMicros: whole(10) })
    expect(ok(divest(more, { amountMicros: whole(1_200), leftMicros: 0n }))).toMatchObject({
      navMicros: 8_500_000n,
      isClosed: true,
    })
    // After an end without a loss, investing begins again.
    const risen = ok(divest(invested, { amountMicros: whole(1_200), leftMicros: 0n }))
    expect(investing(risen, whole(500)).beganNavMicros).toBe(whole(11))
  })

  test('without holders closes the product, and its cash goes to revenue', () => {
    const empty = { ...invested, units: 0n, cashMicros: 0n, navMicros: 0n }
    const ended = divest(empty, { amountMicros: whole(3), leftMicros: 0n })
    expect(ended).toMatchObject({ ok: true, remainderMicros: whole(3) })
    expect(ok(ended)).toMatchObject({ isClosed: true, cashMicros: 0n, navMicros: whole(10) })
  })

  test('is refused where nothing was ever invested, or out of range', () => {
    const nothing = { amountMicros: 0n, leftMicros: 0n }
    expect(divest(bought(1n), nothing)).toMatchObject({ code: 'NOTHING_INVESTED' })
    expect(divest(bought(1n), { ...nothing, amountMicros: -1n })).toMatchObject({ code: 'INVALID_AMOUNT' })
    expect(divest(invested, { ...nothing, amountMicros: MAX_MICROS })).toMatchObject({
      code: 'INVALID_AMOUNT',
    })
  })
})

test("A and B buy for 1,000 each, the value halves, A redeems, it recovers: A's redemption costs B nothing", () => {
  const both = investing(bought(200n), whole(1_000))
  const halved = ok(valueAssets(both, 0n))
  expect(halved.navMicros).toBe(whole(5))
  const a = payUnits({ ...halved, approvedUnits: 100n }, 100n)!
  expect(a.valueMicros).toBe(whole(500))
  expect(a.assets.navMicros).toBe(whole(5))
  const recovered = ok(valueAssets(a.assets, whole(1_000)))
  expect(recovered.navMicros).toBe(whole(15))
  // The former rule paid B 1,500 out of custody without money from outside; now only existing cash is paid.
  const waiting = { ...recovered, approvedUnits: 100n }
  expect(payUnits(waiting, 100n)).toBeNull()
  const back = ok(divest(waiting, { amountMicros: whole(1_000), leftMicros: 0n }))
  const b = payUnits(back, 100n)!
  expect(b.valueMicros).toBe(whole(1_500))
  expect(a.valueMicros + b.valueMicros).toBe(whole(2_000))
  expect(b.assets).toMatchObject({ cashMicros: 0n, units: 0n })
})

test('an undone sale returns its price as far as the other units stay covered', () => {
  const three = sellUnits(bought(200n), 100n, whole(10))
  expect(undoSale(three, 100n, whole(10))).toMatchObject({ advanceMicros: 0n, assets: bought(200n) })
  const fallen = ok(valueAssets(investing(three, whole(1_500)), 0n))
  expect(fallen).toMatchObject({ navMicros: whole(5), cashMicros: whole(1_500) })
  const undone = undoSale(fallen, 100n, whole(10))
  expect(undone.advanceMicros).toBe(whole(500))
  expect(undone.assets).toMatchObject({ cashMicros: whole(1_000), units: 200n, navMicros: whole(5) })
  const risen = ok(valueAssets(investing(three, whole(1_500)), whole(3_000)))
  expect(undoSale(risen, 100n, whole(10))).toMatchObject({ advanceMicros: 0n })
  const alone = undoSale(bought(5n), 5n, whole(10))
  expect(alone).toMatchObject({ remainderMicros: 0n, assets: NEW })
})

const DAY = 86_400_000
test('the NAV stays while there are units, also when a price above it has left a remainder', () => {
  const dearer = sellUnits(bought(100n), 100n, whole(10) + 100n)
  expect(undoSale(dearer, 100n, whole(10)).assets).toMatchObject({ units: 100n, navMicros: whole(10) })
  expect(investing(dearer, whole(500))).toMatchObject({ navMicros: whole(10) })
})

test('units without a value are not paid', () => {
  expect(payUnits({ ...bought(100n), navMicros: 0n }, 1n)).toBeNull()
})

test('a product with something invested deals for three days after a valuation, and not while one is proposed', () => {
  const valued = { isInvested: true, valuedAtMs: 0 }
  expect(isNavStale(valued, 3 * DAY, defaultPlan)).toBe(false)
  expect(isNavStale(valued, 3 * DAY + 1, defaultPlan)).toBe(true)
  expect(isNavStale({ ...valued, valuedAtMs: DAY }, 4 * DAY, defaultPlan)).toBe(false)
  expect(isNavStale({ ...valued, valuedAtMs: DAY }, 4 * DAY + 1, defaultPlan)).toBe(true)
  expect(isNavStale({ isInvested: false, valuedAtMs: null }, 9 * DAY, defaultPlan)).toBe(false)
  expect(dealingStop({ ...valued, isValuationProposed: false }, 1, defaultPlan)).toBeNull()
  expect(dealingStop({ ...valued, isValuationProposed: true }, 1, defaultPlan)).toBe('NAV_STALE')
  expect(stopsDealing(null, 0)).toBe(true)
  expect(stopsDealing(0, 7 * DAY_MS - 1)).toBe(false)
  expect(stopsDealing(0, 7 * DAY_MS)).toBe(true)
  expect(stopsDealing(DAY_MS, 8 * DAY_MS - 1)).toBe(false)
})

test('a price on chain is the NAV rounded up, and holds down to 1% and 0.0001 below it', () => {
  expect([1n, 100n, 101n].map(chainPrice)).toEqual([100n, 100n, 200n])
  const quoted = whole(10)
  expect(isPriceValid(quoted, quoted)).toBe(true)
  expect(isPriceValid(quoted, quoted + 1n)).toBe(false)
  expect(isPriceValid(quoted, quoted - 100_100n)).toBe(true)
  expect(isPriceValid(quoted, quoted - 100_101n)).toBe(false)
})

test('the tightest limit of units applies', () => {
  const none = { maxMemberUnits: null, maxUnits: null, soldPpm: null }
  const counts = {
    units: 90n,
    memberUnits: 8n,
    unitsAtValuation: 80n,
    soldSinceValuation: 15n,
    isInvested: true,
  }
  expect(unitsLeft(none, counts)).toBeNull()
  const limits = { maxMemberUnits: 20n, maxUnits: 100n, soldPpm: 250_000 }
  expect(unitsLeft(limits, counts)).toEqual({ limit: 'valuation', units: 5n })
  expect(unitsLeft(limits, { ...counts, isInvested: false })).toEqual({ limit: 'product', units: 10n })
  expect(unitsLeft({ ...limits, maxMemberUnits: 5n }, counts)).toEqual({ limit: 'member', units: 0n })
  expect(unitsLeft({ ...limits, maxUnits: 92n }, counts)).toEqual({ limit: 'product', units: 2n })
  expect(unitsLeft({ ...limits, maxMemberUnits: 13n }, counts)).toEqual({ limit: 'member', units: 5n })
})

test('the parts of a spread value add up to it', () => {
  expect(spreadValue(10n, [1n, 1n, 1n])).toEqual([3n, 3n, 4n])
  expect(spreadValue(10n, [0n, 0n])).toEqual([5n, 5n])
  expect(spreadValue(10n, [3n, 0n])).toEqual([10n, 0n])
  expect(spreadValue(10n, [])).toEqual([])
  const values = fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), values, (value, weights) => {
      const parts = spreadValue(value, weights)
      expect(sum(parts)).toBe(value)
      expect(parts.every((part) => part >= 0n)).toBe(true)
    }),
  )
})

type Step = (assets: FundAssets) => FundAssets
const micros = fc.bigInt(0n, whole(3_000))
const units = fc.bigInt(1n, 300n)
const orSame = (assets: FundAssets, outcome: { ok: true; assets: FundAssets } | { ok: false }) =>
  outcome.ok ? outcome.assets : assets
/** Any step; steps that the rules refuse change nothing. */
const step: fc.Arbitrary<Step> = fc.oneof(
  units.map((count) => (of: FundAssets) => (of.isClosed ? of : sellUnits(of, count, of.navMicros + 1n))),
  fc.tuple(units, fc.boolean()).map(([count, isPaid]) => (of: FundAssets) => {
    const taken = min(count, of.units)
    const approved = { ...of, approvedUnits: max(of.approvedUnits, taken) }
    return (isPaid && taken > 0n && payUnits(approved, taken)?.assets) || approved
  }),
  micros.map((amount) => (of: FundAssets) => orSame(of, announce(of, amount))),
  fc.constant((of: FundAssets) => (of.announcedMicros > 0n ? invest(of, of.announcedMicros) : of)),
  fc.constant((of: FundAssets) => release(of, of.announcedMicros).assets),
  micros.map((value) => (of: FundAssets) => orSame(of, valueAssets(of, value))),
  fc
    .record({ amountMicros: micros, leftMicros: fc.oneof(fc.constant(0n), micros) })
    .map((terms) => (of: FundAssets) => orSame(of, divest(of, terms))),
)

test('over any history the net assets cover the units, and all cash belongs to somebody', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let assets = NEW
      for (const take of steps) {
        assets = take(assets)
        expect(isBacked(assets)).toBe(true)
        expect(assets.cashMicros >= assets.announcedMicros && assets.approvedUnits <= assets.units).toBe(true)
        if (assets.units > 0n) expect(computeNav(assets) >= assets.navMicros).toBe(true)
        if (assets.units === 0n && !assets.isInvested) expect(netAssets(assets)).toBe(assets.announcedMicros)
      }
    }),
    { numRuns: 500 },
  )
})
