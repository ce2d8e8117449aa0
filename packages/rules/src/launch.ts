import { floorDiv, MICRO, type Micros, min, units, worth } from './money.ts'

/** What a VC launch offers: units of the launch, and their price in VC micro-units per whole unit. Rules, section 11. */
export interface LaunchOffer {
  readonly allocationMicros: Micros
  readonly priceMicros: Micros
}

/** What a subscription comes to: the position, what of its VC that costs, and what is returned. */
export interface LaunchAllotment {
  readonly unitsMicros: Micros
  readonly spentMicros: Micros
  readonly returnedMicros: Micros
}

/** How much VC a launch can take in all: what its whole allocation costs, floored. */
export function launchCapacity({ allocationMicros, priceMicros }: LaunchOffer): Micros {
  return worth(allocationMicros, priceMicros)
}

/**
 * What one subscription is allotted when all of them together put in `subscribedMicros`: its VC, or when the launch is
 * oversubscribed its part of the capacity in proportion, buy whole micro-units of the launch; what they do not cost goes
 * back. Every quotient is floored, so the positions never add up to more than the allocation, nor what is spent to more
 * than the capacity. What would cost nothing is not given. Rules, section 11; docs/decisions/0008-exchange.md.
 */
export function allotLaunch(offer: LaunchOffer, vcMicros: Micros, subscribedMicros: Micros): LaunchAllotment {
  const capacityMicros = launchCapacity(offer)
  const takenMicros =
    subscribedMicros <= capacityMicros ? vcMicros : floorDiv(capacityMicros * vcMicros, subscribedMicros)
  const unitsMicros = min(units(takenMicros, offer.priceMicros), offer.allocationMicros)
  const spentMicros = floorDiv(unitsMicros * offer.priceMicros, MICRO)
  if (spentMicros === 0n) return { unitsMicros: 0n, spentMicros: 0n, returnedMicros: vcMicros }
  return { unitsMicros, spentMicros, returnedMicros: vcMicros - spentMicros }
}

/** What a launch's record says of it; the rest follows from the time. */
export type LaunchState = 'Prepared' | 'Rejected' | 'Approved' | 'Allocated'

/** What a launch is to members; only what an admin approved is shown to them. */
export const LAUNCH_PHASES = ['Upcoming', 'Open', 'Closed', 'Allocated'] as const
export type LaunchPhase = (typeof LAUNCH_PHASES)[number]

/** Where a launch's record can go from each state. */
export const LAUNCH_TRANSITIONS = {
  Prepared: ['Approved', 'Rejected'],
  Rejected: [],
  Approved: ['Allocated'],
  Allocated: [],
} as const satisfies Record<LaunchState, readonly LaunchState[]>

/** The phase of an approved launch at a time: open from its start on until just before its end. */
export function launchPhase(
  launch: { readonly isAllocated: boolean; readonly startsAtMs: number; readonly endsAtMs: number },
  atMs: number,
): LaunchPhase {
  if (launch.isAllocated) return 'Allocated'
  if (atMs < launch.startsAtMs) return 'Upcoming'
  return atMs < launch.endsAtMs ? 'Open' : 'Closed'
}
