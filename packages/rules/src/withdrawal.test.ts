import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, levels, prices, whole } from './arbitraries.fixture.ts'
import {
  ASSETS,
  MAX_MICROS,
  MICRO,
  min,
  defaultPlan as plan,
  quoteWithdrawal,
  refundUses,
  remainingToday,
  type WithdrawalRequest,
  withdrawalFee,
  withdrawalRisks,
  worth,
} from './index.ts'

const request: WithdrawalRequest = {
  asset: 'USDT',
  amountMicros: whole(200),
  availableMicros: whole(100_000),
  refundsMicros: 0n,
  amcPriceMicros: 500_000n,
  level: 5,
  usedTodayMicros: 0n,
  usedRecentlyMicros: 0n,
  unsignedMicros: 0n,
  addressTrusted: true,
  sentToNewMicros: null,
  alwaysSigned: false,
  riskFlagged: false,
}
const quote = (change: Partial<WithdrawalRequest>) => quoteWithdrawal({ ...request, ...change }, plan)

describe('quoteWithdrawal', () => {
  test('takes 1% out of the amount, at least one USDT worth', () => {
    expect(quote({})).toEqual({
      ok: true,
      refundMicros: 0n,
      feeMicros: whole(2),
      netMicros: whole(198),
      worthMicros: whole(200),
      recentMicros: whole(200),
      needsSignature: true,
      status: 'Withdrawable',
      auditReasons: [],
    })
    expect(quote({ amountMicros: whole(50) })).toMatchObject({ feeMicros: whole(1), netMicros: whole(49) })
    expect(quote({ asset: 'AMC', amountMicros: whole(50) })).toMatchObject({
      feeMicros: whole(2),
      worthMicros: whole(25),
    })
    expect(withdrawalFee({ amountMicros: 199_999_999n, refundMicros: 0n }, MICRO, plan)).toBe(1_999_999n)
  })

  test('takes no fee from what is refunded free, and the usual fee from the rest', () => {
    const refundsMicros = whole(50)
    expect(quote({ amountMicros: whole(30), refundsMicros })).toMatchObject({
      refundMicros: whole(30),
      feeMicros: 0n,
      netMicros: whole(30),
      worthMicros: whole(30),
    })
    expect(quote({ amountMicros: 1n, refundsMicros })).toMatchObject({ feeMicros: 0n, netMicros: 1n })
    // 1% of 150, and at least 1 on a rest of 20.
    expect(quote({ refundsMicros })).toMatchObject({ refundMicros: whole(50), feeMicros: 1_500_000n })
    expect(quote({ amountMicros: whole(70), refundsMicros })).toMatchObject({ feeMicros: whole(1) })
    expect(quote({ amountMicros: whole(51), refundsMicros })).toEqual({
      ok: false,
      code: 'AMOUNT_NOT_ABOVE_FEE',
    })
    expect(quote({ amountMicros: whole(51) + 1n, refundsMicros })).toMatchObject({
      netMicros: whole(50) + 1n,
    })
    // The whole amount counts towards the daily limit.
    expect(quote({ level: 0, amountMicros: whole(101), refundsMicros: whole(101) })).toMatchObject({
      code: 'DAILY_LIMIT',
    })
  })

  test('is audited when large, to an unknown address, or flagged', () => {
    expect(quote({ amountMicros: whole(1_000) })).toMatchObject({ status: 'Withdrawable' })
    expect(quote({ amountMicros: whole(1_000) + 1n })).toMatchObject({
      status: 'Auditing',
      auditReasons: ['large_amount'],
    })
    expect(quote({ asset: 'AMC', amountMicros: whole(2_000) })).toMatchObject({ status: 'Withdrawable' })
    expect(quote({ addressTrusted: false })).toMatchObject({
      status: 'Auditing',
      auditReasons: ['new_address'],
    })
    expect(quote({ riskFlagged: true })).toMatchObject({ status: 'Auditing', auditReasons: ['risk_flag'] })
    expect(quote({ amountMicros: whole(2_000), addressTrusted: false, riskFlagged: true })).toMatchObject({
      auditReasons: ['large_amount', 'new_address', 'risk_flag'],
    })
  })

  test.each([
    [0, 100],
    [1, 500],
    [2, 1_000],
    [3, 3_000],
    [4, 10_000],
    [5, 30_000],
  ])('level %i may take %i USDT worth a day', (level, limit) => {
    expect(quote({ level, amountMicros: whole(limit) })).toMatchObject({ ok: true })
    expect(quote({ level, amountMicros: whole(limit) + 1n })).toEqual({
      ok: false,
      code: 'DAILY_LIMIT',
      remainingMicros: whole(limit),
      remainingAmountMicros: whole(limit),
    })
  })

  test('a refusal over the limit contains the rest of the limit in both units', () => {
    const refused = quote({ asset: 'AMC', level: 1, usedTodayMicros: whole(400), amountMicros: whole(201) })
    expect(refused).toMatchObject({
      code: 'DAILY_LIMIT',
      remainingMicros: whole(100),
      remainingAmountMicros: whole(200),
    })
    expect(remainingToday(1, whole(600), plan)).toBe(0n)
  })

  test('refuses in the documented order', () => {
    const worst = { availableMicros: 0n, usedTodayMicros: whole(30_000), amcPriceMicros: null }
    const codes = [
      quote({ ...worst, asset: 'RIF', amountMicros: 0n }),
      quote({ ...worst, asset: 'AMC', amountMicros: 0n }),
      quote({ ...worst, asset: 'AMC', amountMicros: MAX_MICROS + 1n }),
      quote({ ...worst, asset: 'AMC', amountMicros: 1n }),
      quote({ ...worst, amountMicros: whole(1) }),
      quote({ ...worst, amountMicros: whole(1) + 1n }),
      quote({ ...worst, availableMicros: whole(200) }),
    ].map((result) => (result.ok ? 'ok' : result.code))
    expect(codes).toEqual([
      'ASSET_NOT_ALLOWED',
      'INVALID_AMOUNT',
      'INVALID_AMOUNT',
      'PRICE_UNAVAILABLE',
      'AMOUNT_NOT_ABOVE_FEE',
      'INSUFFICIENT_BALANCE',
      'DAILY_LIMIT',
    ])
  })

  const requests: fc.Arbitrary<WithdrawalRequest> = fc.record({
    asset: fc.constantFrom(...ASSETS),
    amountMicros: fc.oneof(fc.bigInt(1n, whole(2_000)), amounts),
    availableMicros: amountsOrZero,
    refundsMicros: fc.oneof(fc.constant(0n), fc.bigInt(0n, whole(2_000))),
    amcPriceMicros: fc.option(prices),
    level: levels,
    usedTodayMicros: fc.bigInt(0n, whole(40_000)),
    usedRecentlyMicros: fc.bigInt(0n, whole(40_000)),
    unsignedMicros: fc.bigInt(0n, whole(40_000)),
    addressTrusted: fc.boolean(),
    sentToNewMicros: fc.constant(null),
    alwaysSigned: fc.boolean(),
    riskFlagged: fc.boolean(),
  })

  test('the fee is that of the rest alone, which is larger than it, and nothing when all is a free refund', () => {
    const below = fc.bigInt(0n, whole(300))
    fc.assert(
      fc.property(
        fc.oneof(below, amountsOrZero),
        fc.oneof(below, amountsOrZero),
        prices,
        (rest, refund, price) => {
          const fee = withdrawalFee({ amountMicros: rest + refund, refundMicros: refund }, price, plan)
          const share = rest / 100n
          const least = MICRO ** 2n / price
          const due = share > least ? share : least
          expect(fee).toBe(rest === 0n ? 0n : rest > due ? due : null)
        },
      ),
    )
  })

  test('the uses of free refunds add up, oldest first, and never exceed what is left', () => {
    fc.assert(
      fc.property(fc.array(amountsOrZero, { maxLength: 6 }), amountsOrZero, (left, amount) => {
        const uses = refundUses(left, amount)
        const total = left.reduce((sum, micros) => sum + micros, 0n)
        expect(uses.reduce((sum, micros) => sum + micros, 0n)).toBe(min(amount, total))
        // One that is not used up is the last one that is used.
        const open = uses.findIndex((used, index) => used < left[index]!)
        expect(uses.every((used, index) => used >= 0n && used <= left[index]!)).toBe(true)
        if (open >= 0) expect(uses.slice(open + 1).every((used) => used === 0n)).toBe(true)
      }),
    )
  })

  test('never pays more than the balance, and never exceeds the daily limit', () => {
    fc.assert(
      fc.property(requests, (any) => {
        const result = quoteWithdrawal(any, plan)
        if (!result.ok) return
        expect(result.feeMicros + result.netMicros).toBe(any.amountMicros)
        expect(result.netMicros > 0n && result.feeMicros >= 0n).toBe(true)
        expect(any.amountMicros <= any.availableMicros).toBe(true)
        const limitMicros = plan.withdrawal.dayLimitMicros[any.level]!
        expect(any.usedTodayMicros + result.worthMicros <= limitMicros).toBe(true)
        expect(result.status === 'Auditing').toBe(result.auditReasons.length > 0)
      }),
    )
  })

  test('the rest that a refusal offers is within the limit', () => {
    fc.assert(
      fc.property(requests, (any) => {
        const first = quoteWithdrawal(any, plan)
        if (first.ok || first.code !== 'DAILY_LIMIT') return
        const priceMicros = any.asset === 'USDT' ? MICRO : any.amcPriceMicros!
        expect(worth(first.remainingAmountMicros, priceMicros) <= first.remainingMicros).toBe(true)
        const second = quoteWithdrawal({ ...any, amountMicros: first.remainingAmountMicros }, plan)
        expect(second.ok ? 'ok' : second.code).not.toBe('DAILY_LIMIT')
      }),
    )
  })
})

