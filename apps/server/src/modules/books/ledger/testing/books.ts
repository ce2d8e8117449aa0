import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'

/** Returns all balances and the number of lines and flows, for a comparison of before and after. */
export async function readBooks(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(h order by member_id) from ledger_heads as h) as heads,
      (select json_agg(p order by account, asset) from ledger_pool_sums as p) as pools,
      (select count(*) from ledger_entries) as entries, (select count(*) from ledger_flow_sums) as flows,
      (select sum(postings) from ledger_flow_sums) as postings`.execute(db)
  return rows
}
