import { z } from 'zod'
import { fundOrdersData } from './fund.ts'
import { me } from './members.ts'
import { address, amount, asset, day, id, page, pageOf, side, time } from './primitives.ts'
import { profitAllQuery, reward } from './rewards.ts'
import { orderListData, orderListQuery } from './shop.ts'
import { withdrawListData, withdrawListQuery } from './withdrawals.ts'

/** Whatever an admin has at hand: an address or its beginning, an invitation code, a number, a transaction's hash. */
export const adminSearchQuery = z.object({ q: z.string().trim().min(1).max(100) })

/** How the text was read. A number may be a member's, an order's, a fund order's or a withdrawal's. */
export const searchReading = z.enum([
  'address',
  'address_start',
  'code',
  'number',
  'chain_id',
  'hash',
  'nothing',
])

/** What was found under it, and whose it is. */
export const searchFind = z.enum([
  'member',
  'order',
  'fund_order',
  'withdrawal',
  /** A withdrawal of somebody else's to this address. */
  'withdrawal_address',
  /** A payment that fits no order. */
  'payment',
  /** A claim that fits no withdrawal. */
  'claim',
  'wallet_transaction',
])
export const adminSearchData = z.object({
  reading: searchReading,
  items: z.array(
    z.object({
      found: searchFind,
      /** The number of the order or withdrawal; null where there is none. */
      id: id.nullable(),
      /** Null for a payment or a claim that names nobody. */
      member: z
        .object({
          member_id: id,
          address,
          invite_code: z.string(),
          level: z.number().int(),
          joined_at: time,
        })
        .nullable(),
    }),
  ),
  /** More was found than is shown. */
  more: z.boolean(),
})

export const adminMemberParams = z.object({ member_id: id })

const relative = z.object({ member_id: id, address })

/** All about a member that fits one page; lists are calls of their own. */
export const adminMember = z.object({
  profile: me,
  invite_code: z.string(),
  joined_at: time,
  valid_at: time.nullable(),
  sponsor: relative.nullable(),
  /** The sponsor's side under which the member was placed. */
  section: side.nullable(),
  /** Below whom the member stands in the binary tree, and on which side; null for the root. */
  parent: relative.extend({ side }).nullable(),
  left: relative.nullable(),
  right: relative.nullable(),
  /** Why every withdrawal of the member waits for an admin; null when it does not. */
  risk: z.object({ reason: z.string(), flagged_by: z.string(), flagged_at: time }).nullable(),
  /** What was paid of rewards for all time, in USDT worth. */
  rewards: z.array(z.object({ type: reward.shape.type, paid: amount, usdt: amount, amc: amount })),
  withdraw_limit: z.object({ limit: amount, used: amount, remaining: amount }),
  /** The cap of a day of pairing that the operator set for this member, beside the level's. */
  own_day_cap: amount.nullable(),
  notes: z.number().int(),
  open_sessions: z.number().int(),
  /** How many transactions the member's books hold. */
  transactions: z.string(),
})

const ledgerGroups = [
  'sales',
  'rewards',
  'withdrawals',
  'transfers',
  'savings',
  'fund',
  'exchange',
  'other',
] as const

/** The member's own books, newest first: of one asset, or of one group of kinds. */
export const adminLedgerGroup = z.enum(ledgerGroups)
export const adminLedgerQuery = page.extend({ asset: asset.optional(), group: adminLedgerGroup.optional() })
export const adminLedgerEntry = z.object({
  seq: id,
  line: z.number().int(),
  kind: z.string(),
  /** Whether a transaction of this kind can be taken back by a correction. */
  reversible: z.boolean(),
  asset,
  source: z.string(),
  destination: z.string(),
  amount,
  cause_type: z.string(),
  cause_id: z.string(),
  accounting_day: day,
  posted_at: time,
})
export const adminLedgerData = pageOf(adminLedgerEntry)

export const adminOrdersQuery = orderListQuery
export const adminOrdersData = orderListData
export const adminFundOrdersQuery = page
export const adminFundOrdersData = fundOrdersData
export const adminRewardsQuery = profitAllQuery
export const adminRewardsData = pageOf(reward)
export const adminWithdrawalsQuery = withdrawListQuery
export const adminWithdrawalsData = withdrawListData

/** Sign-ins, those that are over too, as long as they are kept. */
export const adminSessionsQuery = page
export const adminSessionsData = pageOf(
  z.object({
    session_id: id,
    device: z.string().nullable(),
    created_at: time,
    last_used_at: time,
    expires_at: time,
    revoked_at: time.nullable(),
    open: z.boolean(),
  }),
)

/** What admins have written down about the member, newest first; never changed or taken back. */
export const adminNotesQuery = page
export const adminNote = z.object({ note_id: id, text: z.string(), written_by: z.string(), written_at: time })
export const adminNotesData = pageOf(adminNote)
export const adminNoteBody = z.object({ text: z.string().trim().min(1).max(2000) })

export type AdminLedgerEntry = z.infer<typeof adminLedgerEntry>
export type AdminLedgerGroup = z.infer<typeof adminLedgerGroup>
export type AdminMember = z.infer<typeof adminMember>
export type AdminNote = z.infer<typeof adminNote>
export type AdminSearch = z.infer<typeof adminSearchData>
export type AdminSession = z.infer<typeof adminSessionsData>['items'][number]
export type SearchFind = z.infer<typeof searchFind>
export type SearchReading = z.infer<typeof searchReading>
