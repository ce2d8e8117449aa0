import { z } from 'zod'
import { amount, day, flag, id, moneyAsset, page, pageOf, ppm, time } from './primitives.ts'

export const savingsDirection = z.enum(['in', 'out'])

/** Savings of one asset. */
const savingsOfAsset = z.object({
  asset: moneyAsset,
  /** Earns interest. */
  savings: amount,
  /** Taken out, and on its way to `available`. */
  leaving: amount,
  /** What can be transferred in. */
  available: amount,
  /** Paid for the last day that is over; 0 as long as that day is not settled. */
  yesterday_income: amount,
  total_earned: amount,
  /** A year's rate when the pool covers all, by today's plan. */
  rate_ppm: ppm,
})

/** The Simple Earn account. Sums are in USDT worth at the last price, AMC without one counts nothing. */
export const savingsAccount = z.object({
  total_amount: amount,
  yesterday_income: amount,
  total_earned: amount,
  /** With what is on its way out. */
  total_holding_value: amount,
  locked_amc: amount,
  assets: z.array(savingsOfAsset),
  prices: z.object({ AMC: amount.nullable() }),
  /** A transfer out of up to this worth takes the short time, any other the long one. */
  fast_up_to_usdt: amount,
  fast_delay_ms: z.number().int(),
  slow_delay_ms: z.number().int(),
})

export const savingsTransferBody = z.object({ asset: moneyAsset, amount })

export const savingsTransfer = z.object({
  transfer_id: id,
  asset: moneyAsset,
  direction: savingsDirection,
  amount,
  created_at: time,
  arrives_at: time,
  /** Null while it is on its way. */
  arrived_at: time.nullable(),
})
export const savingsTransfersQuery = page.extend({
  direction: savingsDirection.optional(),
  leaving: flag.optional(),
})
export const savingsTransfersData = pageOf(savingsTransfer)

/** A day's interest of one asset. */
export const savingsInterest = z.object({
  asset: moneyAsset,
  day,
  /** What lay in savings all day. */
  principal: amount,
  rate_ppm: ppm,
  due: amount,
  coverage_ppm: ppm,
  paid: amount,
})
export const savingsInterestQuery = page.extend({ asset: moneyAsset.optional() })
export const savingsInterestData = pageOf(savingsInterest)

const dueAndPaid = { due: amount, paid: amount, coverage_ppm: ppm }

/** What was due and paid of the interest of all members over the last 30 days. */
export const savingsCoverageData = z.object({
  from: day,
  to: day,
  days: z.array(z.object({ day, asset: moneyAsset, ...dueAndPaid })),
  /** Of the assets of which anything was due. */
  totals: z.array(z.object({ asset: moneyAsset, ...dueAndPaid })),
})

export type SavingsAccount = z.infer<typeof savingsAccount>
export type SavingsTransfer = z.infer<typeof savingsTransfer>
export type SavingsInterest = z.infer<typeof savingsInterest>
export type SavingsCoverage = z.infer<typeof savingsCoverageData>
export type SavingsDirection = z.infer<typeof savingsDirection>
