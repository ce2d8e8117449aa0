import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'

/** Limits the calls to the chain's nodes that one member causes, over all processes. */
export interface ReadBudget {
  /** Takes calls from the member's budget of the current minute. Returns false, and takes none, when too few are left. */
  take(db: Db, memberId: bigint, calls: number): Promise<boolean>
}

export const MEMBER_CALLS_PER_MINUTE = 120
const MINUTE_MS = 60_000

/** Creates the budget. `calls` is at most `MEMBER_CALLS_PER_MINUTE`. */
export function createReadBudget({ now }: { now: Now }): ReadBudget {
  return {
    async take(db, memberId, calls) {
      const minute = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS)
      const taken = await sql`
        insert into chain_member_reads as spent (member_id, minute, calls) values (${memberId}, ${minute}, ${calls})
        on conflict (member_id) do update set minute = excluded.minute,
          calls = excluded.calls + case when spent.minute = excluded.minute then spent.calls else 0 end
        where spent.minute <> excluded.minute or spent.calls + excluded.calls <= ${MEMBER_CALLS_PER_MINUTE}`.execute(
        db,
      )
      return taken.numAffectedRows === 1n
    },
  }
}
