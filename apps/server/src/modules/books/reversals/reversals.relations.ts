import { sql } from 'kysely'

/** The amounts that members owe back. */
export const DEBTS = sql`(
  select member_id, asset, owed_micros from member_debts where owed_micros > 0
)`
