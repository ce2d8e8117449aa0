import { type Micros, max, min, mul, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'

/** A paid package as static rewards see it: full price, its static rate, and the paid value of its rewards so far. */
export interface PaidPackage {
  readonly priceMicros: Micros
  readonly staticPpm: Ppm
  readonly paidSoFarMicros: Micros
}

/** What static rewards can still pay on a package; summed over a member's packages it is `remaining_dividends`. Rules, section 5.4. */
export function remainingDividends(
  paid: Pick<PaidPackage, 'priceMicros' | 'paidSoFarMicros'>,
  plan: Plan,
): Micros {
  return max(0n, mul(paid.priceMicros, plan.reward.staticCapPpm) - paid.paidSoFarMicros)
}

/** What a package is due for one day, from the day after its payment on. Rules, section 5.4. */
export function staticDue(paid: PaidPackage, plan: Plan): Micros {
  return min(mul(paid.priceMicros, paid.staticPpm), remainingDividends(paid, plan))
}
