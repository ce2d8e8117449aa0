/** Where an order can go from each status; a reorganised payment goes back to UnPaid. Rules, section 4. */
export const ORDER_TRANSITIONS = {
  UnPaid: ['Processing', 'Cancelled'],
  Processing: ['Paid', 'UnPaid'],
  Paid: [],
  Cancelled: [],
} as const
export type OrderStatus = keyof typeof ORDER_TRANSITIONS

/** Where a withdrawal can go from each status; cancelling needs, besides, that no claim is valid. Rules, section 7. */
export const WITHDRAWAL_TRANSITIONS = {
  Auditing: ['Withdrawable', 'Rejected', 'Cancelled'],
  Withdrawable: ['Success', 'Cancelled'],
  Success: [],
  Rejected: [],
  Cancelled: [],
} as const
export type WithdrawalStatus = keyof typeof WITHDRAWAL_TRANSITIONS

/**
 * Where a fund order can go: `Processing` while its payment is reported, `Subscription` while the chain shows it, `Redemption` while some of its
 * units are being redeemed, `Redeemed` when none is left. Rules, section 8.
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

/** Where a redemption can go. Rules, section 8. */
export const REDEMPTION_TRANSITIONS = {
  Pending: ['Approved', 'Rejected', 'Cancelled'],
  Approved: ['Completed'],
  Completed: [],
  Rejected: [],
  Cancelled: [],
} as const
export type RedemptionStatus = keyof typeof REDEMPTION_TRANSITIONS

/** Whether a transition table leads from one status to another. A status never leads to itself. */
export function canTransition<Status extends string>(
  table: Readonly<Record<Status, readonly NoInfer<Status>[]>>,
  from: NoInfer<Status>,
  to: NoInfer<Status>,
): boolean {
  return table[from].includes(to)
}
