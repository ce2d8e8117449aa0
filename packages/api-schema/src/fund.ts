import { z } from 'zod'
import { address, amount, day, hash, id, page, pageOf, ppm, time } from './primitives.ts'
import { approvalData, paymentData } from './shop.ts'

/** Order statuses of the specification, section 4. `Processing`: a payment is reported; `Subscription`: the chain shows it, not final yet. */
export const fundOrderStatus = z.enum([
  'UnPaid',
  'Processing',
  'Subscription',
  'Paid',
  'Redemption',
  'Redeemed',
  'Cancelled',
])
export const redemptionStatus = z.enum(['Pending', 'Approved', 'Completed', 'Rejected', 'Cancelled'])
/** `available`: from the account balance, at once. `wallet`: on chain, through the bank contract. */
export const fundPaymentMethod = z.enum(['available', 'wallet'])
export const month = z.string().regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/)
/** Whole units of a product: a decimal string, because they may pass 2^53. */
export const units = z.string().regex(/^(0|[1-9][0-9]{0,17})$/)
const count = z.number().int()

/** A file inside the envelope, because a link could not carry the session's headers. */
export const fileData = z.object({
  filename: z.string(),
  media_type: z.string(),
  /** SHA-256 of the bytes. */
  hash,
  base64: z.string(),
})

export const fundProduct = z.object({
  product_id: id,
  name: z.string(),
  /** In the language of Accept-Language. */
  introduction: z.string(),
  state: z.enum(['open', 'closed']),
  risk_level: z.number().int().min(1).max(5),
  /** Information of the operator, never a promise; to be shown beside `return_year_ppm`. */
  estimated_annual_return_ppm: ppm,
  /** What the NAV really did over the last 365 days (less in a younger product, see `return_since`); null with one NAV only. */
  return_year_ppm: z.number().int().nullable(),
  return_since: time.nullable(),
  /** USDT per unit, the last one published; null before the first. */
  nav: amount.nullable(),
  nav_published_at: time.nullable(),
  /** Over 3 days old: neither bought nor redeemed until the next one. */
  nav_stale: z.boolean(),
  minimum_usd: amount,
  /** The fewest whole units that reach the minimum at this NAV. */
  minimum_units: units.nullable(),
  lock_days: count,
  /** 1 Monday to 7 Sunday, UTC. */
  redeemable_weekdays: z.array(z.number().int().min(1).max(7)),
  /** Today when today is one. */
  next_redeemable_day: day,
  subscription_fee_ppm: ppm,
  redemption_fee_ppm: ppm,
  /** A share of the profit, taken when redeemed. */
  management_fee_ppm: ppm,
})

export const fundNav = z.object({ nav: amount, published_at: time })
export const fundDocument = z.object({
  document_id: id,
  title: z.string(),
  media_type: z.string(),
  hash,
  bytes: count,
})

export const fundProductsData = z.object({ items: z.array(fundProduct) })
export const fundProductParams = z.object({ product_id: id })
export const fundDocumentParams = z.object({ product_id: id, document_id: id })
export const fundProductDetail = fundProduct.extend({
  documents: z.array(fundDocument),
  /** Attested total assets told with the last NAV, and what the units outstanding are worth at it. */
  attested_assets: amount.nullable(),
  outstanding_value: amount.nullable(),
  /** Redemptions approved and waiting for their day or for cash. */
  queue_length: count,
})
/** Days of history; the last one published of each UTC day. */
export const fundNavsQuery = z.object({ days: z.coerce.number().int().min(1).max(3_660).default(366) })
export const fundNavsData = z.object({ items: z.array(fundNav) })

/** What buying costs now, by the same rules; nothing is held. */
export const fundQuoteQuery = z.object({ product_id: id, units })
export const fundQuoteData = z.object({
  product_id: id,
  units,
  nav: amount,
  value: amount,
  fee_ppm: ppm,
  fee: amount,
  total: amount,
  available: amount,
  minimum_usd: amount,
  /** If it were bought now. */
  lock_until: time,
})

export const fundBuyBody = z.object({
  product_id: id,
  units,
  pay_with: fundPaymentMethod,
  /** The NAV the member saw: another one by now is refused as NAV_CHANGED. */
  nav: amount.optional(),
})

