import { z } from 'zod'
import { amount, day, id, page, pageOf, time, typedText } from './primitives.ts'

export const pricedAsset = z.enum(['AMC', 'RIF'])

/** A source outside the product: a signed price feed or an on-chain oracle. */
export const outsideSource = z.enum(['feed', 'oracle'])

/** Where a price comes from. */
export const priceSource = z.object({
  kind: z.enum(['operator', ...outsideSource.options]),
  /** The feed's name, or the address of the oracle; null for an operator. */
  name: z.string().nullable(),
  /** The time of the price at an external source. */
  observed_at: time.nullable(),
  /** True if persons approved it. */
  approved: z.boolean(),
})
export type PriceSource = z.infer<typeof priceSource>

/** `token/price`: AMC in USDT; `token/price2`: RIF in USDT. Null before the first published price. */
export const tokenPrice = z.object({
  asset: pricedAsset,
  price: amount.nullable(),
  valid_from: time.nullable(),
  source: priceSource.nullable(),
})

export type TokenPrice = z.infer<typeof tokenPrice>

/** The price that was valid at a time; the current one for a future time. */
export const priceAtQuery = z.object({ asset: pricedAsset, at: time })

/** The largest number of days of one request: three years. */
export const HISTORY_MAX_DAYS = 1_096

/** The last price of an asset on each of the last days, oldest first, without days before the first price. */
export const priceDaysQuery = z.object({
  asset: pricedAsset,
  days: z.coerce.number().int().min(2).max(HISTORY_MAX_DAYS).default(91),
})
export const priceDaysData = z.object({
  items: z.array(z.object({ day, price: amount, source: priceSource })),
})
export type PriceDay = z.infer<typeof priceDaysData>['items'][number]

/** Every published price that is or was valid, the newest first. */
export const priceHistoryQuery = page.extend({ asset: pricedAsset })
export const priceHistoryData = pageOf(
  z.object({ price_id: id, price: amount, valid_from: time, source: priceSource }),
)

/** A message of a signed price feed. */
export const priceFeedParams = z.object({ source: typedText(60).min(1) })
export const priceFeedBody = z.strictObject({ asset: pricedAsset, price: amount })
export const priceOutcome = z.enum(['published', 'unchanged', 'waiting', 'refused'])
export const priceFeedData = z.object({ outcome: priceOutcome })

/** The external sources and the last message of each of them, for admins. */
export const adminPricesData = z.object({
  /** The change above which a price requires the approval of two persons. */
  jump_ppm: z.number().int(),
  sources: z.array(
    z.object({
      source: outsideSource,
      /** The feed's name, or the address of the oracle. */
      name: z.string(),
      /** Null for a feed that has sent nothing yet. */
      asset: pricedAsset.nullable(),
      /** The greatest age of an oracle's answer; null for a feed. */
      max_age_seconds: z.number().int().nullable(),
      /** True while the settings name it. */
      connected: z.boolean(),
      price: amount.nullable(),
      observed_at: time.nullable(),
      outcome: priceOutcome.nullable(),
      /** The price that waits for approval, and its proposal. */
      waiting_price: amount.nullable(),
      proposal_id: id.nullable(),
      problem: z
        .enum(['stale', 'incomplete', 'not_positive', 'out_of_range', 'unreadable', 'sequencer'])
        .nullable(),
      problem_at: time.nullable(),
    }),
  ),
})
export type AdminPrices = z.infer<typeof adminPricesData>

/** A currency by its code of ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/)

/** The amount of a currency for one USDT, stated by an operator. For display only. */
export const displayRate = z.object({
  currency,
  /** Units of the currency for one USDT. */
  rate: amount,
  /** The day of the rate at its source. */
  day,
  source: z.string(),
  published_at: time,
})
export type DisplayRate = z.infer<typeof displayRate>
export const displayRatesData = z.object({ items: z.array(displayRate) })

/** The publications of a currency, the newest first; without a rate it was withdrawn. */
export const rateHistoryQuery = page.extend({ currency })
export const rateHistoryData = pageOf(
  z.object({
    rate_id: id,
    rate: amount.nullable(),
    day: day.nullable(),
    source: z.string().nullable(),
    published_at: time,
  }),
)
