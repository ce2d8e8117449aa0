import { z } from 'zod'
import { fundBooks } from './fund-assets.ts'
import { signed } from './leaving.ts'
import { address, amount, day, hash, id, page, pageOf, ppm, time } from './primitives.ts'
import { approvalData, paymentData } from './shop.ts'

/** Order statuses of the specification, section 4. `Processing`: a payment is reported; `Subscription`: the chain shows it, but it is not final. */
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
/** `available`: from the account balance, immediately. `wallet`: on chain, through the bank contract. */
export const fundPaymentMethod = z.enum(['available', 'wallet'])
export const month = z.string().regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/)
/** An integer number of units: a decimal string, because it can exceed 2^53. */
export const units = z.string().regex(/^(0|[1-9][0-9]{0,17})$/)
const count = z.number().int()

/** A file inside the envelope, because a link cannot send the headers of the session. */
export const fileData = z.object({
  filename: z.string(),
  media_type: z.string(),
  /** SHA-256 of the content. */
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
  /** Information of the operator, never a promise. Screens show it next to `return_year_ppm`. */
  estimated_annual_return_ppm: ppm,
  /** The change of the NAV over the last 365 days, or since `return_since` in a newer product; null with a single NAV. */
  return_year_ppm: z.number().int().nullable(),
  return_since: time.nullable(),
  /** The NAV in USDT per unit, computed from the product's cash and investments. */
  nav: amount,
  nav_published_at: time,
  /** True when the last valuation is over 3 days old or one waits for a decision: no purchases, approvals and payments. */
  nav_stale: z.boolean(),
  minimum_usd: amount,
  /** The smallest number of units that reaches the minimum at this NAV. */
  minimum_units: units.nullable(),
  lock_days: count,
  /** 1 Monday to 7 Sunday, UTC. */
  redeemable_weekdays: z.array(z.number().int().min(1).max(7)),
  /** Today if it is redeemable. */
  next_redeemable_day: day,
  subscription_fee_ppm: ppm,
  redemption_fee_ppm: ppm,
  /** A share of the profit, deducted from redemptions. */
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
  /** The worth of the outstanding units at the NAV. */
  outstanding_value: amount,
  books: fundBooks,
  /** The approved redemptions that wait for their weekday or for cash. */
  queue_length: count,
})
/** The history in days, with the last NAV of each UTC day. */
export const fundNavsQuery = z.object({ days: z.coerce.number().int().min(1).max(3_660).default(366) })
export const fundNavsData = z.object({ items: z.array(fundNav) })

/** The current price of a purchase. Nothing is reserved. */
/** By default for a payment on chain, whose price is the NAV rounded up to a multiple of 0.0001. */
export const fundQuoteQuery = z.object({ product_id: id, units, pay_with: fundPaymentMethod.optional() })
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
  /** For a purchase now. */
  lock_until: time,
})

export const fundBuyBody = z.object({
  product_id: id,
  units,
  pay_with: fundPaymentMethod,
  /** The price that the member saw; if it has changed, the purchase is refused with NAV_CHANGED. */
  nav: amount.optional(),
  /** The wallet signs units, total and fee of a purchase from the balance where the server requires it. */
  signed: signed.extend({ total: amount, fee: amount }).optional(),
})

/** A purchase, which is also the lot of its units. */
export const fundOrder = z.object({
  order_id: id,
  /** The id in the events of the bank contract. */
  chain_order_id: z.string(),
  product_id: id,
  product_name: z.string(),
  status: fundOrderStatus,
  payment_method: fundPaymentMethod,
  payer: address,
  /** The bank contract that the purchase is paid to; null when it is paid from the balance. */
  bank: address.nullable(),
  units,
  /** The held units, including those being redeemed. */
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
  /** The received amount; 0 before the payment is final. */
  amount_received: amount,
  /** The worth of the held units at the current NAV, and its difference to their cost. */
  market_value: amount,
  profit: amount,
  lock_days: count,
  lock_until: time,
  created_at: time,
  /** The end of the time for a payment on chain. */
  expires_at: time.nullable(),
  tx_hash: hash.nullable(),
  confirmations: count,
  confirmations_needed: count,
  /** The median time of the last days from a payment's block to its booking; null while nothing was measured. */
  usual_seconds: count.nullable(),
  paid_at: time.nullable(),
  collected_at: time.nullable(),
  cancelled_at: time.nullable(),
  /** `price`: paid on chain when the quoted price no longer held or buying was stopped; the payment is refunded. */
  cancel_reason: z.enum(['member', 'expired', 'price']).nullable(),
  /** A payment for a closed order, which stays in `suspense` until an operator releases it. */
  unmatched_tx_hash: hash.nullable(),
})

