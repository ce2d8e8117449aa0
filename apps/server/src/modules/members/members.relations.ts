import { sql } from 'kysely'

/** The members: wallets in lower case, `state` is `active` or `deactivated`. */
export const MEMBERS = sql`(
  select member_id, address, sponsor_id, state, joined_at from members
)`

/** Members' names of others. */
export const TEAM_LABELS = sql`(
  select member_id, about_id, label from member_labels where label <> ''
)`
