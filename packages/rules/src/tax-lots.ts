import type { Day } from './day.ts'
import { floorDiv, type Micros, max, min } from './money.ts'

/** A quantity of an asset that was acquired on one day and is still held, with what it cost in USDT micro-units. */
export interface TaxLot {
  readonly day: Day
  readonly quantity: Micros
  readonly cost: Micros
}

/** The quantity of an asset that is held and its cost; both are negative while more was disposed of than acquired. */
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
  let holding: TaxHolding = { quantity: 0n, cost: 0n }
  /** The quantity that was disposed of before it was acquired, and the cost that was counted for it. */
  let ahead: TaxHolding = { quantity: 0n, cost: 0n }

  /** Takes from an acquisition what was disposed of before it, at the cost that was counted. Returns the rest. */
  function coverAhead({ quantity, cost }: TaxHolding): TaxHolding {
    const covered = min(quantity, ahead.quantity)
    const part = partOf(ahead, covered)
    ahead = { quantity: ahead.quantity - covered, cost: ahead.cost - part }
    return { quantity: quantity - covered, cost: cost - part }
  }

  /** Takes a quantity that the lots have out of the oldest. Returns its cost. */
  function takeOldest(quantity: Micros): Micros {
    let left = quantity
    let cost = 0n
    while (left > 0n) {
      const lot = lots[first]!
      const taken = min(left, lot.quantity)
      const part = partOf(lot, taken)
      if (taken === lot.quantity) first += 1
      else lots[first] = { day: lot.day, quantity: lot.quantity - taken, cost: lot.cost - part }
      left -= taken
      cost += part
    }
    return cost
  }

  return {
    /** Adds a quantity with its cost. Days must not decrease. */
    acquire(day: Day, quantity: Micros, cost: Micros): void {
      holding = { quantity: holding.quantity + quantity, cost: holding.cost + cost }
      const rest = coverAhead({ quantity, cost })
      if (rest.quantity === 0n && rest.cost === 0n) return
      const last = first < lots.length ? lots.at(-1) : undefined
      if (last?.day === day)
        lots[lots.length - 1] = { day, quantity: last.quantity + rest.quantity, cost: last.cost + rest.cost }
      else lots.push({ day, ...rest })
    },

    /**
     * Takes a quantity out of the oldest lots and returns its cost. The cost of a part of a lot is floored,
     * and the remainder stays with the rest of the lot, so no cost is lost or taken twice. What is acquired
     * only later costs its share of the value of the quantity, and leaves the later lot at that cost.
     */
    dispose(quantity: Micros, value: Micros): Micros {
      const owned = min(quantity, max(holding.quantity, 0n))
      const early = owned === quantity ? 0n : partOf({ quantity, cost: value }, quantity - owned)
      ahead = { quantity: ahead.quantity + quantity - owned, cost: ahead.cost + early }
      const cost = takeOldest(owned) + early
      holding = { quantity: holding.quantity - quantity, cost: holding.cost - cost }
      return cost
    },

    holding: (): TaxHolding => holding,

    /** Returns the lots that are still held, oldest first. */
    open: (): readonly TaxLot[] => lots.slice(first),
  }
}

/** Returns the cost of a part of a holding, floored; of the whole, all of it. */
function partOf({ quantity, cost }: TaxHolding, part: Micros): Micros {
  if (part === quantity) return cost
  return floorDiv(cost * part, quantity)
}
