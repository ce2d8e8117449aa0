import { type Micros, max, min, mul, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'

/** The full price of a paid package, its static rate, and the value of the static rewards paid so far. */
export interface PaidPackage {
  readonly priceMicros: Micros
  readonly staticPpm: Ppm
  readonly paidSoFarMicros: Micros
}

/** Returns the remaining static rewards of a package. Their sum over a member's packages is `remaining_dividends`. Rules, section 5.4. */
export function remainingDividends(
  paid: Pick<PaidPackage, 'priceMicros' | 'paidSoFarMicros'>,
  plan: Plan,
): Micros {
  return max(0n, mul(paid.priceMicros, plan.reward.staticCapPpm) - paid.paidSoFarMicros)
}

/** Returns the static reward due for one day, from the day after the payment on. Rules, section 5.4. */
export function staticDue(paid: PaidPackage, plan: Plan): Micros {
  return min(mul(paid.priceMicros, paid.staticPpm), remainingDividends(paid, plan))
}
