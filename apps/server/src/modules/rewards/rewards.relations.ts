import { sql } from 'kysely'

/** The AMC of rewards that is locked and then released in daily parts. */
export const LOCKED_REWARDS = sql`(
  select member_id, day, amc_micros, release_parts from rewards where amc_micros > 0
)`

/** Each pause and resumption of the management award. */
export const SWITCHES = sql`(
  select member_id, switch_id, paused, switched_at from management_switches
)`

/** Each pairing cap that the operator set for a member; null removes it. */
export const DAY_CAPS = sql`(
  select member_id, cap_id, cap_micros, set_at from member_day_caps
)`

/** The state that settlement carries for a member from one settled day to the next. */
export const STANDINGS = sql`(
  select member_id, level, carry_left_micros, carry_right_micros, manage_base_micros, release_micros
  from member_standings
)`

/** The paid value of each reward. */
export const REWARDS = sql`(
  select member_id, day, type, paid_micros from rewards
)`

/** The sums of a member's rewards by day and type. */
export const REWARD_DAYS = sql`(
  select member_id, day, type, paid_micros from reward_days
)`

/** The sums of a member's rewards by type. */
export const REWARD_TOTALS = sql`(
  select member_id, type, paid_micros from reward_totals
)`

/** The members whose rewards were undone, and when. */
export const UNDONE_REWARDS = sql`(
  select member_id, undone_at from reward_undone
)`

/** The batches of rewards. */
export const BATCHES = sql`(
  select * from reward_batches
)`

/** The sums due and paid by day and class of rewards. */
export const COVERAGE = sql`(
  select * from reward_coverage
)`
