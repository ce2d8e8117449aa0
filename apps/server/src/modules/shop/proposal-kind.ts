import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { AppError } from '../../lib/errors.ts'
import type { MembersService } from '../members/members.service.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import { paymentSubject } from '../proposal-subjects.ts'
import type { Checkout } from './checkout/checkout.service.ts'

/**
 * Moves a payment in `suspense` to a member's balance: its payer's (a refund) or that of the intended member. It states whether
 * the refund is free to withdraw, because the payer did not err (rules, section 7).
 */
export function suspenseKind(deps: {
  checkout: Checkout
  members: MembersService
}): Kind<ProposalPayload<'suspense'>> {
  const keyOf = ({ member_id, tx_hash, log_index }: ProposalPayload<'suspense'>) => ({
    memberId: BigInt(member_id),
    txHash: tx_hash.toLowerCase(),
    logIndex: log_index,
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const payment = await deps.checkout.suspended(db, keyOf(payload))
      const to = await deps.members.get(db, BigInt(payload.to_member_id))
      const amounts = `${formatMicros(payment.usdtMicros)} USDT, ${formatMicros(payment.amcMicros)} AMC`
      const isRefund = payment.payer === to.address
      const isFree = payload.is_free
      if (isFree && !isRefund)
        throw new AppError('VALIDATION_FAILED', { field: 'is_free', problem: 'is only for the payer' })
      const fee = isFree ? 'free to withdraw (the payer did not err)' : 'with the usual fee to withdraw'
      return {
        subject: paymentSubject(payload.tx_hash, payload.log_index),
        summary: `${isRefund ? 'Give back' : 'Assign'} ${amounts} paid by ${payment.payer} to member ${to.memberId} (${to.address}), ${fee}`,
        headline: says(isFree ? 'refund_free' : isRefund ? 'refund' : 'assign', {
          ...moneyOf(payment),
          to: getAddress(to.address as Hex),
        }),
        difference: [
          change('suspense', amounts, null, payment.payer),
          change('available', null, amounts, to.address),
          change('withdrawal_fee', null, isFree ? 'none' : 'usual'),
        ],
        memberIds: [to.memberId],
        payees: [payment.payer],
        amounts: [
          { asset: 'USDT', micros: payment.usdtMicros },
          { asset: 'AMC', micros: payment.amcMicros },
        ],
      }
    },
    apply: (dbTx, payload, { decidedBy }) =>
      deps.checkout.release(dbTx, keyOf(payload), {
        toMemberId: BigInt(payload.to_member_id),
        isFree: payload.is_free,
        actor: decidedBy,
      }),
  }
}

/** Returns the amounts of a payment for its sentence, without assets of zero amount. */
function moneyOf({ usdtMicros, amcMicros }: { usdtMicros: bigint; amcMicros: bigint }) {
  const isSingle = amcMicros === 0n || usdtMicros === 0n
  const isAmc = usdtMicros === 0n && amcMicros > 0n
  return {
    amount: formatMicros(isAmc ? amcMicros : usdtMicros),
    asset: isAmc ? 'AMC' : 'USDT',
    ...(!isSingle && { amount2: formatMicros(amcMicros), asset2: 'AMC' }),
  }
}
