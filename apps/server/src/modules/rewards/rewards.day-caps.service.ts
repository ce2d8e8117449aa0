import { type Day, formatMicros, MAX_MICROS, type Micros, nextDay, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { type Db, inTx } from '../../db/database.ts'
import { type Read, read, readMember } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { enterDay } from '../../lib/day-barrier.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'

interface Deps {
  readonly now: Now
  readonly ledger: Pick<LedgerService, 'lock'>
  readonly adminLog: AdminLogService
}

export type DayCapsService = ReturnType<typeof createDayCapsService>

/**
 * Creates the daily cap of pairing that the operator sets for one member, below that of the level. Rules,
 * section 5.
 */
export function createDayCapsService({ now, ledger, adminLog }: Deps) {
  /** Returns a member's current cap besides the level's, in USDT micro-units; null for none. */
  const capRead: Read<Micros | null> = read<{ cap: string | null }, Micros | null>(
    (memberIds) => sql`
      select distinct on (member_id) member_id, json_build_object('cap', cap_micros::text) as value
      from member_day_caps where member_id = any (${memberIds}) order by member_id, cap_id desc`,
    (row) => (row?.cap ? BigInt(row.cap) : null),
  )

  return {
    capRead,

    /** Returns a member's cap at the end of a day; null for none. */
    async capAt(db: Db, memberId: bigint, day: Day): Promise<Micros | null> {
      const { rows } = await sql<{ cap: Micros | null }>`
        select cap_micros as cap from member_day_caps
        where member_id = ${memberId} and set_at < ${new Date(startOfDay(nextDay(day)))}
        order by cap_id desc limit 1`.execute(db)
      return rows[0]?.cap ?? null
    },

    /**
     * Sets a member's own cap, from today on; null removes it. Throws INVALID_AMOUNT if it is negative or
     * beyond 64 bits.
     */
    async set(
      db: Db,
      { memberId, capMicros, actor }: { memberId: bigint; capMicros: Micros | null; actor: string },
    ): Promise<void> {
      if (capMicros !== null && (capMicros < 0n || capMicros > MAX_MICROS)) {
        throw new AppError('INVALID_AMOUNT')
      }
      await inTx(db, async (dbTx) => {
        await enterDay(dbTx, now)
        await ledger.lock(dbTx, { memberIds: [memberId] })
        const before = await readMember(dbTx, memberId, capRead)
        await sql`
          insert into member_day_caps (member_id, cap_micros, set_by, set_at)
          values (${memberId}, ${capMicros}, ${actor}, ${now()})`.execute(dbTx)
        await adminLog.record(dbTx, {
          actor,
          action: 'day-cap.set',
          subject: `member/${memberId}`,
          before: capText(before),
          after: capText(capMicros),
        })
      })
    },
  }
}

const capText = (capMicros: Micros | null) => (capMicros === null ? null : formatMicros(capMicros))