/** A purchase, which is also the lot that its units are redeemed from. */
export const fundOrder = z.object({
  order_id: id,
  /** The id in the bank contract's events. */
  chain_order_id: z.string(),
  product_id: id,
  product_name: z.string(),
  status: fundOrderStatus,
  payment_method: fundPaymentMethod,
  payer: address,
  units,
  /** Units still held; among them those being redeemed. */
  units_left: units,
  units_redeeming: units,
  /** Unit net value at purchase, and now. */
  nav: amount,
  current_nav: amount.nullable(),
  /** units x nav. */
  value: amount,
  fee_ppm: ppm,
  fee: amount,
  /** value + fee: the pay amount in USDT. */
  total: amount,
  /** What arrived; 0 before the payment is final. */
  amount_received: amount,
  /** Of the units still held, at the current NAV, and what that is above (or below) what they cost. */
  market_value: amount,
  profit: amount,
  lock_days: count,
  lock_until: time,
  created_at: time,
  /** Until when it can be paid on chain. */
  expires_at: time.nullable(),
  tx_hash: hash.nullable(),
  confirmations: count,
  confirmations_needed: count,
  paid_at: time.nullable(),
  collected_at: time.nullable(),
  cancelled_at: time.nullable(),
  cancel_reason: z.enum(['member', 'expired']).nullable(),
  /** A payment that arrived for a closed order: it stands in `suspense` until an operator returns it. */
  unmatched_tx_hash: hash.nullable(),
})

export const fundOrderParams = z.object({ order_id: id })
/** Purchased: Paid and Redemption. Redeemed: Redeemed. Pending: UnPaid, Processing, Subscription. Absent: all. */
export const fundOrdersQuery = page.extend({ tab: z.enum(['Purchased', 'Redeemed', 'Pending']).optional() })
export const fundOrdersData = pageOf(fundOrder)
export const fundPayBody = z.object({ order_id: id, tx_hash: hash })
export const fundCancelBody = z.object({ order_id: id })
export const fundApprovalData = approvalData
export const fundPaymentData = paymentData

/** All of a product's units of one member. */
export const fundHolding = z.object({
  product_id: id,
  product_name: z.string(),
  units,
  units_redeeming: units,
  /** Free, past their lock period; whether today is a redeemable day is told by `next_redeemable_day`. */
  units_redeemable: units,
  nav: amount.nullable(),
  nav_published_at: time.nullable(),
  nav_stale: z.boolean(),
  cost: amount,
  market_value: amount,
  profit: amount,
  next_redeemable_day: day,
  /** When the next locked units become free; null when none is locked. */
  next_unlock_at: time.nullable(),
})
export const fundHoldingsData = z.object({
  items: z.array(fundHolding),
  cost: amount,
  market_value: amount,
  profit: amount,
  /** Net received from redemptions so far. */
  redeemed: amount,
})

/** A part of a redemption: units of one lot. */
export const redemptionLot = z.object({ order_id: id, units, nav: amount, cost: amount })

/** What redeeming would bring at the current NAV. Value and fees are those of the day of approval. */
export const redemptionPreviewQuery = z.object({ product_id: id, units })
export const redemptionPreviewData = z.object({
  product_id: id,
  units,
  units_redeemable: units,
  nav: amount,
  value: amount,
  cost: amount,
  /** value - cost, before fees. */
  profit: amount,
  redemption_fee_ppm: ppm,
  redemption_fee: amount,
  management_fee_ppm: ppm,
  management_fee: amount,
  net: amount,
  /** 72 hours after an approval at this moment; later while custody lacks cash. */
  arrival_at: time,
  next_redeemable_day: day,
  lots: z.array(redemptionLot),
})

export const redeemBody = z.object({ product_id: id, units })

export const fundRedemption = z.object({
  redemption_id: id,
  product_id: id,
  product_name: z.string(),
  status: redemptionStatus,
  units,
  cost: amount,
  /** Unit net value: at approval, before that the current one (an estimate, like all figures below). */
  nav: amount,
  is_estimate: z.boolean(),
  /** The redeemed amount, before fees. */
  value: amount,
  /** value - cost. */
  profit: amount,
  redemption_fee: amount,
  management_fee: amount,
  /** Net redemption value: what arrives in `available`. */
  net: amount,
  submitted_at: time,
  /** When it was approved or rejected. */
  audited_at: time.nullable(),
  reject_reason: z.string().nullable(),
  /** 72 hours after approval; null before. */
  arrival_at: time.nullable(),
  /** Its day has come, and the product's custody lacks cash for it or for one before it. */
  waits_for_cash: z.boolean(),
  /** 1 is paid next; null unless Approved. */
  queue_place: count.nullable(),
  completed_at: time.nullable(),
  cancelled_at: time.nullable(),
  lots: z.array(redemptionLot),
})
export const redemptionParams = z.object({ redemption_id: id })
export const cancelRedemptionBody = z.object({ redemption_id: id })
/** Pending: Pending and Approved. Redeemed: Completed. Closed: Rejected and Cancelled. Absent: all. */
export const redemptionsQuery = page.extend({
  tab: z.enum(['Pending', 'Redeemed', 'Closed']).optional(),
  product_id: id.optional(),
})
export const redemptionsData = pageOf(fundRedemption)

