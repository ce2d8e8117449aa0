import { z } from 'zod'
import { amount, asset, day, flag, id, page, pageOf, side, time } from './primitives.ts'

/** The kinds of transaction that a member's books hold, as the ledger names them; a screen has words for each. */
export const ACTIVITY_KINDS = [
  ...(['order_payment', 'unmatched_payment', 'suspense_release', 'order_discount_spend'] as const),
  ...(['commission', 'pairing', 'management', 'static', 'release'] as const),
  ...(['withdrawal_request', 'withdrawal_return', 'withdrawal_paid'] as const),
  ...(['grant', 'hash_power_purchase', 'exchange', 'dividend', 'vc_subscription', 'vc_allocation'] as const),
  ...(['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer'] as const),
  ...(['savings_in', 'savings_out', 'savings_arrival', 'savings_interest'] as const),
  'transfer',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** One transaction of the member's own books, as the member may want to read it. */
export const activity = z.object({
  /** The number of the transaction in the member's books. */
  activity_id: id,
  /** The kind of transaction, as the ledger names it; a kind that a screen does not know is shown by its amounts. */
  kind: z.string(),
  at: time,
  /** The accounting day it belongs to. */
  day,
  /** What it was posted for, such as an order or a withdrawal. */
  cause: z.object({ type: z.string(), id: z.string() }),
  /** The package of an order; null for anything else. */
  title: z.string().nullable(),
  /** The reward's record, where the transaction paid exactly one. */
  reward_id: id.nullable(),
  /** Where the amounts were paid or arrived: in the account here, or in the wallet. */
  place: z.enum(['account', 'wallet']),
  /** Signed: what came in is positive. */
  amounts: z.array(z.object({ asset, amount })),
})
/** `news` leaves out what the member did, and keeps what happened. */
export const activityQuery = page.extend({ news: flag.optional() })
export const activityData = pageOf(activity)

/** What happened since the last visit of the notifications. */
export const notificationsData = z.object({
  /** How many, at most `unseen_limit`: there may be more. */
  unseen: z.number().int(),
  unseen_limit: z.number().int(),
  /** Activities up to this one have been seen; "0" before the first visit. */
  seen_up_to: z.string().regex(/^[0-9]{1,18}$/),
  seen_at: time.nullable(),
})
export const seenBody = z.object({ activity_id: id })

/** What a member had at the end of each of the last days, all accounts together; the last one is today, as it is now. */
export const balanceDaysQuery = z.object({ days: z.coerce.number().int().min(2).max(366).default(30) })
export const balanceDay = z.object({
  day,
  usdt: amount,
  amc: amount,
  /** The last price of the day; null when none was ever published. */
  amc_price: amount.nullable(),
  /** What units of the fund were worth at the last net values of the day, in USDT. */
  fund: amount,
  /** USDT, AMC and units of the fund together, in USDT; without a price of AMC the others alone. */
  worth: amount,
})
export const balanceDaysData = z.object({ items: z.array(balanceDay) })

/** What was bought in a member's team in each of the last months, by side, in USDT. */
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
