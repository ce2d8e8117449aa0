import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import { createWithdrawalQueue } from './withdrawals.queue.service.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import * as repository from './withdrawals.repository.ts'
import { mayBecome, type WithdrawalSteps } from './withdrawals.steps.service.ts'

/** An admin's decision on a withdrawal that waits for one. A rejected member is shown the reason. */
export interface Review {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly approve: boolean
  readonly actor: string
  readonly reason: string
}

export type WithdrawalReview = ReturnType<typeof createWithdrawalReview>

/** Creates the decisions of admins about withdrawals. Rules, sections 7 and 12. */
export function createWithdrawalReview(deps: {
  now: Now
  ledger: LedgerService
  members: MembersService
  book: WithdrawalSteps
  adminLog: AdminLogService
}) {
  const { now, ledger, book, adminLog } = deps
  const queue = createWithdrawalQueue(deps)

  return {
    wasPaidTo: repository.wasPaidTo,

    /** Withdrawals that wait for a decision, oldest first. */
    pending(db: Db, limit: number): Promise<WithdrawalRow[]> {
      return repository.auditingWithdrawals(db, limit)
    },

    /** Withdrawals by their ids, in the given order. Throws WITHDRAWAL_NOT_FOUND. */
    find(db: Db, ids: readonly Pick<Review, 'memberId' | 'withdrawalId'>[]): Promise<WithdrawalRow[]> {
      return Promise.all(
        ids.map(async ({ memberId, withdrawalId }) => {
          const row = await repository.findWithdrawal(db, memberId, withdrawalId)
          if (row === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND')
          return row
        }),
      )
    },

    /** A page of those under audit with what makes them risky, and how many there are. */
    queue: queue.page,
    countWaiting: queue.countWaiting,

    /** Reports whether every withdrawal of a member waits for an admin. */
    isFlagged: repository.isFlagged,

    /** Approves or rejects; a rejected amount returns, and the day's limit with it. Throws WITHDRAWAL_NOT_FOUND, NOTHING_TO_REVIEW. */
    async decide(dbTx: Db, { memberId, withdrawalId, approve, actor, reason }: Review): Promise<void> {
      const row = await book.lock(dbTx, memberId, withdrawalId)
      const status = approve ? 'Withdrawable' : 'Rejected'
      if (!mayBecome(row, status)) throw new AppError('NOTHING_TO_REVIEW')
      const at = now()
      if (!approve) await book.giveBack(dbTx, row, at)
      await repository.updateWithdrawal(dbTx, row, {
        status,
        reviewed_at: at,
        reviewed_by: actor,
        review_reason: reason,
      })
      await adminLog.record(dbTx, {
        actor,
        action: approve ? 'withdrawal.approve' : 'withdrawal.reject',
        subject: `member/${memberId}/withdrawal/${withdrawalId}`,
        reason,
        before: { status: row.status },
        after: { status },
      })
    },

    /** From now on every withdrawal of the member waits for an admin, or no longer does. */
    async flag(
      dbTx: Db,
      {
        memberId,
        flagged,
        actor,
        reason,
      }: { memberId: bigint; flagged: boolean; actor: string; reason: string },
    ): Promise<void> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const before = await repository.isFlagged(dbTx, memberId)
      if (before === flagged) return
      if (flagged) {
        const flag = { member_id: memberId, reason, flagged_by: actor, flagged_at: now() }
        await repository.insertFlag(dbTx, flag)
      } else {
        await repository.deleteFlag(dbTx, memberId)
      }
      await adminLog.record(dbTx, {
        actor,
        action: flagged ? 'member.flag' : 'member.unflag',
        subject: `member/${memberId}`,
        reason,
        before: { flagged: before },
        after: { flagged },
      })
    },
  }
}