export const fundOrderParams = z.object({ order_id: id })
/** Purchased: Paid and Redemption. Redeemed: Redeemed. Pending: UnPaid, Processing, Subscription. Without a tab: all. */
export const fundOrdersQuery = page.extend({ tab: z.enum(['Purchased', 'Redeemed', 'Pending']).optional() })
export const fundOrdersData = pageOf(fundOrder)
export const fundPayBody = z.object({ order_id: id, tx_hash: hash })
export const fundCancelBody = z.object({ order_id: id })
export const fundApprovalData = approvalData
export const fundPaymentData = paymentData

/** All units of a member in one product. */
export const fundHolding = z.object({
  product_id: id,
  product_name: z.string(),
  units,
  units_redeeming: units,
  /** Free units past their lock period, regardless of the weekday (see `next_redeemable_day`). */
  units_redeemable: units,
  nav: amount.nullable(),
  nav_published_at: time.nullable(),
  nav_stale: z.boolean(),
  cost: amount,
  market_value: amount,
  profit: amount,
  next_redeemable_day: day,
  /** The time when the next locked units become free; null when none is locked. */
  next_unlock_at: time.nullable(),
})
export const fundHoldingsData = z.object({
  items: z.array(fundHolding),
  cost: amount,
  market_value: amount,
  profit: amount,
  /** The net amount received from redemptions. */
  redeemed: amount,
})

/** A part of a redemption: units of one lot. */
export const redemptionLot = z.object({ order_id: id, units, nav: amount, cost: amount })

/** The result of a redemption at the current NAV: an estimate. The value and the fees are those at the payment. */
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
  /** 72 hours after an approval now; later while custody lacks cash. */
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
  /** The NAV at the payment; before it, the current one, which makes the amounts below estimates. */
  nav: amount,
  is_estimate: z.boolean(),
  /** The redeemed amount, before fees. */
  value: amount,
  /** value - cost. */
  profit: amount,
  redemption_fee: amount,
  management_fee: amount,
  /** The net amount paid to `available`. */
  net: amount,
  submitted_at: time,
  /** The time of its approval or rejection. */
  audited_at: time.nullable(),
  reject_reason: z.string().nullable(),
  /** 72 hours after approval; null before. */
  arrival_at: time.nullable(),
  /**
   * The reason why an approved redemption waits: its weekday, a valuation, a NAV of 0, or missing cash for it
   * and for those before it. Null unless Approved.
   */
  waits_for: z.enum(['time', 'valuation', 'worth', 'cash']).nullable(),
  /** 1 for the next payment; null unless Approved. */
  queue_place: count.nullable(),
  completed_at: time.nullable(),
  cancelled_at: time.nullable(),
  lots: z.array(redemptionLot),
})
export const redemptionParams = z.object({ redemption_id: id })
export const cancelRedemptionBody = z.object({ redemption_id: id })
/** Pending: Pending and Approved. Redeemed: Completed. Closed: Rejected and Cancelled. Without a tab: all. */
export const redemptionsQuery = page.extend({
  tab: z.enum(['Pending', 'Redeemed', 'Closed']).optional(),
  product_id: id.optional(),
})
export const redemptionsData = pageOf(fundRedemption)

/** An order with its redemptions, newest first. */
export const fundOrderDetail = fundOrder.extend({
  redemptions: z.array(z.object({ redemption_id: id, status: redemptionStatus, units, submitted_at: time })),
})

/** Purchases and redemptions in one list, newest first. */
export const fundRecordsQuery = page.extend({ product_id: id.optional() })
export const fundRecord = z.object({
  kind: z.enum(['purchase', 'redemption']),
  /** The id of the order or the redemption. */
  id,
  product_id: id,
  product_name: z.string(),
  status: z.union([fundOrderStatus, redemptionStatus]),
  units,
  /** Purchase: value. Redemption: value at the payment, null before. */
  value: amount.nullable(),
  at: time,
})
export const fundRecordsData = pageOf(fundRecord)

/** The fund transactions in the books of the member, newest first. */
export const fundTransaction = z.object({
  /** Its number in the books of the member. */
  transaction_id: id,
  kind: z.enum(['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer']),
  /** Including fees; negative for payments of the member. */
  amount,
  /** The fee included in the amount. */
  fee: amount,
  /** Its order or redemption; null for income and its transfers. */
  cause_id: id.nullable(),
  /** Of an income, the product whose redemption paid it; null for its transfers, which are of all products together. */
  product_name: z.string().nullable(),
  at: time,
})
export const fundTransactionsQuery = page
export const fundTransactionsData = pageOf(fundTransaction)

/** The amounts of a month, for one product or all together. */
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
  /** The hash of the stored amounts, which the PDF and the CSV contain. */
  hash,
})
export const fundBillParams = z.object({ month })
export const fundBillsQuery = page
export const fundBillsData = pageOf(fundBillSummary)

/** The share of the agent line in the management fees, in USDT. Rules, section 8. */
export const fundIncomeData = z.object({
  /** The balance of `fund_income`, which can be moved to `available`. */
  balance: amount,
  total: amount,
  this_month: amount,
  last_month: amount,
  moved: amount,
  /** The share of a management fee. */
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
