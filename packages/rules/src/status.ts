/**
 * The transitions of an order; a payment removed by a chain reorganisation returns it to UnPaid. A signed quote stays payable
 * until its deadline, so a payment may also pay an order that was cancelled. Rules, section 4.
 */
export const ORDER_TRANSITIONS = {
  UnPaid: ['Processing', 'Cancelled'],
  Processing: ['Paid', 'UnPaid'],
  Paid: [],
  Cancelled: ['Paid'],
} as const
export type OrderStatus = keyof typeof ORDER_TRANSITIONS

/** The statuses of an order that is neither paid nor cancelled. Rules, section 4. */
export const OPEN_ORDER_STATUSES = ['UnPaid', 'Processing'] as const satisfies readonly OrderStatus[]

/** The transitions of a withdrawal. It can be cancelled only while no signed claim is valid. Rules, section 7. */
export const WITHDRAWAL_TRANSITIONS = {
  Auditing: ['Withdrawable', 'Rejected', 'Cancelled'],
  Withdrawable: ['Success', 'Cancelled'],
  Success: [],
  Rejected: [],
  Cancelled: [],
} as const
export type WithdrawalStatus = keyof typeof WITHDRAWAL_TRANSITIONS

/** The statuses of a withdrawal whose amount is held. Rules, section 7. */
export const OPEN_WITHDRAWAL_STATUSES = [
  'Auditing',
  'Withdrawable',
] as const satisfies readonly WithdrawalStatus[]

/** The transitions of a transfer between members; one that needs no review is a `Success` at once. Rules, section 10. */
export const TRANSFER_TRANSITIONS = {
  Auditing: ['Success', 'Rejected', 'Cancelled'],
  Success: [],
  Rejected: [],
  Cancelled: [],
} as const
export type TransferStatus = keyof typeof TRANSFER_TRANSITIONS

/**
 * The transitions of a fund order: `Processing` after a reported payment, `Subscription` once the chain shows it, `Redemption`
 * while some units are being redeemed, `Redeemed` when none are left. A payment inside the deadline also pays an order that was
 * cancelled. Only a final payment whose price no longer holds closes an order beyond these. Rules, section 8.
 */
export const FUND_ORDER_TRANSITIONS = {
  UnPaid: ['Processing', 'Subscription', 'Paid', 'Cancelled'],
  Processing: ['Subscription', 'Paid', 'UnPaid'],
  Subscription: ['Paid', 'UnPaid'],
  Paid: ['Redemption'],
  Redemption: ['Paid', 'Redeemed'],
  Redeemed: [],
  Cancelled: ['Paid'],
} as const
export type FundOrderStatus = keyof typeof FUND_ORDER_TRANSITIONS

/** The statuses of a fund order that is neither paid nor cancelled. Rules, section 8. */
export const OPEN_FUND_ORDER_STATUSES = [
  ...OPEN_ORDER_STATUSES,
  'Subscription',
] as const satisfies readonly FundOrderStatus[]

/**
 * Reports whether a payment on chain pays an order of this status, of a package or of fund units: the bank enforces the
 * deadline, so also one that was cancelled. Rules, sections 4 and 8.
 */
export function canBePaid(status: FundOrderStatus): boolean {
  return status === 'Cancelled' || isOneOf(OPEN_FUND_ORDER_STATUSES, status)
}

/** The transitions of a redemption. Rules, section 8. */
export const REDEMPTION_TRANSITIONS = {
  Pending: ['Approved', 'Rejected', 'Cancelled'],
  Approved: ['Completed', 'Cancelled'],
  Completed: [],
  Rejected: [],
  Cancelled: [],
} as const
export type RedemptionStatus = keyof typeof REDEMPTION_TRANSITIONS

/** The statuses of a redemption that reserves units. Rules, section 8. */
export const OPEN_REDEMPTION_STATUSES = ['Pending', 'Approved'] as const satisfies readonly RedemptionStatus[]

function isOneOf<Status extends string>(list: readonly Status[], status: string): boolean {
  return (list as readonly string[]).includes(status)
}

/** Reports whether a table has a transition between two statuses. No status has a transition to itself. */
export function canTransition<Status extends string>(
  table: Readonly<Record<Status, readonly NoInfer<Status>[]>>,
  from: NoInfer<Status>,
  to: NoInfer<Status>,
): boolean {
  return table[from].includes(to)
}
