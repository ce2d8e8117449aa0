import { z } from 'zod'
import { asset, day, id, moneyAsset, ppm, time } from './primitives.ts'
import { rewardClass, rewardRangeQuery } from './rewards.ts'

/** A sum over all members: a decimal string like an amount, of any size. */
export const total = z
  .string()
  .regex(/^-?[0-9]{1,34}(\.[0-9]{1,6})?$/)
  .meta({ description: 'Decimal string, at most 6 decimals' })

/** UTC days, both included; without them the last 30, up to today. */
export const analyticsQuery = rewardRangeQuery

const count = z.number().int()
const range = { from: day, to: day }

/** The number of members and of new members; `members` of a day is counted at its end. */
export const analyticsMembersData = z.object({
  ...range,
  members: count,
  valid: count,
  joined: count,
  became_valid: count,
  levels: z.array(z.object({ level: count, members: count })),
  days: z.array(z.object({ day, joined: count, became_valid: count, members: count, valid: count })),
})

/** The proceeds of orders: `base` is the due amount after the discount in USDT worth; usdt, amc and rif were received. */
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
 * The due and the paid amounts of a class: commissions, pairing, management and static rewards in USDT worth, savings interest
 * and dividends in their own asset. For dividends, the whole balance of the pool is due.
 */
export const paidClass = z.enum([...rewardClass.options, 'savings', 'dividend'])
const paid = { class: paidClass, unit: moneyAsset, due: total, paid: total, coverage_ppm: ppm }
export const analyticsRewardsData = z.object({
  ...range,
  totals: z.array(z.object(paid)),
  days: z.array(z.object({ day, ...paid })),
})

/** The movements of an operator account: balance before the range, incoming, outgoing, and balance after it. */
const turnover = { account: z.string(), asset, opening: total, in: total, out: total, closing: total }
export const analyticsPoolsData = z.object({
  ...range,
  /** `reserved` is set aside for a running settlement. `product` is the product of a custody account. */
  accounts: z.array(z.object({ ...turnover, reserved: total, product: z.string().nullable() })),
  days: z.array(z.object({ day, ...turnover })),
})

/** The balances of all members together by asset, at the end of the range and of each of its days. */
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
      /** The sum of all accounts. */
      members: total,
      /** Fund units at their last net value; USDT only. */
      fund_units: total,
      liabilities: total,
    }),
  ),
  days: z.array(z.object({ day, asset, members: total })),
})

/**
 * The current holdings of the operator next to its liabilities. `chain` is the balance of the bank contract at the last block in
 * the books, null when the node does not respond; `books` is the difference of incoming and outgoing amounts.
 */
export const analyticsHoldingsData = z.object({
  block: z.string().nullable(),
  assets: z.array(
    z.object({
      asset: moneyAsset,
      chain: total.nullable(),
      books: total,
      /** The value of the investments of all fund products, which are held outside the bank. */
      fund_assets: total,
      /** The bank's debts: the accounts of members, the pools, `suspense` and the cash of fund products. */
      liabilities: total,
      /** `chain` divided by the liabilities; null when one of them is unknown or the liabilities are 0. */
      ratio_ppm: z.number().int().min(0).nullable(),
    }),
  ),
})

const withdrawn = {
  requested_count: count,
  requested: total,
  paid_count: count,
  /** The amount paid out, without the fees. */
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
  /** The amount that left custody, including fees. */
  redeemed: total,
  redemption_fees: total,
}
export const analyticsFundData = z.object({
  ...range,
  /** For all products together; the books do not distinguish them. */
  purchase_fees: total,
  products: z.array(
    z.object({
      product_id: id,
      name: z.string(),
      state: z.enum(['draft', 'open', 'closed']),
      units: count,
      nav: total,
      nav_at: time.nullable(),
      /** The units at this net value, and the cash and investments behind them. */
      value: total,
      cash: total,
      invested: total,
      waiting_redemptions: count,
      ...fundTurnover,
    }),
  ),
  days: z.array(z.object({ day, product_id: id, ...fundTurnover })),
})

/**
 * The number of wallets that took each step for the first time. `visited` counts wallets of non-members that requested a sign-in,
 * once a day each; the other steps count each member once.
 */
const steps = { visited: count, joined: count, ordered: count, paid: count }
export const analyticsFunnelData = z.object({
  ...range,
  totals: z.object(steps),
  days: z.array(z.object({ day, ...steps })),
})

/** The tasks of admins and the stopped processes. The name of each item determines the page that handles it. */
export const pendingKind = z.enum([
  'proposal',
  'paused',
  'withdrawal_audit',
  'attestation',
  'grant',
  'exchange_terms',
  'launch',
  'fund_product',
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
  /** The most severe and oldest first; empty without any. */
  items: z.array(
    z.object({
      kind: pendingKind,
      /** `alarm`: affects money or members now. `waiting`: waits for an admin. */
      severity: z.enum(['alarm', 'waiting']),
      count,
      oldest_at: time.nullable(),
      /** The subject of the item if there is only one: a day, or the name of a product. */
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
