import { formatMicros, launchProblems, type Micros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { type Review, requireReviewable } from '../../lib/review.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'
import * as repository from './exchange.launches.repository.ts'
import { requireSound } from './exchange.terms.service.ts'

/** A launch as prepared by an admin; the price is in VC for one unit of the allocation. */
export interface LaunchDraft {
  readonly name: string
  readonly introduction: string
  readonly allocationMicros: Micros
  readonly priceMicros: Micros
  readonly startsAt: Date
  readonly endsAt: Date
  readonly actor: string
}

export type LaunchReview = ReturnType<typeof createLaunchReview>

/** Creates the decisions of admins about VC launches. Rules, sections 11 and 12. */
export function createLaunchReview({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  function requireOffer(
    offer: Pick<LaunchDraft, 'allocationMicros' | 'priceMicros' | 'startsAt' | 'endsAt'>,
  ): void {
    const { allocationMicros, priceMicros, startsAt, endsAt } = offer
    const times = { startsAtMs: startsAt.getTime(), endsAtMs: endsAt.getTime() }
    requireSound(launchProblems({ allocationMicros, priceMicros, ...times }, now().getTime()))
  }

  return {
    /**
     * Prepares a launch. Throws INVALID_AMOUNT and VALIDATION_FAILED with the invalid field found by
     * `launchProblems`.
     */
    async prepare(dbTx: Db, { actor, ...draft }: LaunchDraft): Promise<{ launchId: bigint }> {
      requireOffer(draft)
      const { launch_id: launchId } = await dbTx
        .insertInto('vc_launches')
        .values({
          name: draft.name,
          introduction: draft.introduction,
          allocation_micros: draft.allocationMicros,
          price_micros: draft.priceMicros,
          starts_at: draft.startsAt,
          ends_at: draft.endsAt,
          prepared_by: actor,
          prepared_at: now(),
        })
        .returning('launch_id')
        .executeTakeFirstOrThrow()
      await adminLog.record(dbTx, {
        actor,
        action: 'vc-launch.prepare',
        subject: `vc-launch/${launchId}`,
        after: {
          name: draft.name,
          startsAt: draft.startsAt,
          endsAt: draft.endsAt,
          allocation: formatMicros(draft.allocationMicros),
          price: formatMicros(draft.priceMicros),
        },
      })
      return { launchId }
    },

    /**
     * Approves a launch, which makes it visible to members, or rejects it. Throws NOT_FOUND,
     * NOTHING_TO_REVIEW, FORBIDDEN for an approval by the admin who prepared it, and VALIDATION_FAILED if its
     * end has passed.
     */
    async review(dbTx: Db, { launchId, ...review }: Review & { launchId: bigint }): Promise<void> {
      const row = await repository.lockLaunch(dbTx, launchId, 'exclusive')
      const launch = row && { ...row, preparedBy: row.prepared_by }
      requireReviewable(launch, review)
      const { actor, approve } = review
      if (approve) {
        const { allocation_micros: allocationMicros, price_micros: priceMicros } = launch
        requireOffer({ allocationMicros, priceMicros, startsAt: launch.starts_at, endsAt: launch.ends_at })
      }
      const state = approve ? 'Approved' : 'Rejected'
      await dbTx
        .updateTable('vc_launches')
        .set({ state, reviewed_by: actor, reviewed_at: now() })
        .where('launch_id', '=', launchId)
        .execute()
      await adminLog.record(dbTx, {
        actor,
        action: approve ? 'vc-launch.approve' : 'vc-launch.reject',
        subject: `vc-launch/${launchId}`,
        before: { state: launch.state },
        after: { state },
      })
    },
  }
}
