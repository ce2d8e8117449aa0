import {
  batchCoverage,
  batchShares,
  type Micros,
  mul,
  type PayoutShares,
  type Plan,
  type Pool,
  type Ppm,
  payReward,
} from '@rif/rules'
import type { Dues } from './dues.ts'

/** The classes of a day, in order of payment. Rules, section 6. */
export const CLASSES = ['pairing', 'management', 'static'] as const
export type SettledClass = (typeof CLASSES)[number]

/** The proportions in which a batch is paid, fixed once before any payment. */
export interface BatchTerms extends PayoutShares {
  readonly coveragePpm: Ppm
  readonly amcPriceMicros: Micros | null
}

/** The payouts of a batch, in the order of its dues. */
export interface Payouts {
  readonly paid: BigInt64Array
  readonly usdt: BigInt64Array
  readonly amc: BigInt64Array
}

/** Fixes a batch by its pool's balance and the amount due. Rules, section 6. */
export function termsOf(pool: Pool, dues: Dues, plan: Plan): BatchTerms {
  const dueMicros = total(dues.value)
  const coveragePpm = batchCoverage(pool, dueMicros)
  let paidMicros = 0n
  for (let place = 0; place < dues.count; place++) paidMicros += mul(dues.value[place]!, coveragePpm)
  const shares = batchShares(pool, paidMicros, plan)
  return { ...shares, coveragePpm, amcPriceMicros: pool.amcPriceMicros }
}

/** Returns the payout of each reward of a batch on its terms. Rules, section 6. */
export function payDues(dues: Dues, terms: BatchTerms): Payouts {
  const column = () => new BigInt64Array(dues.count)
  const payouts = { paid: column(), usdt: column(), amc: column() }
  for (let place = 0; place < dues.count; place++) {
    const payout = payReward(dues.value[place]!, terms.coveragePpm, terms, terms.amcPriceMicros)
    payouts.paid[place] = payout.paidMicros
    payouts.usdt[place] = payout.usdtMicros
    payouts.amc[place] = payout.amcMicros
  }
  return payouts
}

/** Returns the sum of a column; places beyond its filled part are zero. */
export function total(column: BigInt64Array): Micros {
  let sum = 0n
  for (const amount of column) sum += amount
  return sum
}
