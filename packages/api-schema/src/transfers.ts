import { z } from 'zod'
import { auditReason, contact, signed } from './leaving.ts'
import {
  address,
  amount,
  day,
  id,
  moneyAsset,
  page,
  pageOf,
  time,
  typedText,
  walletAddress,
} from './primitives.ts'

export const transferDirection = z.enum(['in', 'out'])

export const transferStatus = z.enum(['Auditing', 'Success', 'Rejected', 'Cancelled'])

export const transferCheckBody = z.object({ address: walletAddress, asset: moneyAsset, amount })
export const transferBody = transferCheckBody.extend({ signed: signed.optional() })

/** The result of a transfer by the same rules, before anything moves. */
export const transferCheckData = z.object({
  asset: moneyAsset,
  amount,
  to: address,
  worth_usdt: amount,
  remaining_today: amount,
  remaining_after: amount,
  status: z.enum(['Auditing', 'Success']),
  reasons: z.array(auditReason),
  /** True when the transfer needs the signature of the member's wallet. */
  needs_signature: z.boolean(),
})

/** A transfer as one of its two members sees it. */
export const transfer = z.object({
  transfer_id: id,
  direction: transferDirection,
  /** The wallet of the other member, and the caller's name for it. */
  counterpart: address,
  label: z.string().nullable(),
  asset: moneyAsset,
  amount,
  /** Only what was sent can be anything but a success: the receiver sees a transfer once it has arrived. */
  status: transferStatus,
  reasons: z.array(auditReason),
  reject_reason: z.string().nullable(),
  created_at: time,
  completed_at: time.nullable(),
})
export const transferParams = z.object({ transfer_id: id })

/** `from` and `to` are UTC days, both included. */
export const transferListQuery = page.extend({
  direction: transferDirection.optional(),
  asset: moneyAsset.optional(),
  address: address.optional(),
  from: day.optional(),
  to: day.optional(),
})
export const transferListData = pageOf(transfer)

export const receiverQuery = z.object({ address: typedText(100) })

/** The information shown before a transfer to an address. */
export const receiver = contact.extend({
  /** True for the wallet of the caller. */
  own: z.boolean(),
  /** The caller's own, a named or an earlier used address that this one could be mistaken for. */
  looks_like: z.object({ address, label: z.string().nullable() }).nullable(),
})

export type Transfer = z.infer<typeof transfer>
export type TransferStatus = z.infer<typeof transferStatus>
export type TransferDirection = z.infer<typeof transferDirection>
export type Receiver = z.infer<typeof receiver>
