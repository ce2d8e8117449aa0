import { z } from 'zod'
import { conversion, conversionQuote } from './exchange.ts'
import { signed } from './leaving.ts'
import { amount, id, page, pageOf, ppm, time } from './primitives.ts'

/** The causes of changes of a member's hash power. A reversal has the opposite sign. */
export const hashRateKind = z.enum([
  'grant',
  'hash_power_purchase',
  'exchange',
  'order_discount_hold',
  'order_discount_release',
  'order_discount_spend',
])

export const hashRateEntry = z.object({
  /** Unique among the member's entries. */
  entry_id: z.string(),
  kind: hashRateKind,
  reversed: z.boolean(),
  amount,
  /** The change of the available hash power; 0 when held hash power is spent. */
  change: amount,
  order_id: id.nullable(),
  at: time,
})

/** Hash power (RIF) with its history, newest first. Worth and prices are in USDT, null without a price. */
export const hashRateQuery = page
export const hashRateData = pageOf(hashRateEntry).extend({
  available: amount,
  /** Held for unpaid orders. */
  locked: amount,
  worth_usdt: amount.nullable(),
  available_amc: amount,
  prices: z.object({ AMC: amount.nullable(), RIF: amount.nullable() }),
})

/** The discount that the available hash power gives on each package; unknown without a price of RIF. */
export const hashRatePercentData = z.object({
  /** The largest part of a price that hash power can pay. */
  percent_ppm: ppm,
  rif_price: amount.nullable(),
  packages: z.array(
    z.object({ product_id: id, name: z.string(), price: amount, discount: amount, rif: amount }),
  ),
})

/** AMC to spend. */
export const hashRateQuoteBody = z.object({ amount })
export const hashRateQuoteData = conversionQuote
export const buyHashRateBody = z.object({ quote_id: id, signed: signed.optional() })
export const buyHashRateData = conversion

export type HashRate = z.infer<typeof hashRateData>
export type HashRateEntry = z.infer<typeof hashRateEntry>
export type HashRateKind = z.infer<typeof hashRateKind>
export type HashRatePercent = z.infer<typeof hashRatePercentData>
