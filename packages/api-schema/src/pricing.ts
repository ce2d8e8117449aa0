import { z } from 'zod'
import { amount, day, time } from './primitives.ts'

/** `token/price`: AMC in USDT; `token/price2`: RIF in USDT. Null before the first published price. */
export const tokenPrice = z.object({
  asset: z.enum(['AMC', 'RIF']),
  price: amount.nullable(),
  valid_from: time.nullable(),
})

/** The maximum of the days of one request: three years. */
export const HISTORY_MAX_DAYS = 1_096

/** The last price of an asset on each of the last days, oldest first, without days before the first price. */
export const priceDaysQuery = z.object({
  asset: z.enum(['AMC', 'RIF']),
  days: z.coerce.number().int().min(2).max(HISTORY_MAX_DAYS).default(91),
})
export const priceDaysData = z.object({ items: z.array(z.object({ day, price: amount })) })
export type PriceDay = z.infer<typeof priceDaysData>['items'][number]
