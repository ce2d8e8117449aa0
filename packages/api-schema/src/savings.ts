import { z } from 'zod'
import { signed } from './leaving.ts'
import { amount, day, flag, id, moneyAsset, page, pageOf, ppm, time } from './primitives.ts'

export const savingsDirection = z.enum(['in', 'out'])

/** Savings of one asset. */
const savingsOfAsset = z.object({
  asset: moneyAsset,
  /** The part that earns interest. */
  savings: amount,
  /** The amount transferred out that is not yet in `available`. */
  leaving: amount,
  /** The balance that can be transferred in. */
  available: amount,
  /** The interest paid for yesterday; 0 before its settlement. */
  yesterday_income: amount,
  total_earned: amount,
  /** The yearly rate in full coverage, by today's plan. */
  rate_ppm: ppm,
})

/** The Simple Earn account. Sums are in USDT worth at the last price; without a price, AMC count as nothing. */
export const savingsAccount = z.object({
  total_amount: amount,
  yesterday_income: amount,
  total_earned: amount,
  /** Including amounts being transferred out. */
  total_holding_value: amount,
  locked_amc: amount,
  assets: z.array(savingsOfAsset),
  prices: z.object({ AMC: amount.nullable() }),
  /** A transfer out takes the short time while those of 24 hours are worth at most this, else the long time. */
  fast_up_to_usdt: amount,
  /** The worth transferred out within the last 24 hours; null if one had no known price. */
  recent_out_usdt: amount.nullable(),
  fast_delay_ms: z.number().int(),
  slow_delay_ms: z.number().int(),
})

export const savingsTransferBody = z.object({ asset: moneyAsset, amount })
/** The signature is needed when the savings would exceed a limit of the plan. */
export const savingsInBody = savingsTransferBody.extend({ signed: signed.optional() })

export const savingsTransfer = z.object({
  transfer_id: id,
  asset: moneyAsset,
  direction: savingsDirection,
  amount,
  created_at: time,
  arrives_at: time,
  /** Null before its arrival. */
  arrived_at: time.nullable(),
})
export const savingsTransfersQuery = page.extend({
  direction: savingsDirection.optional(),
  leaving: flag.optional(),
})
export const savingsTransfersData = pageOf(savingsTransfer)

const standingPeriod = z.enum(['day', 'week', 'month'])

/**
 * A standing transfer into savings, at most one per asset. `on_day` is 1 (Monday) to 7 for a week, 1 to 28
 * for a month, and 1 for a day. The first transfer is on the next such day. The wallet signs it once.
 */
export const standingSavingsBody = z.object({
  asset: moneyAsset,
  amount,
  every: standingPeriod,
  on_day: z.number().int().min(1).max(28),
  signed: signed.optional(),
})
export const standingSavingsEndBody = z.object({ asset: moneyAsset })

export const standingSavings = z.object({
  asset: moneyAsset,
  amount,
  every: standingPeriod,
  on_day: z.number().int(),
  next_day: day,
  last_day: day.nullable(),
  /**
   * `short`: the available amount was too small; `unsigned`: it was made before such transfers were signed, and
   * needs the wallet's signature now. Nothing was moved. Null before the first day.
   */
  last_outcome: z.enum(['moved', 'short', 'unsigned']).nullable(),
})
export const standingSavingsData = z.object({ items: z.array(standingSavings) })

/** The interest of a day in one asset. */
export const savingsInterest = z.object({
  asset: moneyAsset,
  day,
  /** The amount in savings during the whole day. */
  principal: amount,
  rate_ppm: ppm,
  due: amount,
  coverage_ppm: ppm,
  paid: amount,
})
export const savingsInterestQuery = page.extend({ asset: moneyAsset.optional() })
export const savingsInterestData = pageOf(savingsInterest)

const dueAndPaid = { due: amount, paid: amount, coverage_ppm: ppm }

/** The due and paid interest of all members over the last 30 days. */
export const savingsCoverageData = z.object({
  from: day,
  to: day,
  days: z.array(z.object({ day, asset: moneyAsset, ...dueAndPaid })),
  /** For the assets with due interest. */
  totals: z.array(z.object({ asset: moneyAsset, ...dueAndPaid })),
})

export type SavingsAccount = z.infer<typeof savingsAccount>
export type SavingsTransfer = z.infer<typeof savingsTransfer>
export type SavingsInterest = z.infer<typeof savingsInterest>
export type SavingsCoverage = z.infer<typeof savingsCoverageData>
export type StandingSavings = z.infer<typeof standingSavings>
export type StandingSavingsBody = z.infer<typeof standingSavingsBody>
export type SavingsDirection = z.infer<typeof savingsDirection>
