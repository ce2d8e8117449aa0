import { z } from 'zod'
import { currentAnnouncement } from './announcements.ts'
import { chainAmount, walletAsset } from './local-wallet.ts'
import {
  address,
  amount,
  asset,
  day,
  flag,
  hash,
  id,
  page,
  pageOf,
  ppm,
  shownText,
  side,
  time,
  typedText,
} from './primitives.ts'
import { rewardType } from './rewards.ts'
import { orderQuote } from './shop.ts'

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

/** The filters of the feed and the kinds of transactions in each. */
export const ACTIVITY_GROUPS = {
  rewards: ['commission', 'pairing', 'management', 'static', 'release'],
  orders: ['order_payment', 'unmatched_payment', 'suspense_release', 'order_discount_spend'],
  withdrawals: ['withdrawal_request', 'withdrawal_return', 'withdrawal_paid', 'claim_set_aside'],
  fund: ['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer'],
  savings: ['savings_in', 'savings_out', 'savings_arrival', 'savings_interest'],
  transfers: ['transfer', 'transfer_hold', 'transfer_release'],
  exchange: ['grant', 'hash_power_purchase', 'exchange', 'dividend', 'vc_subscription', 'vc_allocation'],
} as const satisfies Record<string, readonly ActivityKind[]>
export type ActivityGroup = keyof typeof ACTIVITY_GROUPS
export const activityGroup = z.enum(Object.keys(ACTIVITY_GROUPS) as [ActivityGroup, ...ActivityGroup[]])

/** The source or the destination of a transaction, as far as it can be named. */
export const activitySource = z.object({
  /** The member whose order paid, the other member of a transfer, or the wallet that a withdrawal goes to. */
  address: address.nullable(),
  /** The member's own name for that member. */
  label: z.string().nullable(),
  /** The package of that order, or the product of the fund. */
  name: z.string().nullable(),
  /** The number of rewards that the transaction paid; 0 for anything else. */
  rewards: z.number().int(),
  /** Base and rate of the only reward. */
  base: amount.nullable(),
  ratio_ppm: ppm.nullable(),
})

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
  /**
   * The due amounts and the paid part of them: of rewards in USDT worth, of interest in its asset. Empty for
   * other transactions.
   */
  due: z.array(z.object({ asset, due: amount, paid: amount })),
  source: activitySource,
  /** The place of the payment: the account of the product or the wallet. */
  place: z.enum(['account', 'wallet']),
  /** Positive for incoming amounts. */
  amounts: z.array(z.object({ asset, amount })),
})
/**
 * `news` omits the actions of the member. With `q` or `kinds`, only the transactions that meet one of them: `q` is an
 * amount, the number of what caused it, or a part of the name of a package; `kinds` are separated by commas. `from` and
 * `until` limit the time; `until` is excluded.
 */
export const activityQuery = page.extend({
  news: flag.optional(),
  group: activityGroup.optional(),
  q: shownText(60).optional(),
  kinds: z
    .string()
    .max(1000)
    .regex(/^[a-z_]+(,[a-z_]+)*$/)
    .optional(),
  from: time.optional(),
  until: time.optional(),
})
/** A page may have fewer items than `limit`, or none, before the last one. */
export const activityData = pageOf(activity)

export const activityParams = z.object({ activity_id: id })
/** A change of an account. The changes of each asset sum to zero. */
export const activityLine = z.object({
  /** The account, as the ledger names it, without the number of a fund product. */
  account: z.string(),
  /** It belongs to the member. */
  own: z.boolean(),
  asset,
  amount,
})
/** A transaction with its ledger lines, its rewards, and the other transactions of the member with the same cause. */
export const activityDetail = activity.extend({
  lines: z.array(activityLine),
  rewards: z.array(
    z.object({ reward_id: id, type: rewardType, order_id: id.nullable(), value: amount, paid: amount }),
  ),
  /** Oldest first, for example the request and the payment of one withdrawal. */
  earlier: z.array(activity),
  later: z.array(activity),
})

/** The paid and the due amounts of a package. */
const dueAndPaid = { due: amount, paid: amount }
/** A package of the member with its cost, its static rewards and its ceiling. */
export const ownPackage = z.object({
  order_id: id,
  name: z.string(),
  level: z.number().int(),
  price: amount,
  amc_price: amount,
  /** The amounts that were paid. */
  quote: orderQuote,
  bought_at: time,
  tx_hash: hash.nullable(),
  static_paid: amount,
  /** The most that static rewards may ever pay, and what is left of it. */
  ceiling: amount,
  ceiling_left: amount,
  last_30_days: z.object({ ...dueAndPaid, days: z.number().int() }),
  last_day: z.object({ day, ...dueAndPaid }).nullable(),
})
/** The newest packages, the sums over all of them, and their static rewards by month, oldest first. */
export const packagesData = z.object({
  items: z.array(ownPackage),
  count: z.number().int(),
  sums: z.object({
    price: amount,
    discount: amount,
    rif: amount,
    static_paid: amount,
    ceiling: amount,
    ceiling_left: amount,
  }),
  months: z.array(z.object({ month: z.string().regex(/^[0-9]{4}-[0-9]{2}$/), ...dueAndPaid })),
})

/** The activities since the last visit of the notifications. */
export const notificationsData = z.object({
  /** The number of unseen activities, at most `unseen_limit`. */
  unseen: z.number().int(),
  unseen_limit: z.number().int(),
  /** Activities up to this one have been seen; "0" before the first visit. */
  seen_up_to: z.string().regex(/^[0-9]{1,18}$/),
  seen_at: time.nullable(),
  announcement: currentAnnouncement,
})
export const seenBody = z.object({ activity_id: id })

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
export type ActivitySource = z.infer<typeof activitySource>
export type ActivityDetail = z.infer<typeof activityDetail>
export type OwnPackage = z.infer<typeof ownPackage>
export type OwnPackages = z.infer<typeof packagesData>
export type Notifications = z.infer<typeof notificationsData>

const sentWay = z.enum(['withdrawal', 'transfer', 'wallet'])

export const sentToQuery = z.object({ address: typedText(100) })

/** The sums that a member sent to one address. */
export const sentToData = z.object({
  address,
  /** The sums that arrived, by way and asset. */
  sums: z.array(z.object({ way: sentWay, asset: walletAsset, amount: chainAmount, count: z.number().int() })),
  /** The last payments, newest first, including pending ones and excluding refunded ones. */
  items: z.array(
    z.object({
      way: sentWay,
      /** The number of the withdrawal or transfer, or the hash that the wallet reported. */
      id: z.string(),
      asset: walletAsset,
      amount: chainAmount,
      at: time,
      is_done: z.boolean(),
    }),
  ),
})
export type SentTo = z.infer<typeof sentToData>
