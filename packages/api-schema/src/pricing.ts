import { z } from 'zod'
import { amount, time } from './primitives.ts'

/** `token/price`: AMC in USDT; `token/price2`: RIF in USDT. Null before the first published price. */
export const tokenPrice = z.object({
  asset: z.enum(['AMC', 'RIF']),
  price: amount.nullable(),
  valid_from: time.nullable(),
})
