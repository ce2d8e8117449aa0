import { floorDiv, MICRO, type Micros, min, units, worth } from './money.ts'

/** The units offered in a VC launch, and their price in VC micro-units per whole unit. Rules, section 11. */
export interface LaunchOffer {
  readonly allocationMicros: Micros
  readonly priceMicros: Micros
}

/** The result of a subscription: the allotted units, their cost and the returned VC. */
export interface LaunchAllotment {
  readonly unitsMicros: Micros
  readonly spentMicros: Micros
  readonly returnedMicros: Micros
}

/** Returns the cost of the whole allocation in VC, floored. */
export function launchCapacity({ allocationMicros, priceMicros }: LaunchOffer): Micros {
  return worth(allocationMicros, priceMicros)
}

/**
 * Allots units to one subscription; `subscribedMicros` is the sum of all subscriptions. Its VC, or in an oversubscribed launch its
 * proportional part of the capacity, buy whole micro-units of the launch, and the rest is returned. Every quotient is floored, so
 * the units never exceed the allocation and the cost never exceeds the capacity. Units that would cost nothing are not allotted.
 * Rules, section 11; docs/decisions/0008-exchange.md.
 */
export function allotLaunch(offer: LaunchOffer, vcMicros: Micros, subscribedMicros: Micros): LaunchAllotment {
  const capacityMicros = launchCapacity(offer)
  const acceptedMicros =
    subscribedMicros <= capacityMicros ? vcMicros : floorDiv(capacityMicros * vcMicros, subscribedMicros)
  const unitsMicros = min(units(acceptedMicros, offer.priceMicros), offer.allocationMicros)
  const spentMicros = floorDiv(unitsMicros * offer.priceMicros, MICRO)
  if (spentMicros === 0n) return { unitsMicros: 0n, spentMicros: 0n, returnedMicros: vcMicros }
  return { unitsMicros, spentMicros, returnedMicros: vcMicros - spentMicros }
}

/** The phase of an approved launch, as members see it. */
export type LaunchPhase = 'Upcoming' | 'Open' | 'Closed' | 'Allocated'

/** Returns the phase of an approved launch, which is open from its start until just before its end. */
export function launchPhase(
  launch: { readonly isAllocated: boolean; readonly startsAtMs: number; readonly endsAtMs: number },
  atMs: number,
): LaunchPhase {
  if (launch.isAllocated) return 'Allocated'
  if (atMs < launch.startsAtMs) return 'Upcoming'
  return atMs < launch.endsAtMs ? 'Open' : 'Closed'
}
