import { floorDiv, MICRO, type Micros, mul, ONE_PPM, type Ppm, units, worth } from './money.ts'
import type { Plan } from './plan.ts'

/** The balances of a pool when a batch is paid, and the AMC price at that time. Without a price (null), its AMC count as nothing. */
export interface Pool {
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly amcPriceMicros: Micros | null
}

/** The split of a paid value into USDT and AMC. */
export interface PayoutShares {
  readonly usdtSharePpm: Ppm
  readonly amcSharePpm: Ppm
}

/** The payment of one reward: its paid value and the resulting amounts of USDT and AMC. */
export interface Payout {
  readonly paidMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** The payment of a batch, with the payouts in the order of the values. */
export interface PaidBatch extends PayoutShares {
  readonly dueMicros: Micros
  readonly coveragePpm: Ppm
  readonly payouts: readonly Payout[]
}

/** Returns the part of the due amount that a pool covers, at most 100%; 100% when nothing is due. Rules, section 6. */
export function batchCoverage(pool: Pool, dueMicros: Micros): Ppm {
  const heldMicros = pool.usdtMicros + amcWorth(pool)
  return heldMicros >= dueMicros ? ONE_PPM : Number(floorDiv(MICRO * heldMicros, dueMicros))
}

/**
 * Returns the shares of USDT and AMC in a batch: those of the plan, or the nearest that the pool allows. `paidSumMicros` is the
 * sum of the paid values, each floored separately; when it is 0, both shares are 0. Rules, section 6.
 */
export function batchShares(pool: Pool, paidSumMicros: Micros, plan: Plan): PayoutShares {
  if (paidSumMicros === 0n) return { usdtSharePpm: 0, amcSharePpm: 0 }
  const targetUsdtPpm = plan.reward.usdtSharePpm
  const targetAmcPpm = ONE_PPM - targetUsdtPpm
  const usdtPpm = cappedRatio(pool.usdtMicros, paidSumMicros)
  const amcPpm = cappedRatio(amcWorth(pool), paidSumMicros)
  if (amcPpm < targetAmcPpm) return { usdtSharePpm: Math.min(ONE_PPM - amcPpm, usdtPpm), amcSharePpm: amcPpm }
  if (usdtPpm < targetUsdtPpm)
    return { usdtSharePpm: usdtPpm, amcSharePpm: Math.min(ONE_PPM - usdtPpm, amcPpm) }
  return { usdtSharePpm: targetUsdtPpm, amcSharePpm: targetAmcPpm }
}

/** Calculates the payment of one reward: USDT for `available` and AMC for `locked`. Rules, section 6. */
export function payReward(
  valueMicros: Micros,
  coveragePpm: Ppm,
  shares: PayoutShares,
  amcPriceMicros: Micros | null,
): Payout {
  const paidMicros = mul(valueMicros, coveragePpm)
  return {
    paidMicros,
    usdtMicros: mul(paidMicros, shares.usdtSharePpm),
    amcMicros: amcPriceMicros === null ? 0n : units(mul(paidMicros, shares.amcSharePpm), amcPriceMicros),
  }
}

/**
 * Calculates a batch that fits in memory. A larger one takes three passes with the functions above: sum the values, sum the paid
 * values, pay. The payouts never exceed the pool in either asset. Rules, section 6.
 */
export function payBatch(pool: Pool, valuesMicros: readonly Micros[], plan: Plan): PaidBatch {
  const dueMicros = valuesMicros.reduce((sum, value) => sum + value, 0n)
  const coveragePpm = batchCoverage(pool, dueMicros)
  const paidSumMicros = valuesMicros.reduce((sum, value) => sum + mul(value, coveragePpm), 0n)
  const shares = batchShares(pool, paidSumMicros, plan)
  const payouts = valuesMicros.map((value) => payReward(value, coveragePpm, shares, pool.amcPriceMicros))
  return { dueMicros, coveragePpm, ...shares, payouts }
}

function amcWorth(pool: Pool): Micros {
  return pool.amcPriceMicros === null ? 0n : worth(pool.amcMicros, pool.amcPriceMicros)
}

/** Returns held / paid in ppm, limited to 100%: the shares need no more, and the result fits a number. */
function cappedRatio(heldMicros: Micros, paidMicros: Micros): Ppm {
  return heldMicros >= paidMicros ? ONE_PPM : Number(floorDiv(MICRO * heldMicros, paidMicros))
}
