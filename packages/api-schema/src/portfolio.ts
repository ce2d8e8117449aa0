import { z } from 'zod'
import { HISTORY_MAX_DAYS } from './pricing.ts'
import { amount, day } from './primitives.ts'

/**
 * The member's holdings in the product at the end of each of the last days, for today at present, and the
 * changes that led to them.
 */
export const portfolioQuery = z.object({
  days: z.coerce.number().int().min(2).max(HISTORY_MAX_DAYS).default(31),
})

export const portfolioDay = z.object({
  day,
  /** The last AMC price of the day in USDT; null when none was ever published. */
  amc_price: amount.nullable(),
  /** In all accounts but savings. */
  usdt: amount,
  amc: amount,
  /** In savings, including amounts being transferred out. */
  savings_usdt: amount,
  savings_amc: amount,
  /** The worth of the fund units at the last net values of the day, in USDT. */
  fund: amount,
})

/**
 * The observed movements of the wallet: payments for packages and fund units, claims, and transfers in and
 * out.
 */
export const WALLET_CHANGES = ['paid', 'fund_paid', 'claimed', 'received', 'sent'] as const

/** The sum of all changes of one cause on a day; positive amounts came in. */
export const portfolioChange = z.object({
  day,
  /** The accounts of the product or the member's own wallet. */
  place: z.enum(['account', 'wallet']),
  /** The kind of transaction, as in the activities, or one of `WALLET_CHANGES`. */
  kind: z.string(),
  /** The package of a paid order; null for anything else. */
  title: z.string().nullable(),
  usdt: amount,
  amc: amount,
})

export const portfolioData = z.object({
  /** From the oldest to today; no day before the member joined. */
  days: z.array(portfolioDay),
  /** The changes on those days, oldest first. */
  changes: z.array(portfolioChange),
})

export type Portfolio = z.infer<typeof portfolioData>
export type PortfolioDay = z.infer<typeof portfolioDay>
export type PortfolioChange = z.infer<typeof portfolioChange>
