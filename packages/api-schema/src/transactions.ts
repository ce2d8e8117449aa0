import { z } from 'zod'
import { hash, id, time } from './primitives.ts'

/** What a member's wallet sent a transaction to the product's contracts for. */
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
/** The same, or tokens or ether sent to somebody: `me/wallet` is told of those. */
export const transactionKind = z.enum([...notedKind.options, 'send'])

/** A transaction right after the wallet has sent it; nothing but what the member is shown depends on it. */
export const transactionBody = z.object({
  tx_hash: hash,
  kind: notedKind,
  /** The order, the purchase of the fund (kinds ending in Fund) or the withdrawal that it is for. */
  subject_id: id.optional(),
  nonce: z.number().int().min(0).max(2_147_483_647),
})
export const transactionNoted = z.object({ tx_hash: hash })

/**
 * pending: the chain has not shown it. confirming: it is in a block. done: in a final one. failed: the chain refused it.
 * replaced: another transaction took its place (sped up or cancelled in the wallet).
 */
export const transactionState = z.enum(['pending', 'confirming', 'done', 'failed', 'replaced'])

export const transaction = z.object({
  /** As the wallet told it first. */
  tx_hash: hash,
  kind: transactionKind,
  subject_id: id.nullable(),
  state: transactionState,
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
  sent_at: time,
})
/** The newest of the last day, from whichever device, and payments and claims that the chain has shown. */
export const transactionsData = z.object({ items: z.array(transaction) })

export type Transaction = z.infer<typeof transaction>
export type NotedKind = z.infer<typeof notedKind>
export type TransactionKind = z.infer<typeof transactionKind>
export type TransactionState = z.infer<typeof transactionState>
