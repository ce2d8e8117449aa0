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
    expect(lots.dispose(1n)).toBe(3n)
    expect(lots.open()[0]).toEqual({ day: DAY, quantity: 2n, cost: 7n })
    expect(lots.dispose(3n)).toBe(7n + 50n)
    expect(lots.held()).toEqual({ quantity: 1n, cost: 50n })
    expect(lots.dispose(1n)).toBe(50n)
    expect(lots.open()).toEqual([])
    expect(() => lots.dispose(1n)).toThrow('more is disposed of than is held')
  })

  test('of one day are one lot, also after a part of it has left', () => {
    const lots = createTaxLots()
    lots.acquire(DAY, 4n, 8n)
    lots.dispose(2n)
    lots.acquire(DAY, 2n, 20n)
    expect(lots.open()).toEqual([{ day: DAY, quantity: 4n, cost: 24n }])
    lots.dispose(4n)
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
            const taken = lots.dispose(part)
            expect(taken >= 0n && taken <= cost).toBe(true)
            quantity -= part
            cost -= taken
          }
          const open = lots.open()
          const sum = (of: (lot: (typeof open)[number]) => bigint) =>
            open.reduce((all, lot) => all + of(lot), 0n)
          expect(lots.held()).toEqual({ quantity, cost })
          expect(sum((lot) => lot.quantity)).toBe(quantity)
          expect(sum((lot) => lot.cost)).toBe(cost)
          expect(open.every((lot, index) => index === 0 || open[index - 1]!.day < lot.day)).toBe(true)
        }
        // The remaining quantity can be disposed of, for exactly the remaining cost.
        expect(lots.dispose(quantity)).toBe(cost)
      }),
    )
  })
})
