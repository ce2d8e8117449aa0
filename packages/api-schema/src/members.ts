import { z } from 'zod'
import { address, amount, id, page, pageOf, placementSide, ppm, side, time } from './primitives.ts'

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
  tjjl: amount,
  pdjl: amount,
  jtjl: amount,
  gljl: amount,
  balances: z.object({ USDT: accounts, AMC: accounts, RIF: accounts, VC: accounts, DIV: accounts }),
})

export const inviteData = z.object({
  invite_code: z.string(),
  /** Links by side, each opening the login page with code and side filled in. */
  links: z.object({ left: z.string(), right: z.string(), auto: z.string() }),
  invited_count_all: z.number().int(),
  invited_count_valid: z.number().int(),
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
export interface TreeNode extends z.infer<typeof treeNodeFields> {
  /** Left before right. */
  children: TreeNode[]
}
export const treeNode: z.ZodType<TreeNode> = treeNodeFields.extend({
  get children() {
    return z.array(treeNode)
  },
})
export type Me = z.infer<typeof me>
export type TeamMember = z.infer<typeof teamMember>
