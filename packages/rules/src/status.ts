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

/** Whether a transition table leads from one status to another. A status never leads to itself. */
export function canTransition<Status extends string>(
  table: Readonly<Record<Status, readonly NoInfer<Status>[]>>,
  from: NoInfer<Status>,
  to: NoInfer<Status>,
): boolean {
  return table[from].includes(to)
}
