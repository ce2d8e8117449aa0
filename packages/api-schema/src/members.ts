import { z } from 'zod'
import { adminRole } from './admin.ts'
import {
  address,
  amount,
  flag,
  id,
  page,
  pageOf,
  placementSide,
  ppm,
  shownText,
  side,
  time,
  typedText,
} from './primitives.ts'

/** The balances of a member in one asset, by account. Rules, section 2. */
const accounts = z.object({
  available: amount,
  locked: amount,
  withdrawing: amount,
  savings: amount,
  savings_leaving: amount,
  fund_income: amount,
})

/** The field names are those of the specification (section 3, user info). */
export const me = z.object({
  member_id: id,
  receive_address: address,
  fixed_invest_amount_usdt: amount,
  fixed_invest_amount_amc: amount,
  yesterday_profit: amount,
  yesterday_profit_amc: amount,
  realized_profit_usdt: amount,
  realized_profit_amc: amount,
  fund_available_profit: amount,
  fund_level: z.number().int(),
  day_top_profit: amount,
  level: z.number().int().min(0).max(5),
  available_profit: amount,
  locked_profit: amount,
  profit_sum: amount,
  team_size_all: z.number().int(),
  team_size_valid: z.number().int(),
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
  left_team_size_all: z.number().int(),
  left_team_size_valid: z.number().int(),
  right_team_size_all: z.number().int(),
  right_team_size_valid: z.number().int(),
  left_team_investment: amount,
  right_team_investment: amount,
  month_team_invest: amount,
  service_fee: ppm,
  redemption_fee: ppm,
  manage_leve: z.number().int(),
  manage_award_base: amount,
  register_days: z.number().int(),
  investment_sum: amount,
  remaining_dividends: amount,
  withdrawable_vc: amount,
  withdrawable_usdt: amount,
  dividend_rate: amount,
  vc_rate: amount,
  use_hash_rate_percent: ppm,
  state: z.enum(['active', 'deactivated']),
  /** The admin role of the member's wallet. */
  admin_role: adminRole.nullable(),
  tjjl: amount,
  pdjl: amount,
  jtjl: amount,
  gljl: amount,
  balances: z.object({ USDT: accounts, AMC: accounts, RIF: accounts, VC: accounts, DIV: accounts }),
  /**
   * The member's debts: credits that a reorganisation of the chain reversed after they were used. They are
   * deducted from the next credits of the asset, and nothing can be sent or spent before. Usually empty.
   */
  owed: z.array(z.object({ asset: z.enum(['USDT', 'AMC', 'RIF']), amount })),
})

/** A free place: the member above it, and its generation below the caller. */
const nextPlace = z.object({ parent_id: id, parent_address: address, generation: z.number().int().min(1) })

export const inviteData = z.object({
  invite_code: z.string(),
  /** Links to the login page by side, which fill in the code and the side. */
  links: z.object({ left: z.string(), right: z.string(), auto: z.string() }),
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
  /** The next free place of each side, and the side that `auto` selects now. */
  places: z.object({ left: nextPlace, right: nextPlace }),
  auto: side,
})

/** The sponsor behind an invitation code, shown on the login page before anything is signed. */
export const invitationQuery = z.object({
  code: typedText(32).min(1),
  side: placementSide.optional(),
})
export const invitationData = z.object({
  invite_code: z.string(),
  sponsor_address: address,
  side: placementSide,
})

