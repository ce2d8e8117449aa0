import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts } from './arbitraries.fixture.ts'
import { addDays, createTaxLots, type Micros } from './index.ts'

const DAY = '2026-01-01'

/** A step: days that pass, and a quantity that is acquired at a cost or disposed of. */
const steps = fc.array(
  fc.record({
    days: fc.nat(3),
    isAcquired: fc.boolean(),
    quantity: amounts,
    cost: amounts,
  }),
  { maxLength: 40 },
)

describe('tax lots', () => {
  test('leave first in, first out, and keep the rounding remainders', () => {
    const lots = createTaxLots()
    lots.acquire(DAY, 3n, 10n)
    lots.acquire(addDays(DAY, 1), 2n, 100n)
    // A third of 10 is 3, floored; the rest stays with the lot.
    expect(lots.dispose(1n, 0n)).toBe(3n)
    expect(lots.open()[0]).toEqual({ day: DAY, quantity: 2n, cost: 7n })
    expect(lots.dispose(3n, 0n)).toBe(7n + 50n)
    expect(lots.holding()).toEqual({ quantity: 1n, cost: 50n })
    expect(lots.dispose(1n, 0n)).toBe(50n)
    expect(lots.open()).toEqual([])
  })

  test('of one day are one lot, also after a part of it has left', () => {
    const lots = createTaxLots()
    lots.acquire(DAY, 4n, 8n)
    lots.dispose(2n, 0n)
    lots.acquire(DAY, 2n, 20n)
    expect(lots.open()).toEqual([{ day: DAY, quantity: 4n, cost: 24n }])
    lots.dispose(4n, 0n)
    lots.acquire(DAY, 1n, 5n)
    expect(lots.open()).toEqual([{ day: DAY, quantity: 1n, cost: 5n }])
  })

  test('conserve quantity and cost', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const lots = createTaxLots()
        let day = DAY
        let quantity: Micros = 0n
        let cost: Micros = 0n
        for (const step of sequence) {
          day = addDays(day, step.days)
          if (step.isAcquired) {
            lots.acquire(day, step.quantity, step.cost)
            quantity += step.quantity
            cost += step.cost
          } else {
            const part = step.quantity < quantity ? step.quantity : quantity
            const taken = lots.dispose(part, 0n)
            expect(taken >= 0n && taken <= cost).toBe(true)
            quantity -= part
            cost -= taken
          }
          const open = lots.open()
          const sum = (of: (lot: (typeof open)[number]) => bigint) =>
            open.reduce((all, lot) => all + of(lot), 0n)
          expect(lots.holding()).toEqual({ quantity, cost })
          expect(sum((lot) => lot.quantity)).toBe(quantity)
          expect(sum((lot) => lot.cost)).toBe(cost)
          expect(open.every((lot, index) => index === 0 || open[index - 1]!.day < lot.day)).toBe(true)
        }
        // The remaining quantity can be disposed of, for exactly the remaining cost.
        expect(lots.dispose(quantity, 0n)).toBe(cost)
      }),
    )
  })

  test('give what is disposed of before it was acquired its value as cost, which the later lot bears', () => {
    const lots = createTaxLots()
    lots.acquire(DAY, 2n, 6n)
    // Two of the five are held and cost 6; three fifths of the value 50 are counted for the others.
    expect(lots.dispose(5n, 50n)).toBe(6n + 30n)
    expect(lots.holding()).toEqual({ quantity: -3n, cost: -30n })
    expect(lots.dispose(1n, 9n)).toBe(9n)
    lots.acquire(addDays(DAY, 1), 3n, 33n)
    // Three of the four for 29 of the 39; 4 of what they cost stays for what is acquired next.
    expect(lots.holding()).toEqual({ quantity: -1n, cost: -6n })
    lots.acquire(addDays(DAY, 1), 2n, 20n)
    expect(lots.holding()).toEqual({ quantity: 1n, cost: 14n })
    expect(lots.dispose(1n, 0n)).toBe(14n)
    expect(lots.holding()).toEqual({ quantity: 0n, cost: 0n })
  })

  test('hold nothing that only covers what was disposed of before', () => {
    const lots = createTaxLots()
    expect(lots.dispose(5n, 50n)).toBe(50n)
    lots.acquire(DAY, 5n, 50n)
    expect(lots.open()).toEqual([])
    lots.acquire(DAY, 1n, 7n)
    expect(lots.open()).toEqual([{ day: DAY, quantity: 1n, cost: 7n }])
  })

  test('conserve quantity and cost in any order of time', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const lots = createTaxLots()
        let day = DAY
        let quantity: Micros = 0n
        let cost: Micros = 0n
        for (const step of sequence) {
          day = addDays(day, step.days)
          if (step.isAcquired) lots.acquire(day, step.quantity, step.cost)
          const taken = step.isAcquired ? -step.cost : lots.dispose(step.quantity, step.cost)
          quantity += step.isAcquired ? step.quantity : -step.quantity
          cost -= taken
          expect(lots.holding()).toEqual({ quantity, cost })
        }
        // A last acquisition covers what was disposed of early, and the rest leaves for all of the remaining cost.
        const missing = quantity < 0n ? -quantity : 0n
        lots.acquire(day, missing + 1n, 0n)
        expect(lots.dispose(quantity + missing + 1n, 0n)).toBe(cost)
        expect(lots.open()).toEqual([])
      }),
    )
  })
})
