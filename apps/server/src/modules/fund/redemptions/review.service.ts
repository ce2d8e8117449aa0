import { dayOf } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import type { FundProducts } from '../products/products.service.ts'
import type { RedemptionRow } from './redemptions.repository.ts'
import * as repository from './redemptions.repository.ts'
import { type FundRedemptions, redemptionMayBecome } from './redemptions.service.ts'

/** The redemption that an admin decides. */
export interface ReviewedRedemption {
  readonly memberId: bigint
  readonly redemptionId: bigint
  readonly actor: string
}

interface Deps {
  readonly now: Now
  readonly plans: PlansService
  readonly products: FundProducts
  readonly assets: FundAssetsService
  readonly redemptions: FundRedemptions
  readonly adminLog: AdminLogService
}

/** Creates the decisions of admins about redemptions: one reviews, another confirms. Rules, sections 8 and 12. */
export function createFundReview({ now, plans, products, assets, redemptions, adminLog }: Deps) {
  /**
   * Fixes a redemption's position in the product's queue and the earliest time of its payment. The product is
   * locked.
   */
  async function approve(dbTx: Db, redemption: RedemptionRow, actor: string): Promise<void> {
    const product = await products.get(dbTx, redemption.product_id)
    const first = await repository.firstPending(dbTx, redemption.product_id)
    if (first!.redemption_id !== redemption.redemption_id) throw new AppError('NOT_FIRST')
    await assets.requireDealing(dbTx, product)
    const at = now()
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const place = product.redemptions_approved + 1n
    await repository.updateRedemption(dbTx, redemption, {
      status: 'Approved',
      confirmed_by: actor,
      audited_at: at,
      approval_place: place,
      due_at: new Date(at.getTime() + plan.fund.payoutDelayMs),
    })
    await products.queue(dbTx, product.product_id, {
      units_approved: product.units_approved + redemption.units,
      redemptions_approved: place,
      redemptions_waiting: product.redemptions_waiting + 1n,
    })
  }

  return {
    /** Returns the undecided redemptions, oldest first. */
    pending: (db: Db, limit: number): Promise<RedemptionRow[]> => repository.pendingRedemptions(db, limit),

    /** Returns a member's oldest undecided redemption of a product. */
    oldestPending: (db: Db, memberId: bigint, productId: bigint): Promise<RedemptionRow | undefined> =>
      repository.oldestPending(db, memberId, productId),

    /**
     * Records a recommended decision; it takes effect only when another admin confirms it. A later review
     * replaces an earlier one. A rejected member is shown the reason. Throws REDEMPTION_NOT_FOUND,
     * NOTHING_TO_REVIEW.
     */
    async review(
      dbTx: Db,
      subject: ReviewedRedemption & { approve: boolean; reason: string },
    ): Promise<void> {
      const { memberId, redemptionId, actor, reason } = subject
      const redemption = await redemptions.lock(dbTx, memberId, redemptionId)
      if (redemption.status !== 'Pending') throw new AppError('NOTHING_TO_REVIEW')
      const review = subject.approve ? 'approve' : 'reject'
      await repository.updateRedemption(dbTx, redemption, {
        review,
        reviewed_by: actor,
        reviewed_at: now(),
        review_reason: reason,
      })
      await adminLog.record(dbTx, {
        actor,
        action: `fund.redemption.review`,
        subject: subjectOf(subject),
        reason,
        before: { review: redemption.review },
        after: { review },
      })
    },

    /**
     * Applies the reviewed decision. Throws REDEMPTION_NOT_FOUND, NOTHING_TO_REVIEW without a review,
     * FORBIDDEN for the admin who reviewed it, NAV_STALE for an approval, and NOT_FIRST for an approval while
     * an older request of the product waits.
     */
    async confirm(dbTx: Db, subject: ReviewedRedemption): Promise<void> {
      const { memberId, redemptionId, actor } = subject
      const unlockedRedemption = await repository.findRedemption(dbTx, memberId, redemptionId)
      if (unlockedRedemption === undefined) throw new AppError('REDEMPTION_NOT_FOUND')
      await products.lock(dbTx, unlockedRedemption.product_id)
      const redemption = await redemptions.lock(dbTx, memberId, redemptionId)
      const { review } = redemption
      const status = review === 'approve' ? 'Approved' : 'Rejected'
      if (review === null || !redemptionMayBecome(redemption, status)) throw new AppError('NOTHING_TO_REVIEW')
      if (redemption.reviewed_by === actor) throw new AppError('FORBIDDEN')
      if (review === 'approve') {
        await approve(dbTx, redemption, actor)
      } else {
        await redemptions.release(dbTx, redemption, { paid: false })
        const changes = { status, confirmed_by: actor, audited_at: now() } as const
        await repository.updateRedemption(dbTx, redemption, changes)
      }
      await adminLog.record(dbTx, {
        actor,
        action: `fund.redemption.${review}`,
        subject: subjectOf(subject),
        before: { status: redemption.status },
        after: { status },
      })
    },
  }
}

function subjectOf({ memberId, redemptionId }: ReviewedRedemption): string {
  return `member/${memberId}/redemption/${redemptionId}`
}
