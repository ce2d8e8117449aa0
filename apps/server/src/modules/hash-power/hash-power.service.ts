import { dayOf, type Micros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { AdminLogService } from '../admin/admin-log.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'

/** Hash power (RIF) for a member. */
export interface HashPowerGrant {
  /** Unique for ever: under one key it is granted once. */
  readonly key: string
  readonly memberId: bigint
  readonly amountMicros: Micros
  readonly actor: string
  readonly reason: string
}

/** Hash power: what the operator hands out. Rules, section 11. */
export function createHashPowerService(deps: {
  now: Now
  ledger: LedgerService
  members: MembersService
  adminLog: AdminLogService
}) {
  const { now, ledger, members, adminLog } = deps

  return {
    /**
     * Grants RIF into `available`; the same grant again has no effect. Throws MEMBER_NOT_FOUND, INVALID_AMOUNT,
     * IDEMPOTENCY_CONFLICT.
     */
    async grant(dbTx: Db, { key, memberId, amountMicros, actor, reason }: HashPowerGrant): Promise<void> {
      const at = now()
      await members.get(dbTx, memberId)
      const { posted } = await ledger.post(dbTx, {
        key: `hash-power/${key}`,
        kind: 'grant',
        cause: { type: 'hash-power', id: key },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [{ memberId, asset: 'RIF', source: 'external', destination: 'available', amountMicros }],
      })
      if (!posted) return
      await adminLog.record(dbTx, {
        actor,
        action: 'hash-power.grant',
        subject: `member/${memberId}`,
        reason,
        after: { key, rifMicros: `${amountMicros}` },
      })
    },
  }
}