/** An order with everything that was redeemed from it, newest first. */
export const fundOrderDetail = fundOrder.extend({
  redemptions: z.array(z.object({ redemption_id: id, status: redemptionStatus, units, submitted_at: time })),
})

/** Purchases and redemptions in one list, newest first. */
export const fundRecordsQuery = page.extend({ product_id: id.optional() })
export const fundRecord = z.object({
  kind: z.enum(['purchase', 'redemption']),
  /** Of the order or the redemption. */
  id,
  product_id: id,
  product_name: z.string(),
  status: z.union([fundOrderStatus, redemptionStatus]),
  units,
  /** Purchase: value. Redemption: value at approval, null before. */
  value: amount.nullable(),
  at: time,
})
export const fundRecordsData = pageOf(fundRecord)

/** The fund's transactions in the member's books, newest first. */
export const fundTransaction = z.object({
  /** Its number in the member's books. */
  transaction_id: id,
  kind: z.enum(['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer']),
  /** From the member's side, fees included: below 0 what was paid. */
  amount,
  /** Among it: added to what was paid, taken off what arrived. */
  fee: amount,
  /** The order or redemption it belongs to; null for income and its transfers. */
  cause_id: id.nullable(),
  at: time,
})
export const fundTransactionsQuery = page
export const fundTransactionsData = pageOf(fundTransaction)

/** A month's figures: of one product, or of all together. */
const billFigures = {
  opening_value: amount,
  purchased_value: amount,
  subscription_fees: amount,
  redeemed_value: amount,
  redemption_fees: amount,
  management_fees: amount,
  closing_value: amount,
  /** closing + redeemed - opening - purchased - all fees. */
  profit: amount,
}
export const fundBillLine = z.object({
  product_id: id,
  product_name: z.string(),
  opening_units: units,
  opening_nav: amount.nullable(),
  purchased_units: units,
  redeemed_units: units,
  closing_units: units,
  closing_nav: amount.nullable(),
  ...billFigures,
})
export const fundBillSummary = z.object({
  month,
  made_at: time,
  ...billFigures,
  /** Fund income of the agent line received in the month, and moved to `available`. */
  income: amount,
  income_moved: amount,
})
export const fundBill = fundBillSummary.extend({
  lines: z.array(fundBillLine),
  /** Of the stored figures: PDF and CSV name it. */
  hash,
})
export const fundBillParams = z.object({ month })
export const fundBillsQuery = page
export const fundBillsData = pageOf(fundBillSummary)

/** The agent line's share of the management fees (rules, section 8), in USDT. */
export const fundIncomeData = z.object({
  /** In `fund_income`, to be moved to `available`. */
  balance: amount,
  total: amount,
  this_month: amount,
  last_month: amount,
  moved: amount,
  /** Of a management fee. */
  share_ppm: ppm,
})
export const fundIncomeItem = z.object({
  income_id: id,
  source_address: address,
  product_id: id,
  product_name: z.string(),
  management_fee: amount,
  amount,
  at: time,
})
export const fundIncomeListQuery = page
export const fundIncomeListData = pageOf(fundIncomeItem)
export const fundIncomeWithdrawBody = z.object({ amount })

export type FundProduct = z.infer<typeof fundProduct>
export type FundProductDetail = z.infer<typeof fundProductDetail>
export type FundNav = z.infer<typeof fundNav>
export type FundQuote = z.infer<typeof fundQuoteData>
export type FundOrder = z.infer<typeof fundOrder>
export type FundOrderDetail = z.infer<typeof fundOrderDetail>
export type FundOrderStatus = z.infer<typeof fundOrderStatus>
export type FundHolding = z.infer<typeof fundHolding>
export type FundHoldings = z.infer<typeof fundHoldingsData>
export type RedemptionPreview = z.infer<typeof redemptionPreviewData>
export type FundRedemption = z.infer<typeof fundRedemption>
export type RedemptionStatus = z.infer<typeof redemptionStatus>
export type FundRecord = z.infer<typeof fundRecord>
export type FundTransaction = z.infer<typeof fundTransaction>
export type FundBillLine = z.infer<typeof fundBillLine>
export type FundBillSummary = z.infer<typeof fundBillSummary>
export type FundBill = z.infer<typeof fundBill>
export type FundIncome = z.infer<typeof fundIncomeData>
export type FundIncomeItem = z.infer<typeof fundIncomeItem>
export type FileData = z.infer<typeof fileData>
