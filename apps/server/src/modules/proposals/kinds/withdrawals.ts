import { createHash } from 'node:crypto'
import type { ProposalPayload } from '@rif/api-schema'
import { dayOf, formatMicros } from '@rif/rules'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { WithdrawalReview } from '../../withdrawals/withdrawals.service.ts'
import { change, type Kind } from '../proposals.kinds.ts'
import { SEVERAL_WITHDRAWALS, withdrawalSubject } from '../proposals.subjects.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly review: WithdrawalReview
}

type Payload = ProposalPayload<'withdrawals'>

/** Withdrawals under audit, one or several small ones together. Rules, section 7. */
export function withdrawalsKind({ now, ledger, plans, review }: Deps): Kind<Payload> {
  const idsOf = ({ withdrawals }: Payload) =>
    withdrawals.map(({ member_id, withdraw_id }) => ({
      memberId: BigInt(member_id),
      withdrawalId: BigInt(withdraw_id),
    }))

  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, payload) {
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const rows = await review.find(db, idsOf(payload))
      const isBulk = rows.length > 1
      const tooLarge = rows.find((row) => row.worth_micros > plan.withdrawal.auditAboveMicros)
      if (isBulk && tooLarge !== undefined) {
        throw new AppError('VALIDATION_FAILED', {
          field: 'withdrawals',
          problem: `${tooLarge.withdrawal_id} is too large to be decided on together with others`,
        })
      }
      const after = payload.approve ? 'Withdrawable' : 'Rejected'
      const worth = formatMicros(rows.reduce((sum, row) => sum + row.worth_micros, 0n))
      const verb = payload.approve ? 'Approve' : 'Reject'
      const [first] = rows
      const what = isBulk
        ? `${rows.length} withdrawals, ${worth} USDT worth in all`
        : `withdrawal ${first!.withdrawal_id} of member ${first!.member_id}: ${formatMicros(first!.amount_micros)} ${first!.asset} to ${first!.to_address}`
      const names = rows.map((row) => withdrawalSubject(row.member_id, row.withdrawal_id))
      return {
        subject: isBulk ? `${SEVERAL_WITHDRAWALS}${shortDigest(names.join())}` : names[0]!,
        summary: `${verb} ${what}`,
        difference: rows.map((row) =>
          change(
            'status',
            row.status,
            after,
            `${row.withdrawal_id}: ${formatMicros(row.amount_micros)} ${row.asset} -> ${row.to_address}`,
          ),
        ),
        effects: [{ name: payload.approve ? 'may_be_claimed' : 'amount_returns', values: { worth } }],
        memberIds: [...new Set(rows.map((row) => row.member_id))],
      }
    },
    async apply(dbTx, payload, { decidedBy, reason }) {
      const ids = idsOf(payload).sort((a, b) =>
        a.memberId < b.memberId ? -1 : a.memberId > b.memberId ? 1 : 0,
      )
      await ledger.lock(dbTx, { memberIds: [...new Set(ids.map(({ memberId }) => memberId))] })
      for (const one of ids) {
        await review.decide(dbTx, { ...one, approve: payload.approve, actor: decidedBy, reason })
      }
      return { decided: ids.length }
    },
  }
}

/** The first 16 hexadecimal digits of the SHA-256 of a text. */
const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
