import { z } from 'zod'
import { amount, asset, day, id, page, pageOf, ppm, time } from './primitives.ts'

export const exchangeTarget = z.enum(['DIV', 'VC'])

/** What is paid, what arrives, and by what: a rate (units per RIF), or the prices of AMC and RIF in USDT. */
const conversionTerms = {
  from: asset,
  to: asset,
  pays: amount,
  receives: amount,
  rate: amount.nullable(),
  amc_price: amount.nullable(),
  rif_price: amount.nullable(),
}

/** Frozen until it ends; `valid_ms` says how long that is, whatever the clock of who reads it shows. */
export const conversionQuote = z.object({
  quote_id: id,
  ...conversionTerms,
  expires_at: time,
  valid_ms: z.number().int().min(0),
})

export const conversion = z.object({ conversion_id: id, ...conversionTerms, done_at: time })

/** What a member holds, on what terms RIF are exchanged, and what dividends really paid. */
export const exchangeData = z.object({
  rif: amount,
  /** `share_ppm`: of everything that all members hold of it. */
  div: z.object({ available: amount, share_ppm: ppm }),
  vc: z.object({ available: amount, locked: amount, share_ppm: ppm }),
  terms: z.array(
    z.object({
      to: exchangeTarget,
      /** Units for one RIF. */
      rate: amount,
      /** RIF a day; null where there is no cap. */
      day_cap: amount.nullable(),
      remaining_today: amount.nullable(),
    }),
  ),
  /** When the day of the caps ends. */
  resets_at: time,
  /** All dividends this member was paid. */
  received: z.object({ usdt: amount, amc: amount, days: z.number().int() }),
  /** What the pool paid to all members in the last 30 settled days. */
  paid_30d: z.object({ usdt: amount, amc: amount, days: z.number().int() }),
})

export const exchangeQuoteBody = z.object({ to: exchangeTarget, amount })
export const exchangeBody = z.object({ quote_id: id })
export const exchangeListQuery = page.extend({ to: exchangeTarget.optional() })
export const exchangeListData = pageOf(conversion)

/** A day's dividend: the own rights and all rights at its end, the pool that was shared, and what came of it. */
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

/** A member's part of a launch: the VC put in, and once it is allocated the position, its cost and what went back. */
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
  /** Units on offer, and VC for one of them. */
  allocation: amount,
  price: amount,
  /** VC that the whole allocation costs, and VC put in so far by all members. */
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
export const subscribeBody = z.object({ amount })

export type Conversion = z.infer<typeof conversion>
export type ConversionQuote = z.infer<typeof conversionQuote>
export type Dividend = z.infer<typeof dividend>
export type Exchange = z.infer<typeof exchangeData>
export type ExchangeTargetName = z.infer<typeof exchangeTarget>
export type Launch = z.infer<typeof launch>
