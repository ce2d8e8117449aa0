import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import {
  approversNeeded,
  type Departure,
  isAboveUnsigned,
  isSavedOnly,
  judgeDeparture,
  judgeSavedAddress,
  MICRO,
  defaultPlan as plan,
} from './index.ts'

const departure: Departure = {
  worthMicros: whole(10),
  level: 5,
  usedTodayMicros: 0n,
  usedRecentlyMicros: 0n,
  unsignedMicros: 0n,
  addressTrusted: true,
  sentToNewMicros: null,
  alwaysSigned: false,
  riskFlagged: false,
}
const judge = (change: Partial<Departure>) => judgeDeparture({ ...departure, ...change }, MICRO, plan)

describe('judgeDeparture', () => {
  test('requires a signature for a new recipient, and for all above 100 USDT worth not signed within 24 hours', () => {
    expect(judge({})).toEqual({
      ok: true,
      recentMicros: whole(10),
      auditReasons: [],
      needsSignature: false,
    })
    expect(judge({ alwaysSigned: true })).toMatchObject({ needsSignature: true })
    expect(judge({ unsignedMicros: whole(90) })).toMatchObject({ needsSignature: false })
    expect(judge({ unsignedMicros: whole(90) + 1n })).toMatchObject({ needsSignature: true })
    // What was signed for counts neither way.
    const signed = { usedTodayMicros: whole(900), usedRecentlyMicros: whole(900) }
    expect(judge({ ...signed, worthMicros: whole(100) })).toMatchObject({ needsSignature: false })
  })

  test('holds a withdrawal to a new address, and a transfer to new members above 100 USDT worth in all', () => {
    const toNew = { addressTrusted: false, alwaysSigned: true }
    expect(judge({ ...toNew, worthMicros: 1n })).toMatchObject({ auditReasons: ['new_address'] })
    const transfer = { ...toNew, sentToNewMicros: whole(90) }
    expect(judge(transfer)).toMatchObject({ auditReasons: [], needsSignature: true })
    expect(judge({ ...transfer, worthMicros: whole(10) + 1n })).toMatchObject({
      auditReasons: ['new_address'],
    })
    expect(judge({ addressTrusted: true, sentToNewMicros: whole(90), worthMicros: whole(50) })).toMatchObject(
      {
        auditReasons: [],
      },
    )
  })

  test('holds amounts above 1,000 USDT worth within 24 hours, however they are split', () => {
    const request = { worthMicros: whole(1_000) }
    expect(judge(request)).toMatchObject({ auditReasons: [], recentMicros: whole(1_000) })
    expect(judge({ worthMicros: 1n, usedRecentlyMicros: whole(1_000) })).toMatchObject({
      auditReasons: ['large_amount'],
      recentMicros: whole(1_000) + 1n,
    })
  })

  test('refuses amounts above the daily limit', () => {
    expect(judge({ level: 0, usedTodayMicros: whole(95) })).toEqual({
      ok: false,
      code: 'DAILY_LIMIT',
      remainingMicros: whole(5),
      remainingAmountMicros: whole(5),
    })
  })
})

describe('isAboveUnsigned', () => {
  test('adds up to the bound exactly; without a price anything is above it', () => {
    expect(isAboveUnsigned(whole(60), whole(40), plan)).toBe(false)
    expect(isAboveUnsigned(whole(60), whole(40) + 1n, plan)).toBe(true)
    expect(isAboveUnsigned(0n, null, plan)).toBe(true)
  })

  test('needs nothing for what counts as nothing, even above the bound', () => {
    expect(isAboveUnsigned(whole(500), 0n, plan)).toBe(false)
    expect(isAboveUnsigned(whole(500), 1n, plan)).toBe(true)
  })

  test('however it is split, no more than the bound moves unsigned', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, whole(150)), { maxLength: 40 }), (parts) => {
        const moved = parts.reduce((sum, part) => (isAboveUnsigned(sum, part, plan) ? sum : sum + part), 0n)
        expect(moved <= plan.leaving.signAboveMicros).toBe(true)
      }),
    )
  })
})

const HOUR_MS = 3_600_000

describe('saved addresses only', () => {
  const on = { onSinceMs: 0, offFromMs: null }

  test('is on from the switch until the time from which it is off', () => {
    expect(isSavedOnly({ onSinceMs: null, offFromMs: null }, 5)).toBe(false)
    expect(isSavedOnly(on, 5)).toBe(true)
    expect(isSavedOnly({ onSinceMs: 0, offFromMs: 6 }, 5)).toBe(true)
    expect(isSavedOnly({ onSinceMs: 0, offFromMs: 5 }, 5)).toBe(false)
  })

  test('lets a new address be used 24 hours after it was saved', () => {
    const saved = { savedAtMs: 0, isOwn: false }
    expect(judgeSavedAddress(saved, on, 24 * HOUR_MS, plan)).toEqual({ ok: true })
    expect(judgeSavedAddress(saved, on, 24 * HOUR_MS - 1, plan)).toEqual({
      ok: false,
      code: 'ADDRESS_TOO_NEW',
      usableFromMs: 24 * HOUR_MS,
    })
    expect(judgeSavedAddress({ savedAtMs: null, isOwn: false }, on, 0, plan)).toMatchObject({
      code: 'ADDRESS_NOT_SAVED',
    })
    expect(judgeSavedAddress({ savedAtMs: null, isOwn: true }, on, 0, plan)).toEqual({ ok: true })
    expect(judgeSavedAddress({ savedAtMs: null, isOwn: false }, { ...on, offFromMs: 1 }, 1, plan)).toEqual({
      ok: true,
    })
  })
})

test('more than one person approves amounts above the threshold of the plan, and amounts without a price', () => {
  expect(approversNeeded(whole(10_000), plan)).toBe(1)
  expect(approversNeeded(whole(10_000) + 1n, plan)).toBe(2)
  expect(approversNeeded(null, plan)).toBe(2)
})
