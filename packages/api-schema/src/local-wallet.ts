import { z } from 'zod'
import { address, hash, page, pageOf, time } from './primitives.ts'

/** An amount of a token as it is on chain: up to 18 decimals. */
export const chainAmount = z.string().regex(/^[0-9]{1,60}(\.[0-9]{1,18})?$/)
export const walletAsset = z.enum(['ETH', 'USDT', 'AMC'])

/**
 * How far a transaction of the wallet is. Sent: in no known block. Confirming: in a block that can still be undone.
 * Success, Failed: finally so. Replaced: finally another one in its place. Lost: not seen for a week.
 */
export const sendStatus = z.enum(['Sent', 'Confirming', 'Success', 'Failed', 'Replaced', 'Lost'])

/** What a wallet has sent, told by the member so that it is followed. The chain's word replaces everything but the hash. */
export const tellSendBody = z.object({
  tx_hash: hash,
  nonce: z
    .number()
    .int()
    .min(0)
    .max(2 ** 48),
  asset: walletAsset,
  to: address,
  amount: chainAmount,
  by_contract: z.boolean(),
})

const progress = {
  status: sendStatus,
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
}

export const walletSend = z.object({
  /** As told first; the transaction that took effect may be another. */
  first_hash: hash,
  tx_hash: hash,
  asset: walletAsset,
  amount: chainAmount,
  to: address,
  label: z.string().nullable(),
  by_contract: z.boolean(),
  /** Whether asset, amount and receiver are the chain's word. */
  verified: z.boolean(),
  ...progress,
  told_at: time,
  block_at: time.nullable(),
})
export const sendParams = z.object({ first_hash: hash })

/** A payment to the bank, a claim out of it, a transfer with a reference, or a send that the member told. */
export const walletMove = z.object({
  id: z.string(),
  kind: z.enum(['order', 'claim', 'transfer', 'send']),
  direction: z.enum(['in', 'out']),
  legs: z.array(z.object({ asset: walletAsset, amount: chainAmount })),
  /** The other end; null for the bank. */
  counterpart: address.nullable(),
  label: z.string().nullable(),
  tx_hash: hash,
  /** Of a send: where it is followed. */
  first_hash: hash.nullable(),
  ...progress,
  at: time,
})
export const walletHistoryQuery = page.extend({
  asset: walletAsset.optional(),
  direction: z.enum(['in', 'out']).optional(),
})
export const walletHistoryData = pageOf(walletMove)

export type WalletAsset = z.infer<typeof walletAsset>
export type SendStatus = z.infer<typeof sendStatus>
export type WalletSend = z.infer<typeof walletSend>
export type WalletMove = z.infer<typeof walletMove>
