import { sql } from 'kysely'

/** The members: wallets in lower case, `state` is `active` or `deactivated`. */
export const MEMBERS = sql`(
  select member_id, address, sponsor_id, state, joined_at from members
)`
