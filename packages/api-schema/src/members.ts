import { z } from 'zod'
import { adminRole } from './admin.ts'
import { address, amount, flag, id, page, pageOf, placementSide, ppm, side, time } from './primitives.ts'

/** What a member has of one asset, by account. Rules, section 2. */
const accounts = z.object({
  available: amount,
  locked: amount,
  withdrawing: amount,
  savings: amount,
  savings_leaving: amount,
  fund_income: amount,
})

/** The field names are the specification's (section 3, user info), spelt as there. */
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
  /** The role of the member's own wallet on the operator's side. */
  admin_role: adminRole.nullable(),
  tjjl: amount,
  pdjl: amount,
  jtjl: amount,
  gljl: amount,
  balances: z.object({ USDT: accounts, AMC: accounts, RIF: accounts, VC: accounts, DIV: accounts }),
})

/** A free place: the member above it, and how many generations below the caller it is. */
const nextPlace = z.object({ parent_id: id, parent_address: address, generation: z.number().int().min(1) })

export const inviteData = z.object({
  invite_code: z.string(),
  /** Links by side, each opening the login page with code and side filled in. */
  links: z.object({ left: z.string(), right: z.string(), auto: z.string() }),
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
  /** Where the next member of each side would stand if it joined now, and the side that `auto` means now. */
  places: z.object({ left: nextPlace, right: nextPlace }),
  auto: side,
})

/** The sponsor behind an invitation code, shown on the login page before anything is signed. */
export const invitationQuery = z.object({
  code: z.string().trim().min(1).max(32),
  side: placementSide.optional(),
})
export const invitationData = z.object({
  invite_code: z.string(),
  sponsor_address: address,
  side: placementSide,
})

/** `scope` direct: those invited; left, right, all: the binary team below. Of oneself, or of `id`, a member of the own team. */
export const relationQuery = page.extend({
  id: id.optional(),
  scope: z.enum(['direct', 'all', 'left', 'right']).default('all'),
  level: z.coerce.number().int().min(0).max(5).optional(),
  valid: flag.optional(),
  /** The beginning of a wallet or of an invitation code, or a part of a label of the caller's own. */
  q: z.string().trim().min(1).max(60).optional(),
  /** By join time. */
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export const teamMember = z.object({
  member_id: id,
  address,
  join_time: time,
  inviter_address: address.nullable(),
  level: z.number().int(),
  /** The side below the member whose team it is. */
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

/** A branch of the binary tree: the node, and `depth` generations below it; what is deeper is asked for from there. */
export const treeQuery = z.object({
  /** A member of the own team, or oneself (the default). */
  id: id.optional(),
  depth: z.coerce.number().int().min(1).max(6).default(3),
  /**
   * A member of the own team: the answer is then the way down to it, each node on it with its children. It begins with
   * the caller's own node, or 100 generations above the member when that is nearer (`pid` tells).
   */
  to: id.optional(),
})

/** Several branches at once, in one flat list: for opening a whole team generation by generation. */
export const treeBranchesQuery = z.object({
  /** Members of the own team or oneself, with commas between them. */
  ids: z
    .string()
    .max(1000)
    .regex(/^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,49}$/),
  limit: z.coerce.number().int().min(1).max(1000).default(500),
})

/** The names `id` to `isLeaf` are the specification's (section 3, org tree node). */
const treeNodeFields = z.object({
  id,
  /** The node above; null for the caller's own, which is where the visible tree begins. */
  pid: id.nullable(),
  /** The wallet. */
  label: address,
  /** Whether `children` is filled; when it is not and this is no leaf, the branch is to be asked for from here. */
  expand: z.boolean(),
  isLeaf: z.boolean(),
  /** The side of the node above on which it hangs; null for the caller's own. */
  side: side.nullable(),
  /** The caller's section that it belongs to; null for the caller's own. */
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
/** A node without its children: they are items of the same list, below their `pid`. */
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

/** What the caller has noted about a member of the own team, seen by nobody else. */
export const LABEL_MAX_LENGTH = 40
export const memberLabel = z.object({
  member_id: id,
  address,
  label: z.string(),
  /** Kept at hand above the tree. */
  pinned: z.boolean(),
})
export const labelsData = z.object({ items: z.array(memberLabel) })
export const setLabelBody = z.object({
  member_id: id,
  /** No control characters and nothing that turns the direction of text; may be empty when pinned. */
  label: z
    .string()
    .trim()
    .max(LABEL_MAX_LENGTH)
    .regex(/^(?:[^\p{C}\p{Zl}\p{Zp}]|\u200d)*$/u),
  pinned: z.boolean(),
})
export const deleteLabelBody = z.object({ member_id: id })
export const deleteLabelData = z.object({ member_id: id })

export type Me = z.infer<typeof me>
export type MemberLabel = z.infer<typeof memberLabel>
export type TreeMember = z.infer<typeof treeMember>
export type TeamMember = z.infer<typeof teamMember>
