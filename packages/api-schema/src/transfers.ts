import { z } from 'zod'
import { address, amount, day, id, moneyAsset, page, pageOf, time } from './primitives.ts'

export const transferDirection = z.enum(['in', 'out'])

/** A name that a member gives an address. */
export const contactLabel = z
  .string()
  .trim()
  .min(1)
  .max(40)
  // A label is shown next to amounts: invisible characters and those that change the text direction could mislead.
  .refine((text) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text), 'has characters that cannot be shown')

export const transferBody = z.object({ address, asset: moneyAsset, amount })

/** A transfer as one of its two members sees it. */
export const transfer = z.object({
  transfer_id: id,
  direction: transferDirection,
  /** The wallet of the other member, and the caller's name for it. */
  counterpart: address,
  label: z.string().nullable(),
  asset: moneyAsset,
  amount,
  created_at: time,
})

/** `from` and `to` are UTC days, both included. */
export const transferListQuery = page.extend({
  direction: transferDirection.optional(),
  asset: moneyAsset.optional(),
  address: address.optional(),
  from: day.optional(),
  to: day.optional(),
})
export const transferListData = pageOf(transfer)

export const contact = z.object({
  address,
  label: z.string().nullable(),
  last_sent_at: time.nullable(),
})

export const receiverQuery = z.object({ address: z.string().max(100) })

/** The information shown before a transfer to an address. */
export const receiver = contact.extend({
  /** `registered` for the wallet of a member, `own` for that of the caller. */
  registered: z.boolean(),
  own: z.boolean(),
  /** The caller's own, a named or an earlier used address that this one could be mistaken for. */
  looks_like: z.object({ address, label: z.string().nullable() }).nullable(),
})

export const contactsData = z.object({
  /** By name. */
  saved: z.array(contact),
  /** The last receivers, newest first, named or not. */
  recent: z.array(contact),
  minimum: amount,
})
export const contactBody = z.object({ address, label: contactLabel })
export const removeContactBody = z.object({ address })

export type Transfer = z.infer<typeof transfer>
export type TransferDirection = z.infer<typeof transferDirection>
export type Contact = z.infer<typeof contact>
export type Receiver = z.infer<typeof receiver>
