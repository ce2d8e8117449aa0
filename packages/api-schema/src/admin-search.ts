import { z } from 'zod'
import { fundOrdersData } from './fund.ts'
import { me } from './members.ts'
import { address, amount, asset, day, id, page, pageOf, shownText, side, time } from './primitives.ts'
import { profitAllQuery, reward } from './rewards.ts'
import { orderListData, orderListQuery } from './shop.ts'
import { withdrawListData, withdrawListQuery } from './withdrawals.ts'

/** The search text: an address or its start, an invitation code, a number, or the hash of a transaction. */
export const adminSearchQuery = z.object({ q: shownText(100) })

/** The interpretation of the text. A number can be that of a member, an order, a fund order or a withdrawal. */
export const searchReading = z.enum([
  'address',
  'address_start',
  'code',
  'number',
  'chain_id',
  'hash',
  'nothing',
])

/** The kinds of results. */
export const searchFind = z.enum([
  'member',
  'order',
  'fund_order',
  'withdrawal',
  /** A withdrawal of another member to this address. */
  'withdrawal_address',
  /** A payment without a matching order. */
  'payment',
  /** A claim without a matching withdrawal. */
  'claim',
  'wallet_transaction',
])
export const adminSearchData = z.object({
  reading: searchReading,
  items: z.array(
    z.object({
      found: searchFind,
      /** The number of the order or withdrawal, or null. */
      id: id.nullable(),
      /** Null for a payment or a claim without a member. */
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
  /** True when there are more results. */
  more: z.boolean(),
})

export const adminMemberParams = z.object({ member_id: id })

const relative = z.object({ member_id: id, address })

/** A member, without the lists, which are separate calls. */
export const adminMember = z.object({
  profile: me,
  invite_code: z.string(),
  joined_at: time,
  valid_at: time.nullable(),
  sponsor: relative.nullable(),
  /** The side of the sponsor on which the member was placed. */
  section: side.nullable(),
  /** The parent in the binary tree and the side below it; null for the root. */
  parent: relative.extend({ side }).nullable(),
  left: relative.nullable(),
  right: relative.nullable(),
  /** The reason why every withdrawal is audited; null without one. */
  risk: z.object({ reason: z.string(), flagged_by: z.string(), flagged_at: time }).nullable(),
  /** All paid rewards, in USDT worth. */
  rewards: z.array(z.object({ type: reward.shape.type, paid: amount, usdt: amount, amc: amount })),
  withdraw_limit: z.object({ limit: amount, used: amount, remaining: amount }),
  /** The daily pairing cap that the operator set for this member, in addition to that of the level. */
  own_day_cap: amount.nullable(),
  notes: z.number().int(),
  open_sessions: z.number().int(),
  /** The number of transactions in the books of the member. */
  transactions: z.string(),
})

/** All members, the newest first. */
export const adminMembersQuery = page.extend({
  state: z.enum(['active', 'frozen']).optional(),
  level: z.enum(['0', '1', '2', '3', '4', '5']).optional(),
  /** UTC days of joining, both included. */
  from: day.optional(),
  to: day.optional(),
  /**
   * Only members who hold some of this asset. A page may then have fewer than `limit` members although others
   * follow.
   */
  holds: z.enum(['USDT', 'AMC', 'RIF', 'fund']).optional(),
})
/** `packages` is the USDT worth of the paid packages; assets are those of all accounts. */
export const adminMembersData = pageOf(
  z.object({
    member_id: id,
    address,
    invite_code: z.string(),
    level: z.number().int(),
    state: me.shape.state,
    joined_at: time,
    valid_at: time.nullable(),
    invited: z.number().int(),
    packages: amount,
    usdt: amount,
    amc: amount,
    rif: amount,
  }),
)

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

/** The books of the member, newest first, optionally for one asset or group of kinds. */
export const adminLedgerGroup = z.enum(ledgerGroups)
export const adminLedgerQuery = page.extend({ asset: asset.optional(), group: adminLedgerGroup.optional() })
export const adminLedgerEntry = z.object({
  seq: id,
  line: z.number().int(),
  kind: z.string(),
  /** True when transactions of this kind can be reversed. */
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
/**
 * Why a member has no static reward. `no_package`: no package is paid; `day_not_ended`: the first one is due for
 * `first_day`, which has not ended; `not_settled`: that day has ended and is not settled; `nothing_due`: it is
 * settled, and the plan's rate gave nothing.
 */
export const noStaticReward = z.object({
  reason: z.enum(['no_package', 'day_not_ended', 'not_settled', 'nothing_due']),
  /** The day after the payment of the first package; null without a package. */
  first_day: day.nullable(),
  settled_to: day.nullable(),
  /** True if revenue was ever attested for the pool that pays static rewards. */
  attested: z.boolean(),
})
/** `no_static` is null unless static rewards were asked for and there is none. */
export const adminRewardsData = pageOf(reward).extend({ no_static: noStaticReward.nullable() })
export const adminRewardParams = z.object({ member_id: id, reward_id: id })
export const adminWithdrawalsQuery = withdrawListQuery
export const adminWithdrawalsData = withdrawListData

/** Sign-ins, including ended ones that are still stored. */
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

/** Notes of admins on the member, newest first. They cannot be changed or deleted. */
export const adminNotesQuery = page
export const adminNote = z.object({ note_id: id, text: z.string(), written_by: z.string(), written_at: time })
export const adminNotesData = pageOf(adminNote)
export const adminNoteBody = z.object({ text: shownText(2000, { lines: true }) })

export type AdminLedgerEntry = z.infer<typeof adminLedgerEntry>
export type AdminLedgerGroup = z.infer<typeof adminLedgerGroup>
export type AdminListedMember = z.infer<typeof adminMembersData>['items'][number]
export type AdminMember = z.infer<typeof adminMember>
export type AdminMembersQuery = z.infer<typeof adminMembersQuery>
export type AdminNote = z.infer<typeof adminNote>
export type AdminSearch = z.infer<typeof adminSearchData>
export type AdminSession = z.infer<typeof adminSessionsData>['items'][number]
export type NoStaticReward = z.infer<typeof noStaticReward>
export type SearchFind = z.infer<typeof searchFind>
export type SearchReading = z.infer<typeof searchReading>
