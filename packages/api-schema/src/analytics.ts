import { z } from 'zod'
import { asset, day, id, moneyAsset, ppm, time } from './primitives.ts'
import { rewardClass, rewardRangeQuery } from './rewards.ts'

/** A sum over all members: a decimal string as an amount, of any size. */
export const total = z
  .string()
  .regex(/^-?[0-9]{1,34}(\.[0-9]{1,6})?$/)
  .meta({ description: 'Decimal string, at most 6 decimals' })

/** UTC days, both included; without them the last 30, up to today. */
export const analyticsQuery = rewardRangeQuery

const count = z.number().int()
const range = { from: day, to: day }

/** How many there are and have come; `members` of a day is at its end. */
export const analyticsMembersData = z.object({
  ...range,
  members: count,
  valid: count,
  joined: count,
  became_valid: count,
  levels: z.array(z.object({ level: count, members: count })),
  days: z.array(z.object({ day, joined: count, became_valid: count, members: count, valid: count })),
})

/** What orders brought in: `base` is due after the discount, in USDT worth; usdt, amc and rif are what was received. */
const sales = {
  ordered: count,
  cancelled: count,
  paid: count,
  base: total,
  usdt: total,
  amc: total,
  rif: total,
}
export const analyticsSalesData = z.object({
  ...range,
  totals: z.object(sales),
  packages: z.array(z.object({ package_id: count, name: z.string(), ...sales })),
  days: z.array(z.object({ day, ...sales })),
})

/**
 * What was due of a class and what was paid of it: commissions, pairing, management and static rewards in USDT worth,
 * savings interest and dividends in the asset they are paid in. Of dividends what the pool holds is due, whatever that is.
 */
export const paidClass = z.enum([...rewardClass.options, 'savings', 'dividend'])
const paid = { class: paidClass, unit: moneyAsset, due: total, paid: total, coverage_ppm: ppm }
export const analyticsRewardsData = z.object({
  ...range,
  totals: z.array(z.object(paid)),
  days: z.array(z.object({ day, ...paid })),
})

/** What went through an operator account: what it held before the range, what came in and went out, what it held after. */
const turnover = { account: z.string(), asset, opening: total, in: total, out: total, closing: total }
export const analyticsPoolsData = z.object({
  ...range,
  /** `reserved`: set aside now for a settlement under way. `product`: whose custody it is. */
  accounts: z.array(z.object({ ...turnover, reserved: total, product: z.string().nullable() })),
  days: z.array(z.object({ day, ...turnover })),
})

/** What all members together have, by asset, at the end of the range, and at the end of each day of it. */
export const analyticsLiabilitiesData = z.object({
  ...range,
  assets: z.array(
    z.object({
      asset,
      available: total,
      locked: total,
      withdrawing: total,
      savings: total,
      savings_leaving: total,
      fund_income: total,
      /** All of these. */
      members: total,
      /** Fund units at their last net value; USDT only. */
      fund_units: total,
      liabilities: total,
    }),
  ),
  days: z.array(z.object({ day, asset, members: total })),
})

/**
 * What the operator holds now beside what it owes now. `chain` is what the bank contract holds at the last block that the
 * books have taken in, null when the node does not answer; `books` is what came in and did not leave again.
 */
export const analyticsHoldingsData = z.object({
  block: z.string().nullable(),
  assets: z.array(
    z.object({
      asset: moneyAsset,
      chain: total.nullable(),
      books: total,
      /** Total assets that were attested with the last net value of each fund product. */
      fund_assets: total,
      liabilities: total,
      /** chain and fund assets to liabilities; null when one of them is not known or nothing is owed. */
      ratio_ppm: z.number().int().min(0).nullable(),
    }),
  ),
})

const withdrawn = {
  requested_count: count,
  requested: total,
  paid_count: count,
  /** What left, without the fees. */
  paid: total,
  fees: total,
  returned_count: count,
  returned: total,
}
export const analyticsWithdrawalsData = z.object({
  ...range,
  assets: z.array(
    z.object({
      asset: moneyAsset,
      ...withdrawn,
      /** Requested and neither paid nor returned at the end of the range. */
      under_way: total,
    }),
  ),
  days: z.array(z.object({ day, asset: moneyAsset, ...withdrawn })),
})

const fundTurnover = {
  purchases: count,
  purchased: total,
  redemptions: count,
  /** What left custody, fees included. */
  redeemed: total,
  redemption_fees: total,
}
export const analyticsFundData = z.object({
  ...range,
  /** Of all products; the books do not tell them apart. */
  purchase_fees: total,
  products: z.array(
    z.object({
      product_id: id,
      name: z.string(),
      state: z.enum(['draft', 'open', 'closed']),
      units: count,
      nav: total.nullable(),
      nav_at: time.nullable(),
      /** Units at this net value, and the assets that were attested with it. */
      value: total,
      assets: total.nullable(),
      principal: total,
      proceeds: total,
      waiting_redemptions: count,
      ...fundTurnover,
    }),
  ),
  days: z.array(z.object({ day, product_id: id, ...fundTurnover })),
})

/**
 * How many took each step for the first time: `visited` are wallets that were no member and asked to sign in, once a day
 * each; the other steps count a member once for ever.
 */
const steps = { visited: count, joined: count, ordered: count, paid: count }
export const analyticsFunnelData = z.object({
  ...range,
  totals: z.object(steps),
  days: z.array(z.object({ day, ...steps })),
})

/** What waits for an admin, and what stands still. Each is worked off on the page that its name leads to. */
export const pendingKind = z.enum([
  'proposal',
  'paused',
  'withdrawal_audit',
  'attestation',
  'grant',
  'exchange_terms',
  'launch',
  'fund_product',
  'nav',
  'redemption_review',
  'redemption_cash',
  'suspense',
  'unmatched_claim',
  'settlement_late',
  'settlement_uncovered',
  'nav_stale',
  'indexer',
])
export const adminPendingData = z.object({
  /** Worst and oldest first; empty when all is well. */
  items: z.array(
    z.object({
      kind: pendingKind,
      /** `alarm`: money or members are affected now. `waiting`: somebody's turn. */
      severity: z.enum(['alarm', 'waiting']),
      count,
      oldest_at: time.nullable(),
      /** What the item is about, where it is one thing: a day, a product's name. */
      subject: z.string().nullable(),
    }),
  ),
  settled_to: day.nullable(),
  indexer_lag_blocks: count.nullable(),
})

export type AnalyticsFund = z.infer<typeof analyticsFundData>
export type AnalyticsFunnel = z.infer<typeof analyticsFunnelData>
export type AnalyticsHoldings = z.infer<typeof analyticsHoldingsData>
export type AnalyticsLiabilities = z.infer<typeof analyticsLiabilitiesData>
export type AnalyticsMembers = z.infer<typeof analyticsMembersData>
export type AnalyticsPools = z.infer<typeof analyticsPoolsData>
export type AnalyticsRewards = z.infer<typeof analyticsRewardsData>
export type AnalyticsSales = z.infer<typeof analyticsSalesData>
export type AnalyticsWithdrawals = z.infer<typeof analyticsWithdrawalsData>
export type AdminPending = z.infer<typeof adminPendingData>
export type PaidClass = z.infer<typeof paidClass>
export type PendingKind = z.infer<typeof pendingKind>
