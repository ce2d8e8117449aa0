/** The transitions of an order; a payment removed by a chain reorganisation returns it to UnPaid. Rules, section 4. */
export const ORDER_TRANSITIONS = {
  UnPaid: ['Processing', 'Cancelled'],
  Processing: ['Paid', 'UnPaid'],
  Paid: [],
  Cancelled: [],
} as const
export type OrderStatus = keyof typeof ORDER_TRANSITIONS

/** The transitions of a withdrawal. It can be cancelled only while no signed claim is valid. Rules, section 7. */
export const WITHDRAWAL_TRANSITIONS = {
  Auditing: ['Withdrawable', 'Rejected', 'Cancelled'],
  Withdrawable: ['Success', 'Cancelled'],
  Success: [],
  Rejected: [],
  Cancelled: [],
} as const
export type WithdrawalStatus = keyof typeof WITHDRAWAL_TRANSITIONS

/**
 * The transitions of a fund order: `Processing` after a reported payment, `Subscription` once the chain shows it, `Redemption`
 * while some units are being redeemed, `Redeemed` when none are left. Rules, section 8.
 */
export const FUND_ORDER_TRANSITIONS = {
  UnPaid: ['Processing', 'Subscription', 'Paid', 'Cancelled'],
  Processing: ['Subscription', 'Paid', 'UnPaid'],
  Subscription: ['Paid', 'UnPaid'],
  Paid: ['Redemption'],
  Redemption: ['Paid', 'Redeemed'],
  Redeemed: [],
  Cancelled: [],
} as const
export type FundOrderStatus = keyof typeof FUND_ORDER_TRANSITIONS

/** The transitions of a redemption. Rules, section 8. */
export const REDEMPTION_TRANSITIONS = {
  Pending: ['Approved', 'Rejected', 'Cancelled'],
  Approved: ['Completed'],
  Completed: [],
  Rejected: [],
  Cancelled: [],
} as const
export type RedemptionStatus = keyof typeof REDEMPTION_TRANSITIONS

/** Reports whether a table has a transition between two statuses. No status has a transition to itself. */
export function canTransition<Status extends string>(
  table: Readonly<Record<Status, readonly NoInfer<Status>[]>>,
  from: NoInfer<Status>,
  to: NoInfer<Status>,
): boolean {
  return table[from].includes(to)
}
