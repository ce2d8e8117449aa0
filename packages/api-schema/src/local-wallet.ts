import { z } from 'zod'
import { address, hash, page, pageOf, time } from './primitives.ts'

/** An amount of a token on chain, with up to 18 decimals. */
export const chainAmount = z.string().regex(/^[0-9]{1,60}(\.[0-9]{1,18})?$/)
export const walletAsset = z.enum(['ETH', 'USDT', 'AMC'])

/**
 * The status of a transaction of the wallet. Sent: in no known block. Confirming: in a block that is not final. Success, Failed
 * and Replaced are final. Lost: not seen for a week.
 */
export const sendStatus = z.enum(['Sent', 'Confirming', 'Success', 'Failed', 'Replaced', 'Lost'])

/** A transaction that the member's wallet has sent, to be followed. Data of the chain replaces all fields except the hash. */
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
  /** The reported hash. Another transaction may have taken effect. */
  first_hash: hash,
  tx_hash: hash,
  asset: walletAsset,
  amount: chainAmount,
  to: address,
  label: z.string().nullable(),
  by_contract: z.boolean(),
  /** True when asset, amount and receiver were read from the chain. */
  verified: z.boolean(),
  ...progress,
  told_at: time,
  block_at: time.nullable(),
})
export const sendParams = z.object({ first_hash: hash })

/** A payment to the bank, a claim, a transfer with a reference, or a reported send. */
export const walletMove = z.object({
  id: z.string(),
  kind: z.enum(['order', 'claim', 'transfer', 'send']),
  direction: z.enum(['in', 'out']),
  legs: z.array(z.object({ asset: walletAsset, amount: chainAmount })),
  /** The other party; null for the bank. */
  counterpart: address.nullable(),
  label: z.string().nullable(),
  tx_hash: hash,
  /** The reported hash of a send. */
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