describe('withdrawalRisks', () => {
  const WEEK_MS = 7 * 86_400_000
  const calm: Parameters<typeof withdrawalRisks>[0] = {
    worthMicros: whole(300),
    paidMostMicros: whole(100),
    joinedAtMs: 5,
    requestedAtMs: 5 + WEEK_MS,
    looksAlike: false,
    recentMicros: whole(300),
  }
  const risksOf = (departure: typeof calm) => withdrawalRisks(departure, plan)

  test('an amount is sudden above three times the largest payout, and never before the first payout', () => {
    expect(risksOf(calm)).toEqual([])
    expect(risksOf({ ...calm, worthMicros: whole(300) + 1n })).toEqual(['sudden_amount'])
    expect(risksOf({ ...calm, worthMicros: MAX_MICROS, paidMostMicros: null })).toEqual([])
  })

  test('an account is fresh for a week, and an address that looks like another one is a risk', () => {
    expect(risksOf({ ...calm, requestedAtMs: 4 + WEEK_MS })).toEqual(['fresh_account'])
    const all = { ...calm, worthMicros: whole(301), requestedAtMs: 5, looksAlike: true }
    expect(risksOf(all)).toEqual(['sudden_amount', 'fresh_account', 'look_alike'])
  })
  test('a fresh account is no risk up to 100 USDT worth within 24 hours', () => {
    const fresh = { ...calm, worthMicros: whole(50), requestedAtMs: 5 }
    expect(risksOf({ ...fresh, recentMicros: whole(100) })).toEqual([])
    expect(risksOf({ ...fresh, recentMicros: whole(100) + 1n })).toEqual(['fresh_account'])
  })
})
