import type { PauseArea } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import { MEMBERS } from '../members/members.relations.ts'
import { storeFreeze } from '../members/members.service.ts'
import { DEBTS } from '../reversals/reversals.relations.ts'

export { freezeReason } from '../members/members.service.ts'

/** An area that is stopped. */
export interface Pause {
  readonly area: PauseArea
  readonly pausedBy: string
  readonly reason: string
  readonly pausedAt: Date
}

/**
 * Requires that a member is not frozen and owes nothing back, and that the area is not paused. Call it under the member's
 * ledger head, so that a freeze takes effect wholly before or wholly after. Throws MEMBER_FROZEN, AMOUNT_OWED, and PAUSED
 * with the area.
 */
export async function requireMayAct(dbTx: Db, memberId: bigint, area?: PauseArea): Promise<void> {
  const { rows } = await sql<{ frozen: boolean | null; paused: boolean; owes: boolean }>`
    select exists (select from ${DEBTS} as debts where member_id = ${memberId}) as owes,
      (select state = 'deactivated' from ${MEMBERS} as members where member_id = ${memberId}) as frozen,
      exists (select from pauses where area = ${area ?? null}) as paused`.execute(dbTx)
  if (rows[0]!.frozen) throw new AppError('MEMBER_FROZEN')
  if (rows[0]!.paused) throw new AppError('PAUSED', { area: area! })
  if (rows[0]!.owes) throw new AppError('AMOUNT_OWED')
}

/** Reports whether an area is running. */
export async function isPaused(db: Db, area: PauseArea): Promise<boolean> {
  const { rows } = await sql`select from pauses where area = ${area}`.execute(db)
  return rows.length > 0
}

/** Throws PAUSED with the area. */
export async function requireRunning(db: Db, area: PauseArea): Promise<void> {
  if (await isPaused(db, area)) throw new AppError('PAUSED', { area })
}

/** All that is stopped now. */
export async function listPauses(db: Db): Promise<Pause[]> {
  const { rows } = await sql<Pause>`
    select area, paused_by as "pausedBy", reason, paused_at as "pausedAt" from pauses order by area`.execute(
    db,
  )
  return rows
}

/** Stops an area; false when it was stopped already. */
export async function pause(dbTx: Db, { area, pausedBy, reason, pausedAt }: Pause): Promise<boolean> {
  const { rows } = await sql`
    insert into pauses (area, paused_by, reason, paused_at) values (${area}, ${pausedBy}, ${reason}, ${pausedAt})
    on conflict do nothing returning area`.execute(dbTx)
  return rows.length > 0
}

/** Lets an area go on; false when it runs already. */
export async function resume(dbTx: Db, area: PauseArea): Promise<boolean> {
  const { rows } = await sql`delete from pauses where area = ${area} returning area`.execute(dbTx)
  return rows.length > 0
}

/** Freezes a member, or lets one act again (`reason` null). What is under way in the member's books ends before. */
export async function setFrozen(
  dbTx: Db,
  ledger: Pick<LedgerService, 'lock'>,
  { memberId, reason }: { memberId: bigint; reason: string | null },
): Promise<void> {
  await ledger.lock(dbTx, { memberIds: [memberId] })
  await storeFreeze(dbTx, memberId, reason)
}
