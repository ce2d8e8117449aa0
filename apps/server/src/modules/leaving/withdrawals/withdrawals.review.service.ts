import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { notifyStep } from './withdrawals.notices.service.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import * as repository from './withdrawals.repository.ts'
import { type WithdrawalSteps, withdrawalMayBecome } from './withdrawals.steps.service.ts'

/** An admin's decision on a waiting withdrawal. A rejected member is shown the reason. */
export interface WithdrawalDecision {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly approve: boolean
  readonly actor: string
  readonly reason: string
}

export type WithdrawalReview = ReturnType<typeof createWithdrawalReview>

/** Creates the decisions of admins about withdrawals. Rules, sections 7 and 12. */
export function createWithdrawalReview(deps: { now: Now; book: WithdrawalSteps; adminLog: AdminLogService }) {
  const { now, book, adminLog } = deps

  return {
    /** Returns withdrawals that wait for a decision, oldest first. */
    pending(db: Db, limit: number): Promise<WithdrawalRow[]> {
      return repository.auditingWithdrawals(db, limit)
    },

    /** Returns withdrawals by their ids, in the given order. Throws WITHDRAWAL_NOT_FOUND. */
    find(
      db: Db,
      ids: readonly Pick<WithdrawalDecision, 'memberId' | 'withdrawalId'>[],
    ): Promise<WithdrawalRow[]> {
      return Promise.all(
        ids.map(async ({ memberId, withdrawalId }) => {
          const row = await repository.findWithdrawal(db, memberId, withdrawalId)
          if (row === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND')
          return row
        }),
      )
    },

    /**
     * Approves or rejects; rejecting restores the amount and the daily limit. One whose approvals the signer does not
     * count is approved a second time. Throws WITHDRAWAL_NOT_FOUND, NOTHING_TO_REVIEW.
     */
    async decide(
      dbTx: Db,
      { memberId, withdrawalId, approve, actor, reason }: WithdrawalDecision,
    ): Promise<void> {
      const row = await book.lock(dbTx, memberId, withdrawalId)
      const status = approve ? 'Withdrawable' : 'Rejected'
      const isSecond = row.status === 'Withdrawable' && row.signer_refusal === 'not_reviewed' && approve
      if (!isSecond && !withdrawalMayBecome(row, status)) throw new AppError('NOTHING_TO_REVIEW')
      const at = now()
      if (!approve) await book.giveBack(dbTx, row, at)
      await repository.updateWithdrawal(dbTx, row, {
        status,
        reviewed_at: at,
        reviewed_by: actor,
        review_reason: reason,
        ...repository.NOT_REFUSED,
      })
      await notifyStep(dbTx, row, approve ? 'claim_ready' : 'withdrawal_rejected', at)
      await adminLog.record(dbTx, {
        actor,
        action: approve ? 'withdrawal.approve' : 'withdrawal.reject',
        subject: `member/${memberId}/withdrawal/${withdrawalId}`,
        reason,
        before: { status: row.status },
        after: { status },
      })
    },
  }
}
