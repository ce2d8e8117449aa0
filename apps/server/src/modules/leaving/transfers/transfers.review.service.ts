import { canTransition, TRANSFER_TRANSITIONS } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { requireMayPutIn } from '../../access/gates/gates.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import { requireAddressServed } from '../../members/reach/reach.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { AddressesService } from '../leaving.addresses.service.ts'
import type { TransferRow } from './transfers.repository.ts'
import * as repository from './transfers.repository.ts'
import type { TransferSteps } from './transfers.steps.service.ts'

/** An admin's decision on a held transfer. A rejected sender is shown the reason. */
export interface TransferDecision {
  readonly memberId: bigint
  readonly transferId: bigint
  readonly approve: boolean
  readonly actor: string
  readonly reason: string
}

export type TransferReview = ReturnType<typeof createTransferReview>

/** Creates the decisions of admins about held transfers. Rules, sections 10 and 12. */
export function createTransferReview({
  now,
  members,
  contacts,
  adminLog,
  steps,
}: {
  now: Now
  members: MembersService
  contacts: AddressesService
  adminLog: AdminLogService
  steps: TransferSteps
}) {
  return {
    /** Returns sent transfers by their ids, in the given order. Throws TRANSFER_NOT_FOUND. */
    find(db: Db, ids: readonly Pick<TransferDecision, 'memberId' | 'transferId'>[]): Promise<TransferRow[]> {
      return Promise.all(
        ids.map(async ({ memberId, transferId }) => {
          const row = await repository.findTransfer(db, memberId, transferId)
          if (row?.direction !== 'out') throw new AppError('TRANSFER_NOT_FOUND')
          return row
        }),
      )
    },

    /**
     * Lets a held transfer arrive or returns it to the sender, which also restores the daily limit. Throws
     * TRANSFER_NOT_FOUND, NOTHING_TO_REVIEW, and for an approval PAUSED and MEMBER_FROZEN.
     */
    async decide(
      dbTx: Db,
      { memberId, transferId, approve, actor, reason }: TransferDecision,
    ): Promise<void> {
      const row = await steps.lock(dbTx, memberId, transferId)
      const status = approve ? 'Success' : 'Rejected'
      if (!canTransition(TRANSFER_TRANSITIONS, row.status, status)) throw new AppError('NOTHING_TO_REVIEW')
      const at = now()
      if (approve) {
        await requireMayPutIn(dbTx, memberId, 'withdrawals', 'transfers')
        const to = (await members.get(dbTx, row.counterpart_id)).address
        await requireAddressServed(dbTx, to)
        await steps.arrive(dbTx, row, at)
        await contacts.noteSent(dbTx, memberId, to, at)
      } else await steps.release(dbTx, row, at)
      await repository.endHold(dbTx, row, {
        status,
        reviewed_at: at,
        reviewed_by: actor,
        review_reason: reason,
        completed_at: approve ? at : null,
      })
      await adminLog.record(dbTx, {
        actor,
        action: approve ? 'transfer.approve' : 'transfer.reject',
        reason,
        subject: `member/${memberId}/transfer/${transferId}`,
        before: { status: row.status },
        after: { status },
      })
    },
  }
}
