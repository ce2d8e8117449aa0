import { floorDiv, MICRO, type Micros, mul, ONE_PPM, type Ppm, units, worth } from './money.ts'
import type { Plan } from './plan.ts'

/** What a pool holds when a batch is paid, and the AMC price then (null when never published: its AMC counts nothing). */
export interface Pool {
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly amcPriceMicros: Micros | null
}

/** The two parts in which paid value is paid out. */
export interface PayoutShares {
  readonly usdtSharePpm: Ppm
  readonly amcSharePpm: Ppm
}

/** What one reward pays: its paid value, and what that is in USDT and AMC. */
export interface Payout {
  readonly paidMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** A batch worked out whole: its payouts in the order of the values. */
export interface PaidBatch extends PayoutShares {
  readonly dueMicros: Micros
  readonly coveragePpm: Ppm
  readonly payouts: readonly Payout[]
}

/** The part of what is due that a pool covers, at most 100%; 100% when nothing is due. Rules, section 6. */
export function batchCoverage(pool: Pool, dueMicros: Micros): Ppm {
  if (dueMicros === 0n) return ONE_PPM
  const heldMicros = pool.usdtMicros + amcWorth(pool)
  return heldMicros >= dueMicros ? ONE_PPM : Number(floorDiv(MICRO * heldMicros, dueMicros))
}

/**
 * The shares of USDT and AMC in which a batch is paid: the plan's wish, or as near to it as the pool allows.
 * `paidSumMicros` is the sum of the paid values, each floored by itself; when it is 0 both shares are. Rules, section 6.
 */
export function batchShares(pool: Pool, paidSumMicros: Micros, plan: Plan): PayoutShares {
  if (paidSumMicros === 0n) return { usdtSharePpm: 0, amcSharePpm: 0 }
  const wishedUsdtPpm = plan.reward.usdtSharePpm
  const wishedAmcPpm = ONE_PPM - wishedUsdtPpm
  const usdtPpm = cappedRatio(pool.usdtMicros, paidSumMicros)
  const amcPpm = cappedRatio(amcWorth(pool), paidSumMicros)
  if (amcPpm < wishedAmcPpm) return { usdtSharePpm: Math.min(ONE_PPM - amcPpm, usdtPpm), amcSharePpm: amcPpm }
  if (usdtPpm < wishedUsdtPpm)
    return { usdtSharePpm: usdtPpm, amcSharePpm: Math.min(ONE_PPM - usdtPpm, amcPpm) }
  return { usdtSharePpm: wishedUsdtPpm, amcSharePpm: wishedAmcPpm }
}

/** What one reward of a batch pays: the USDT into `available`, the AMC into `locked`. Rules, section 6. */
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
 * Pays a batch that fits in memory. One that does not is paid in three passes with the functions above: sum the values,
 * sum the paid values, pay. What is paid never exceeds the pool in either asset. Rules, section 6.
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

/** held / paid in ppm. More than 100% never matters to the shares, and cut off there it fits a number. */
function cappedRatio(heldMicros: Micros, paidMicros: Micros): Ppm {
  return heldMicros >= paidMicros ? ONE_PPM : Number(floorDiv(MICRO * heldMicros, paidMicros))
}
