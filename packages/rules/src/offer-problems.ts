import { type LaunchOffer, launchCapacity } from './launch.ts'
import { isAmount, type Micros } from './money.ts'

/**
 * What is wrong with a field of what the exchange centre would offer: no amount, an amount that costs nothing or more than
 * can be stored, no time, a time that has passed, or an end that is not after its start.
 */
export type OfferProblem = 'amount' | 'size' | 'missing' | 'past' | 'order'
export type OfferProblems<Field extends string> = Readonly<Partial<Record<Field, OfferProblem>>>

/** A launch as it is asked for; a time that could not be read is NaN, an amount 0. */
export interface LaunchTimes {
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** What is wrong with a launch, by the names of its fields on the wire; nothing when it can be offered. Rules, section 11. */
export function launchProblems(
  { startsAtMs, endsAtMs, ...offer }: LaunchOffer & LaunchTimes,
  nowMs: number,
): OfferProblems<'allocation' | 'price' | 'starts_at' | 'ends_at'> {
  const { allocationMicros, priceMicros } = offer
  const areAmounts = isAmount(allocationMicros) && isAmount(priceMicros)
  return found({
    allocation:
      amountProblem(allocationMicros) ?? (areAmounts && !isAmount(launchCapacity(offer)) ? 'size' : null),
    price: amountProblem(priceMicros),
    starts_at: Number.isNaN(startsAtMs) ? 'missing' : null,
    ends_at: timeProblem(endsAtMs, nowMs + 1) ?? (endsAtMs <= startsAtMs ? 'order' : null),
  })
}

/**
 * What is wrong with terms of exchange; they may hold without a cap and from their approval on (null). Rules, section 11.
 */
export function termsProblems(
  terms: { rateMicros: Micros; dayCapMicros: Micros | null; validFromMs: number | null },
  nowMs: number,
): OfferProblems<'rate' | 'day_cap' | 'valid_from'> {
  const { rateMicros, dayCapMicros, validFromMs } = terms
  return found({
    rate: amountProblem(rateMicros),
    day_cap: dayCapMicros === null ? null : amountProblem(dayCapMicros),
    valid_from: validFromMs === null ? null : timeProblem(validFromMs, nowMs),
  })
}

const amountProblem = (micros: Micros): OfferProblem | null => (isAmount(micros) ? null : 'amount')

function timeProblem(timeMs: number, earliestMs: number): OfferProblem | null {
  if (Number.isNaN(timeMs)) return 'missing'
  return timeMs < earliestMs ? 'past' : null
}

const found = <Field extends string>(
  problems: Readonly<Record<Field, OfferProblem | null>>,
): OfferProblems<Field> =>
  Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== null),
  ) as OfferProblems<Field>
