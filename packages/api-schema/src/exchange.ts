import { z } from 'zod'
import { signed } from './leaving.ts'
import { amount, asset, day, id, page, pageOf, ppm, time } from './primitives.ts'

export const exchangeTarget = z.enum(['DIV', 'VC'])

/** The paid and the received amount, and the rate (units per RIF) or the prices of AMC and RIF in USDT. */
const conversionTerms = {
  from: asset,
  to: asset,
  pays: amount,
  receives: amount,
  rate: amount.nullable(),
  amc_price: amount.nullable(),
  rif_price: amount.nullable(),
}

/** A quote that is fixed until it expires; `valid_ms` is its remaining time, independent of the clock of the client. */
export const conversionQuote = z.object({
  quote_id: id,
  ...conversionTerms,
  expires_at: time,
  valid_ms: z.number().int().min(0),
})

export const conversion = z.object({ conversion_id: id, ...conversionTerms, done_at: time })

/** The holdings of a member, the terms of exchange and the paid dividends. */
export const exchangeData = z.object({
  rif: amount,
  /** `share_ppm` is the share of the holdings of all members. */
  div: z.object({ available: amount, share_ppm: ppm }),
  vc: z.object({ available: amount, locked: amount, share_ppm: ppm }),
  terms: z.array(
    z.object({
      to: exchangeTarget,
      /** Units per RIF. */
      rate: amount,
      /** RIF per day; null without a cap. */
      day_cap: amount.nullable(),
      remaining_today: amount.nullable(),
    }),
  ),
  /** The end of the day of the caps. */
  resets_at: time,
  /** All dividends paid to the member. */
  received: z.object({ usdt: amount, amc: amount, days: z.number().int() }),
  /** The dividends of all members in the last 30 settled days. */
  paid_30d: z.object({ usdt: amount, amc: amount, days: z.number().int() }),
})

export const exchangeQuoteBody = z.object({ to: exchangeTarget, amount })
/** The wallet signs what is paid and received where the server requires it. */
export const exchangeBody = z.object({ quote_id: id, signed: signed.optional() })
export const exchangeListQuery = page.extend({ to: exchangeTarget.optional() })
export const exchangeListData = pageOf(conversion)

/** The dividend of a day: the rights of the member and of all members at its end, the shared pool and the paid amount. */
export const dividend = z.object({
  day,
  div: amount,
  all_div: amount,
  pool_usdt: amount,
  pool_amc: amount,
  usdt: amount,
  amc: amount,
})
export const dividendsQuery = page
export const dividendsData = pageOf(dividend)

export const launchPhase = z.enum(['Upcoming', 'Open', 'Closed', 'Allocated'])

/** The part of a member in a launch: the subscribed VC, and after the allocation the units, their cost and the returned VC. */
export const launchSubscription = z.object({
  vc: amount,
  units: amount.nullable(),
  spent: amount.nullable(),
  returned: amount.nullable(),
  updated_at: time,
})

export const launch = z.object({
  launch_id: id,
  name: z.string(),
  introduction: z.string(),
  /** The offered units, and their price in VC. */
  allocation: amount,
  price: amount,
  /** The cost of the whole allocation in VC, and the VC subscribed by all members. */
  capacity: amount,
  subscribed: amount,
  starts_at: time,
  ends_at: time,
  phase: launchPhase,
  own: launchSubscription.nullable(),
})
export const launchesQuery = page
export const launchesData = pageOf(launch)
export const launchParams = z.object({ launch_id: id })
export const subscribeBody = z.object({ amount, signed: signed.optional() })

export type Conversion = z.infer<typeof conversion>
export type ConversionQuote = z.infer<typeof conversionQuote>
export type Dividend = z.infer<typeof dividend>
export type Exchange = z.infer<typeof exchangeData>
export type ExchangeTargetName = z.infer<typeof exchangeTarget>
export type Launch = z.infer<typeof launch>
