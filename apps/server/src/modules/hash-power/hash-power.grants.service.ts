import { dayOf, isAmount, type Micros } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { type Review, requireReviewable } from '../../lib/review.ts'
import type { AdminLogService } from '../admin/admin-log.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'

/** Hash power (RIF) for a member, as an admin prepares it. */
export interface HashPowerGrantDraft {
  /** Unique for ever: what is prepared again under one key is the same grant. */
  readonly key: string
  readonly memberId: bigint
  readonly amountMicros: Micros
  readonly reason: string
  readonly actor: string
}

export type GrantState = 'Prepared' | 'Approved' | 'Rejected'

interface GrantRow {
  readonly grantId: bigint
  readonly memberId: bigint
  readonly amountMicros: Micros
  readonly reason: string
  readonly state: GrantState
  readonly preparedBy: string
}

export type HashPowerGrants = ReturnType<typeof createHashPowerGrants>

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly adminLog: AdminLogService
}

const GRANT = sql`
  grant_id as "grantId", member_id as "memberId", amount_micros as "amountMicros", reason, state,
  prepared_by as "preparedBy"`

/** What the operator hands out of hash power: prepared by one admin, approved by another. Rules, section 11. */
export function createHashPowerGrants({ now, ledger, members, adminLog }: Deps) {
  return {
    /**
     * Prepares a grant; the same one again is found, not made. Throws MEMBER_NOT_FOUND, INVALID_AMOUNT, and
     * IDEMPOTENCY_CONFLICT when the key was used for another one.
     */
    async prepare(dbTx: Db, draft: HashPowerGrantDraft): Promise<{ grantId: bigint; state: GrantState }> {
      const { key, memberId, amountMicros, reason, actor } = draft
      await members.get(dbTx, memberId)
      if (!isAmount(amountMicros)) throw new AppError('INVALID_AMOUNT')
      const made = await sql<GrantRow>`
        insert into hash_power_grants (key, member_id, amount_micros, reason, prepared_by, prepared_at)
        values (${key}, ${memberId}, ${amountMicros}, ${reason}, ${actor}, ${now()})
        on conflict (key) do nothing
        returning ${GRANT}`.execute(dbTx)
      const [prepared] = made.rows
      if (prepared === undefined) return sameGrant(dbTx, draft)
      await adminLog.record(dbTx, {
        ...{ actor, action: 'hash-power.prepare', subject: `grant/${prepared.grantId}`, reason },
        after: { key, memberId: `${memberId}`, rifMicros: `${amountMicros}` },
      })
      return prepared
    },

    /**
     * Approves a grant, which then stands in `available`, or rejects it. Throws NOT_FOUND, NOTHING_TO_REVIEW when it was
     * decided before, FORBIDDEN for an approval by the admin who prepared it, and INVALID_AMOUNT when the member would
     * have more than can be stored.
     */
    async review(dbTx: Db, { grantId, ...review }: Review & { grantId: bigint }): Promise<void> {
      const found = await sql<GrantRow>`
        select ${GRANT} from hash_power_grants where grant_id = ${grantId} for update`.execute(dbTx)
      const [grant] = found.rows
      requireReviewable(grant, review)
      const { actor, approve } = review
      const { memberId, amountMicros } = grant
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const at = now()
      const state: GrantState = approve ? 'Approved' : 'Rejected'
      await sql`
        update hash_power_grants set state = ${state}, reviewed_by = ${actor}, reviewed_at = ${at}
        where grant_id = ${grantId}`.execute(dbTx)
      if (approve) {
        await ledger.post(dbTx, {
          ...{ key: `hash-power/${grantId}`, kind: 'grant', cause: { type: 'hash-power', id: `${grantId}` } },
          ...{ accountingDay: dayOf(at.getTime()), at },
          lines: [{ memberId, asset: 'RIF', source: 'external', destination: 'available', amountMicros }],
        })
      }
      await adminLog.record(dbTx, {
        ...{ actor, action: approve ? 'hash-power.approve' : 'hash-power.reject' },
        subject: `grant/${grantId}`,
        ...{ before: { state: grant.state }, after: { state } },
      })
    },
  }
}

async function sameGrant(
  dbTx: Db,
  draft: HashPowerGrantDraft,
): Promise<{ grantId: bigint; state: GrantState }> {
  const { rows } = await sql<GrantRow>`
    select ${GRANT} from hash_power_grants where key = ${draft.key}`.execute(dbTx)
  const grant = rows[0]!
  const isSame = grant.memberId === draft.memberId && grant.amountMicros === draft.amountMicros
  if (!isSame || grant.reason !== draft.reason) throw new AppError('IDEMPOTENCY_CONFLICT')
  return grant
}
