import { sql } from 'kysely'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { enterDay } from '../../lib/day-barrier.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'

export type ManagementService = ReturnType<typeof createManagementService>

/** Creates the pausing and resuming of the management award. Rules, section 5.5. */
export function createManagementService({ now, ledger }: { now: Now; ledger: LedgerService }) {
  /** Reports whether a member has paused. */
  async function isPaused(db: Db, memberId: bigint): Promise<boolean> {
    const { rows } = await sql<{ paused: boolean }>`
      select paused from management_switches where member_id = ${memberId}
      order by switch_id desc limit 1`.execute(db)
    return rows[0]?.paused ?? false
  }

  return {
    isPaused,

    /** Pauses or resumes; `changed` is false if this was already the state. */
    async set(db: Db, memberId: bigint, paused: boolean): Promise<{ changed: boolean }> {
      return inTx(db, async (dbTx) => {
        await enterDay(dbTx, now)
        await ledger.lock(dbTx, { memberIds: [memberId] })
        if ((await isPaused(dbTx, memberId)) === paused) return { changed: false }
        await sql`
          insert into management_switches (member_id, paused, switched_at)
          values (${memberId}, ${paused}, ${now()})`.execute(dbTx)
        return { changed: true }
      })
    },
  }
}
