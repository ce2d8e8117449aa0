import { z } from 'zod'
import { amount, asset, day, flag, id, page, pageOf, side, time } from './primitives.ts'

/** The kinds of transactions in the books of a member, as the ledger names them. The screens have a text for each. */
export const ACTIVITY_KINDS = [
  ...(['order_payment', 'unmatched_payment', 'suspense_release', 'order_discount_spend'] as const),
  ...(['commission', 'pairing', 'management', 'static', 'release'] as const),
  ...(['withdrawal_request', 'withdrawal_return', 'withdrawal_paid', 'claim_set_aside'] as const),
  ...(['grant', 'hash_power_purchase', 'exchange', 'dividend', 'vc_subscription', 'vc_allocation'] as const),
  ...(['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer'] as const),
  ...(['savings_in', 'savings_out', 'savings_arrival', 'savings_interest'] as const),
  ...(['transfer', 'transfer_hold', 'transfer_release'] as const),
  ...(['reversal_advance', 'debt_repayment'] as const),
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** A transaction of the member's own books. */
export const activity = z.object({
  /** The number of the transaction in the books of the member. */
  activity_id: id,
  /** The kind, as the ledger names it. Screens show unknown kinds by their amounts. */
  kind: z.string(),
  at: time,
  /** The accounting day it belongs to. */
  day,
  /** The cause, such as an order or a withdrawal. */
  cause: z.object({ type: z.string(), id: z.string() }),
  /** The package of an order; null for anything else. */
  title: z.string().nullable(),
  /** The reward, if the transaction paid exactly one. */
  reward_id: id.nullable(),
  /** The place of the payment: the account of the product or the wallet. */
  place: z.enum(['account', 'wallet']),
  /** Positive for incoming amounts. */
  amounts: z.array(z.object({ asset, amount })),
})
/** `news` omits the actions of the member. */
export const activityQuery = page.extend({ news: flag.optional() })
export const activityData = pageOf(activity)

/** The activities since the last visit of the notifications. */
export const notificationsData = z.object({
  /** The number of unseen activities, at most `unseen_limit`. */
  unseen: z.number().int(),
  unseen_limit: z.number().int(),
  /** Activities up to this one have been seen; "0" before the first visit. */
  seen_up_to: z.string().regex(/^[0-9]{1,18}$/),
  seen_at: time.nullable(),
})
export const seenBody = z.object({ activity_id: id })

/** The balances of a member over all accounts at the end of each of the last days, and now for today. */
export const balanceDaysQuery = z.object({ days: z.coerce.number().int().min(2).max(366).default(30) })
export const balanceDay = z.object({
  day,
  usdt: amount,
  amc: amount,
  /** The last price of the day; null when none was ever published. */
  amc_price: amount.nullable(),
  /** The worth of the fund units at the last net values of the day, in USDT. */
  fund: amount,
  /** The sum of USDT, AMC and fund units in USDT, without AMC when it has no price. */
  worth: amount,
})
export const balanceDaysData = z.object({ items: z.array(balanceDay) })

/** The purchases in the team of a member in each of the last months, by side, in USDT. */
export const volumesQuery = z.object({ months: z.coerce.number().int().min(1).max(24).default(12) })
export const volumesData = z.object({
  items: z.array(
    z.object({
      /** A UTC month, "2026-01". */
      month: z.string().regex(/^[0-9]{4}-[0-9]{2}$/),
      volumes: z.record(side, amount),
    }),
  ),
})

export type Activity = z.infer<typeof activity>
export type BalanceDay = z.infer<typeof balanceDay>
export type Notifications = z.infer<typeof notificationsData>