/** The team of the caller, or of `id`, a member of this team. `direct` selects the invited members; left, right and all the binary team. */
export const relationQuery = page.extend({
  id: id.optional(),
  scope: z.enum(['direct', 'all', 'left', 'right']).default('all'),
  level: z.coerce.number().int().min(0).max(5).optional(),
  valid: flag.optional(),
  /** The start of a wallet or of an invitation code, or a part of a label given by the caller. */
  q: shownText(60).optional(),
  /** By join time. */
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export const teamMember = z.object({
  member_id: id,
  address,
  join_time: time,
  inviter_address: address.nullable(),
  level: z.number().int(),
  /** The side below the member whose team is listed. */
  section: side.nullable(),
  state: z.enum(['active', 'deactivated']),
  valid: z.boolean(),
  investment: amount,
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
  team_size_all: z.number().int(),
  team_size_valid: z.number().int(),
  team_investment: amount,
})
export const relationData = pageOf(teamMember)

/** A branch of the binary tree: the node and `depth` generations below it. Request deeper nodes from there. */
export const treeQuery = z.object({
  /** The caller (the default) or a member of the team. */
  id: id.optional(),
  depth: z.coerce.number().int().min(1).max(6).default(3),
  /**
   * A member of the team. The response is then the path to this member, with the children of each node. It starts at the
   * caller's node, or 100 generations above the member if that is nearer (see `pid`).
   */
  to: id.optional(),
})

/** Several branches in one flat list, to open a whole team generation by generation. */
export const treeBranchesQuery = z.object({
  /** The caller or members of the team, separated by commas. */
  ids: z
    .string()
    .max(1000)
    .regex(/^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,49}$/),
  limit: z.coerce.number().int().min(1).max(1000).default(500),
})

/** The names `id` to `isLeaf` are those of the specification (section 3, org tree node). */
const treeNodeFields = z.object({
  id,
  /** The parent node; null for the caller's node, where the visible tree starts. */
  pid: id.nullable(),
  /** The wallet. */
  label: address,
  /** True when `children` is filled. Otherwise, unless this is a leaf, request the branch from this node. */
  expand: z.boolean(),
  isLeaf: z.boolean(),
  /** The side below the parent node; null for the caller's node. */
  side: side.nullable(),
  /** The side below the caller; null for the caller's node. */
  section: side.nullable(),
  join_time: time,
  inviter_address: address.nullable(),
  level: z.number().int(),
  state: z.enum(['active', 'deactivated']),
  valid: z.boolean(),
  investment: amount,
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
  left_team_size_all: z.number().int(),
  left_team_size_valid: z.number().int(),
  right_team_size_all: z.number().int(),
  right_team_size_valid: z.number().int(),
  left_team_investment: amount,
  right_team_investment: amount,
})
/** A node without its children, which are items of the same list with its id as `pid`. */
export const treeMember = treeNodeFields
export const treeBranchesData = z.object({ items: z.array(treeMember) })

export interface TreeNode extends z.infer<typeof treeNodeFields> {
  /** Left before right. */
  children: TreeNode[]
}
export const treeNode: z.ZodType<TreeNode> = treeNodeFields.extend({
  get children() {
    return z.array(treeNode)
  },
})

/** A private name of the caller for a member of the team. */
export const LABEL_MAX_LENGTH = 40
export const memberLabel = z.object({
  member_id: id,
  address,
  label: z.string(),
  /** Shown above the tree. */
  pinned: z.boolean(),
})
export const labelsData = z.object({ items: z.array(memberLabel) })
export const setLabelBody = z.object({
  member_id: id,
  /** Can be empty when pinned. */
  label: shownText(LABEL_MAX_LENGTH, { min: 0 }),
  pinned: z.boolean(),
})
export const deleteLabelBody = z.object({ member_id: id })
export const deleteLabelData = z.object({ member_id: id })

/** The name and the note that the caller gave an address: one or both. A name of the address book comes before one of the team. */
export const addressName = z.object({
  address,
  name: z.string().nullable(),
  note: z.string().nullable(),
})
export const namesData = z.object({ items: z.array(addressName) })

/** A private note about an address, of a member of the team or any other; an empty one deletes it. */
export const NOTE_MAX_LENGTH = 200
export const setNoteBody = z.object({ address, note: shownText(NOTE_MAX_LENGTH, { min: 0 }) })
export const setNoteData = z.object({ address, note: z.string() })

export type AddressName = z.infer<typeof addressName>
export type Me = z.infer<typeof me>
export type MemberLabel = z.infer<typeof memberLabel>
export type TreeMember = z.infer<typeof treeMember>
export type TeamMember = z.infer<typeof teamMember>
