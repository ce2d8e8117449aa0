import type { Day } from './day.ts'
import { floorDiv, type Micros, min } from './money.ts'

/** A quantity of an asset that was acquired on one day and is still held, with what it cost in USDT micro-units. */
export interface TaxLot {
  readonly day: Day
  readonly quantity: Micros
  readonly cost: Micros
}

/** The quantity of an asset that is held and its cost. */
export interface TaxHolding {
  readonly quantity: Micros
  readonly cost: Micros
}

export type TaxLots = ReturnType<typeof createTaxLots>

/**
 * Creates the lots of one asset, first in, first out. What is acquired on one day is one lot, so the number of lots is at most
 * that of the days, and within a day every unit has the day's average cost. Rules, section 14.
 */
export function createTaxLots() {
  const lots: TaxLot[] = []
  let first = 0
  let held: TaxHolding = { quantity: 0n, cost: 0n }

  return {
    /** Adds a quantity with its cost. Days must not decrease. */
    acquire(day: Day, quantity: Micros, cost: Micros): void {
      const last = first < lots.length ? lots.at(-1) : undefined
      if (last?.day === day)
        lots[lots.length - 1] = { day, quantity: last.quantity + quantity, cost: last.cost + cost }
      else lots.push({ day, quantity, cost })
      held = { quantity: held.quantity + quantity, cost: held.cost + cost }
    },

    /**
     * Takes a quantity out of the oldest lots and returns its cost. The cost of a part of a lot is floored,
     * and the remainder stays with the rest of the lot, so no cost is lost or taken twice. Throws a
     * RangeError when less is held.
     */
    dispose(quantity: Micros): Micros {
      if (quantity > held.quantity) throw new RangeError('more is disposed of than is held')
      let left = quantity
      let cost = 0n
      while (left > 0n) {
        const lot = lots[first]!
        const taken = min(left, lot.quantity)
        const part = taken === lot.quantity ? lot.cost : floorDiv(lot.cost * taken, lot.quantity)
        if (taken === lot.quantity) first += 1
        else lots[first] = { day: lot.day, quantity: lot.quantity - taken, cost: lot.cost - part }
        left -= taken
        cost += part
      }
      held = { quantity: held.quantity - quantity, cost: held.cost - cost }
      return cost
    },

    held: (): TaxHolding => held,

    /** Returns the lots that are still held, oldest first. */
    open: (): readonly TaxLot[] => lots.slice(first),
  }
}
