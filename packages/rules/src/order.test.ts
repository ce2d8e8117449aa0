import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, prices, whole } from './arbitraries.fixture.ts'
import {
  allowOrder,
  hashRateDiscount,
  isAmount,
  MAX_MICROS,
  mul,
  ONE_PPM,
  type OrderQuoteInput,
  defaultPlan as plan,
  quoteDeadline,
  quoteOrder,
  splitPayment,
  worth,
} from './index.ts'

const input: OrderQuoteInput = {
  priceMicros: whole(100),
  useHashRate: false,
  rifAvailableMicros: 0n,
  rifPriceMicros: null,
  amcPriceMicros: 500_000n,
  plan,
}
const quote = (change: Partial<OrderQuoteInput>) => quoteOrder({ ...input, ...change })

describe('quoteOrder', () => {
  test('without a discount: 70% USDT, the rest in AMC', () => {
    const full = {
      dueMicros: whole(100),
      discountMicros: 0n,
      rifMicros: 0n,
      usdtMicros: whole(70),
      amcMicros: whole(60),
    }
    expect(quote({})).toEqual({ ok: true, ...full })
    expect(quote({ rifAvailableMicros: whole(50), rifPriceMicros: whole(1) })).toEqual({ ok: true, ...full })
  })

  test('the discount is the worth of the RIF, at most 10%', () => {
    const discounted = { useHashRate: true, rifPriceMicros: 2_500_000n }
    expect(quote({ ...discounted, rifAvailableMicros: 3_333_334n })).toEqual({
      ok: true,
      dueMicros: 91_666_665n,
      discountMicros: 8_333_335n,
      rifMicros: 3_333_334n,
      usdtMicros: 64_166_665n,
      amcMicros: 55_000_000n,
    })
    expect(quote({ ...discounted, rifAvailableMicros: whole(50) })).toMatchObject({
      dueMicros: whole(90),
      discountMicros: whole(10),
      rifMicros: whole(4),
    })
  })

  test('a discount too small for a micro-unit of RIF is zero', () => {
    const tiny = quote({ useHashRate: true, rifAvailableMicros: 1n, rifPriceMicros: 2_500_000n })
    expect(tiny).toMatchObject({ dueMicros: whole(100), discountMicros: 0n, rifMicros: 0n })
  })

  test('needs the prices that it uses: that of RIF even for a member without RIF', () => {
    expect(quote({ amcPriceMicros: null })).toEqual({ ok: false, code: 'PRICE_UNAVAILABLE' })
    expect(quote({ useHashRate: true })).toEqual({ ok: false, code: 'PRICE_UNAVAILABLE' })
    expect(quote({ useHashRate: true, rifPriceMicros: whole(1) })).toMatchObject({
      ok: true,
      discountMicros: 0n,
    })
  })

  test('a plan without a share of AMC takes no AMC', () => {
    const inUsdt = { ...plan, order: { ...plan.order, usdtSharePpm: ONE_PPM } }
    expect(quote({ plan: inUsdt })).toMatchObject({ ok: true, usdtMicros: whole(100), amcMicros: 0n })
  })

  test('refuses AMC that exceed 64 bits', () => {
    expect(quote({ priceMicros: MAX_MICROS, amcPriceMicros: 1n })).toEqual({
      ok: false,
      code: 'INVALID_AMOUNT',
    })
  })

  test('never charges more than the price, never spends missing RIF, and never exceeds the allowed discount', () => {
    const inputs = fc.record({
      priceMicros: amounts,
      useHashRate: fc.boolean(),
      rifAvailableMicros: amountsOrZero,
      rifPriceMicros: prices,
      amcPriceMicros: prices,
      plan: fc.constant(plan),
    })
    fc.assert(
      fc.property(inputs, (any) => {
        const result = quoteOrder(any)
        if (!result.ok) return
        const { dueMicros, discountMicros, rifMicros, usdtMicros, amcMicros } = result
        expect(dueMicros + discountMicros).toBe(any.priceMicros)
        expect(isAmount(dueMicros)).toBe(true)
        expect(discountMicros <= mul(any.priceMicros, plan.order.hashRatePpm)).toBe(true)
        expect(rifMicros <= any.rifAvailableMicros).toBe(true)
        expect(discountMicros > 0n).toBe(rifMicros > 0n)
        expect(usdtMicros + worth(amcMicros, any.amcPriceMicros) <= dueMicros).toBe(true)
      }),
    )
  })
})

test('the discount is at most 10%, is limited by the RIF, and uses at least one micro-unit of RIF', () => {
  const discount = (rif: bigint, price: bigint) => hashRateDiscount(whole(100), rif, price, plan)
  expect(discount(whole(3), whole(2))).toEqual({ discountMicros: whole(6), rifMicros: whole(3) })
  expect(discount(whole(5), whole(2))).toEqual({ discountMicros: whole(10), rifMicros: whole(5) })
  expect(discount(whole(6), whole(2))).toEqual({ discountMicros: whole(10), rifMicros: whole(5) })
  expect(discount(0n, whole(2))).toEqual({ discountMicros: 0n, rifMicros: 0n })
  expect(discount(1n, whole(1_000))).toEqual({ discountMicros: 1_000n, rifMicros: 1n })
})

test('a quote ends on a whole second, at most 30 minutes after it was made', () => {
  expect(quoteDeadline(0, plan)).toBe(1_800_000)
  expect(quoteDeadline(999, plan)).toBe(1_800_000)
  expect(quoteDeadline(1_000, plan)).toBe(1_801_000)
})

test('splitPayment divides without a remainder', () => {
  expect(splitPayment(64_166_665n, plan)).toEqual({ poolMicros: 22_458_332n, revenueMicros: 41_708_333n })
  fc.assert(
    fc.property(amountsOrZero, (received) => {
      const { poolMicros, revenueMicros } = splitPayment(received, plan)
      expect(poolMicros + revenueMicros).toBe(received)
      expect(poolMicros >= 0n && poolMicros <= revenueMicros).toBe(true)
    }),
  )
})

test('a member has one unpaid order for a package while its quote is valid', () => {
  const unpaid = [
    { id: 'a', level: 1, expiresAtMs: 1_000 },
    { id: 'b', level: 2, expiresAtMs: 2_000 },
  ]
  expect(allowOrder(unpaid, 3, 500)).toEqual({ ok: true })
  expect(allowOrder(unpaid, 1, 1_000)).toEqual({ ok: false, code: 'ORDER_OPEN', order: unpaid[0] })
  expect(allowOrder(unpaid, 1, 1_001)).toEqual({ ok: true })
  expect(allowOrder(unpaid, 2, 1_001)).toMatchObject({ code: 'ORDER_OPEN', order: { id: 'b' } })
})
