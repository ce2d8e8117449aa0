import { z } from 'zod'
import { activity, activityQuery } from './activity.ts'
import { fundOrderStatus } from './fund.ts'
import { address, amount, id, shownText, time } from './primitives.ts'
import { orderStatus } from './shop.ts'

/** The largest number of results of each group; the lists of the groups have the others. */
export const SEARCH_SHOWN = 5

/**
 * `q` is the typed text; `kinds` are the kinds of transactions whose names in the member's language contain
 * it.
 */
export const memberSearchQuery = z.object({
  q: shownText(80),
  kinds: activityQuery.shape.kinds,
})

/** An order of a package or a fund, with the fields that identify it. */
export const foundOrder = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('package'),
    order_id: id,
    name: z.string(),
    status: orderStatus,
    amount,
    at: time,
  }),
  z.object({
    kind: z.literal('fund'),
    order_id: id,
    name: z.string(),
    status: fundOrderStatus,
    amount,
    at: time,
  }),
])

export const foundAddress = z.object({
  address,
  name: z.string().nullable(),
  note: z.string().nullable(),
  /** The number of a member of the team; null for any other address. */
  member_id: id.nullable(),
})

const groupOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), more: z.boolean() })

export const memberSearchData = z.object({
  activity: groupOf(activity),
  orders: groupOf(foundOrder),
  addresses: groupOf(foundAddress),
})

export type FoundOrder = z.infer<typeof foundOrder>
export type FoundAddress = z.infer<typeof foundAddress>
