import { dayOf, isAmount, type Micros } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'

/** Hash power (RIF) for a member. */
export interface HashPowerGrant {
  /** Unique for ever: a repeated key is the same grant. */
  readonly key: string
  readonly memberId: bigint
  readonly amountMicros: Micros
  readonly reason: string
}

export type HashPowerGrants = ReturnType<typeof createHashPowerGrants>

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: Pick<MembersService, 'addresses'>
  readonly adminLog: AdminLogService
}

/** Creates the grants of hash power: prepared by one admin, approved by another. Rules, section 11. */
export function createHashPowerGrants({ now, ledger, members, adminLog }: Deps) {
  return {
    /**
     * Gives hash power into `available`: a few statements for all grants and a posting each. Existing grants
     * are not repeated. Returns the number of new grants. Throws FORBIDDEN if both admins are the same,
     * MEMBER_NOT_FOUND, INVALID_AMOUNT for an amount or a resulting balance that cannot be stored, and
     * IDEMPOTENCY_CONFLICT if a key was used for another grant.
     */
    async give(
      dbTx: Db,
      by: { preparedBy: string; approvedBy: string },
      grants: readonly HashPowerGrant[],
    ): Promise<number> {
      if (by.preparedBy === by.approvedBy) throw new AppError('FORBIDDEN')
      if (!grants.every(({ amountMicros }) => isAmount(amountMicros))) throw new AppError('INVALID_AMOUNT')
      const memberIds = [...new Set(grants.map(({ memberId }) => memberId))]
      if ((await members.addresses(dbTx, memberIds)).size < memberIds.length) {
        throw new AppError('MEMBER_NOT_FOUND')
      }
      await ledger.lock(dbTx, { memberIds })
      const at = now()
      const made = await insertApproved(dbTx, { ...by, at }, grants)
      if (made.size < grants.length) await requireSame(dbTx, grants)
      for (const { key, memberId, amountMicros, reason } of grants) {
        const grantId = made.get(key)
        if (grantId === undefined) continue
        await ledger.post(dbTx, {
          key: `hash-power/${grantId}`,
          kind: 'grant',
          cause: { type: 'hash-power', id: `${grantId}` },
          accountingDay: dayOf(at.getTime()),
          at,
          lines: [{ memberId, asset: 'RIF', source: 'external', destination: 'available', amountMicros }],
        })
        await adminLog.record(dbTx, {
          actor: by.approvedBy,
          action: 'hash-power.give',
          subject: `grant/${grantId}`,
          reason,
          after: { key, memberId: `${memberId}`, rifMicros: `${amountMicros}`, preparedBy: by.preparedBy },
        })
      }
      return made.size
    },
  }
}

/** Stores grants as approved and returns the new ones by key. Concurrent calls make each grant once. */
async function insertApproved(
  dbTx: Db,
  { preparedBy, approvedBy, at }: { preparedBy: string; approvedBy: string; at: Date },
  grants: readonly HashPowerGrant[],
): Promise<ReadonlyMap<string, bigint>> {
  const column = <Name extends keyof HashPowerGrant>(name: Name) => grants.map((grant) => grant[name])
  const { rows } = await sql<{ key: string; grantId: bigint }>`
    insert into hash_power_grants
      (key, member_id, amount_micros, reason, state, prepared_by, prepared_at, reviewed_by, reviewed_at)
    select key, member_id, amount, reason, 'Approved', ${preparedBy}, ${at}, ${approvedBy}, ${at}
    from unnest(${column('key')}::text[], ${column('memberId')}::bigint[], ${column('amountMicros')}::bigint[],
      ${column('reason')}::text[]) as given (key, member_id, amount, reason)
    order by key
    on conflict (key) do nothing
    returning key, grant_id as "grantId"`.execute(dbTx)
  return new Map(rows.map(({ key, grantId }) => [key, grantId]))
}

async function requireSame(dbTx: Db, grants: readonly HashPowerGrant[]): Promise<void> {
  const { rows } = await sql<HashPowerGrant>`
    select key, member_id as "memberId", amount_micros as "amountMicros", reason
    from hash_power_grants where key = any (${grants.map(({ key }) => key)})`.execute(dbTx)
  const stored = new Map(rows.map((grant) => [grant.key, grant]))
  const isSame = ({ key, memberId, amountMicros, reason }: HashPowerGrant) => {
    const storedGrant = stored.get(key)
    return (
      storedGrant?.memberId === memberId &&
      storedGrant.amountMicros === amountMicros &&
      storedGrant.reason === reason
    )
  }
  if (!grants.every(isSame)) throw new AppError('IDEMPOTENCY_CONFLICT')
}
