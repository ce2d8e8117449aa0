import { type LaunchOffer, launchCapacity } from './launch.ts'
import { isAmount, type Micros } from './money.ts'

/**
 * A problem of a field of an offer: an invalid amount, a cost that is zero or exceeds 64 bits, a missing time, a time in the
 * past, or an end that is not after the start.
 */
export type OfferProblem = 'amount' | 'size' | 'missing' | 'past' | 'order'
export type OfferProblems<Field extends string> = Readonly<Partial<Record<Field, OfferProblem>>>

/** The times of a requested launch; NaN for a time that could not be parsed (as 0 for an amount). */
export interface LaunchTimes {
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** Returns the problems of a launch by the names of its fields in the API; none when it can be offered. Rules, section 11. */
export function launchProblems(
  { startsAtMs, endsAtMs, ...offer }: LaunchOffer & LaunchTimes,
  nowMs: number,
): OfferProblems<'allocation' | 'price' | 'starts_at' | 'ends_at'> {
  const { allocationMicros, priceMicros } = offer
  const areAmounts = isAmount(allocationMicros) && isAmount(priceMicros)
  return withoutNulls({
    allocation:
      amountProblem(allocationMicros) ?? (areAmounts && !isAmount(launchCapacity(offer)) ? 'size' : null),
    price: amountProblem(priceMicros),
    starts_at: Number.isNaN(startsAtMs) ? 'missing' : null,
    ends_at: timeProblem(endsAtMs, nowMs + 1) ?? (endsAtMs <= startsAtMs ? 'order' : null),
  })
}

/** Returns the problems of exchange terms; null means no cap, or valid from the approval on. Rules, section 11. */
export function termsProblems(
  terms: { rateMicros: Micros; dayCapMicros: Micros | null; validFromMs: number | null },
  nowMs: number,
): OfferProblems<'rate' | 'day_cap' | 'valid_from'> {
  const { rateMicros, dayCapMicros, validFromMs } = terms
  return withoutNulls({
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

const withoutNulls = <Field extends string>(
  problems: Readonly<Record<Field, OfferProblem | null>>,
): OfferProblems<Field> =>
  Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== null),
  ) as OfferProblems<Field>
