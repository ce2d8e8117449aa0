import { sql } from 'kysely'

/** The places of members in the binary tree. */
export const PLACES = sql`(
  select member_id, parent_id, side, path from placements
)`

/** Joins, as `below`, the places directly below those of `above`: the next one on the same leg and the first one on the cross leg. */
export const DIRECTLY_BELOW = sql`
  cross join lateral (values (above.leg_id, above.position + 1), (above.member_id, 1)) as next (leg_id, position)
  join placements as below on below.leg_id = next.leg_id and below.position = next.position`
