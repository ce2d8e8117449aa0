import { z } from 'zod'
import { hash, id, time } from './primitives.ts'

/** The purposes of a member's transactions to the contracts of the product. */
export const notedKind = z.enum([
  'approveUsdt',
  'approveAmc',
  'pay',
  'approveFund',
  'payFund',
  'claim',
  'revokeUsdt',
  'revokeAmc',
])
/** The same, or tokens or ether sent to another wallet, which are reported to `me/wallet`. */
export const transactionKind = z.enum([...notedKind.options, 'send'])

/** A transaction that the wallet has just sent. It affects only the screens of the member. */
export const transactionBody = z.object({
  tx_hash: hash,
  kind: notedKind,
  /** The order, the fund purchase (kinds ending in Fund) or the withdrawal of the transaction. */
  subject_id: id.optional(),
  nonce: z.number().int().min(0).max(2_147_483_647),
})
export const transactionNoted = z.object({ tx_hash: hash })

/**
 * pending: not in a block. confirming: in a block. done: in a final block. failed: reverted. replaced: another transaction with
 * the same nonce was included (sped up or cancelled in the wallet).
 */
export const transactionState = z.enum(['pending', 'confirming', 'done', 'failed', 'replaced'])

export const transaction = z.object({
  /** The hash reported first. */
  tx_hash: hash,
  kind: transactionKind,
  subject_id: id.nullable(),
  state: transactionState,
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
  sent_at: time,
})
/** The newest transactions of the last day from all devices, and payments and claims found on chain. */
export const transactionsData = z.object({ items: z.array(transaction) })

export type Transaction = z.infer<typeof transaction>
export type NotedKind = z.infer<typeof notedKind>
export type TransactionKind = z.infer<typeof transactionKind>
export type TransactionState = z.infer<typeof transactionState>
