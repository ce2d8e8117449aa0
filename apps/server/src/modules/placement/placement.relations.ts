import { sql } from 'kysely'

/** The places of members in the binary tree. */
export const PLACES = sql`(
  select member_id, parent_id, side, path from placements
)`
