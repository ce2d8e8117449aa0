import type { ProposalPayload } from '@rif/api-schema'
import { dayOf, formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import type { EventHandlers } from '../../../chain/indexer/events.ts'
import { requireStuck, setAside } from '../../../chain/indexer/set-aside.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Checkout } from '../../checkout/checkout.service.ts'
import { REVERSIBLE_KINDS } from '../../ledger/ledger.accounts.ts'
import type { LedgerLine, LedgerService } from '../../ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { TransfersService } from '../../transfers/transfers.service.ts'
import { type Amount, change, type Kind, says } from '../proposals.kinds.ts'
import { eventSubject, paymentSubject } from '../proposals.subjects.ts'

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

/**
 * Sets aside an event that its handler cannot apply and that blocks all later ones; its money is booked
 * separately.
 */
export function setAsideKind(deps: {
  now: Now
  chain: Pick<Chain, 'chainId'>
  eventHandlers: EventHandlers
}): Kind<ProposalPayload<'event_set_aside'>> {
  const { now, eventHandlers: handlers } = deps
  const { chainId } = deps.chain
  const keyOf = ({ block_hash, log_index }: ProposalPayload<'event_set_aside'>) => ({
    blockHash: block_hash.toLowerCase(),
    logIndex: log_index,
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const { event } = await requireStuck(db, chainId, keyOf(payload))
      const money =
        event.name === 'Claimed' ? 'booked as paid out, or as owed by the operator' : 'held in suspense'
      return {
        subject: eventSubject(payload),
        summary: `Set aside ${event.name} of transaction ${event.txHash}, which cannot be applied; its money is ${money}`,
        headline: says('event_set_aside', { event: event.name }),
        difference: [
          change('event', 'waits', 'set aside', event.txHash),
          ...Object.entries(event.args).map(([name, value]) => change(name, null, `${value}`, event.name)),
        ],
      }
    },
    apply: (dbTx, payload, { preparedBy, decidedBy, reason }) =>
      setAside(dbTx, { chainId, handlers }, keyOf(payload), { preparedBy, decidedBy, reason, at: now() }),
  }
}

/** Corrects a mistake: reverses a posted transaction in full, never below zero. Rules, section 2. */
export function reversalKind(deps: {
  now: Now
  ledger: LedgerService
  transfers: Pick<TransfersService, 'counterpart'>
}): Kind<ProposalPayload<'reversal'>> {
  const { now, ledger, transfers } = deps
  async function find(db: Db, { member_id, seq }: ProposalPayload<'reversal'>) {
    const memberId = BigInt(member_id)
    const own = await ledger.history.transaction(db, memberId, BigInt(seq))
    if (own === undefined) throw new AppError('NOT_FOUND')
    const isShared = own.kind === 'transfer'
    const others = isShared ? [await transfers.counterpart(db, memberId, BigInt(own.causeId))] : []
    const posted = isShared ? (await ledger.history.transaction(db, memberId, BigInt(seq), others))! : own
    if (!REVERSIBLE_KINDS.includes(posted.kind)) throw new AppError('NOT_REVERSIBLE', { kind: posted.kind })
    if (posted.isReversed) throw new AppError('NOTHING_TO_REVIEW')
    return posted
  }
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const posted = await find(db, payload)
      return {
        subject: `ledger/${posted.key}`,
        summary: `Reverse transaction ${payload.seq} of member ${payload.member_id} (${posted.kind} ${posted.key})`,
        headline: says('reversal', { seq: payload.seq, member: payload.member_id }),
        difference: posted.lines.map(({ memberId, asset, source, destination, amountMicros }) =>
          change(
            'posting',
            `${formatMicros(amountMicros)} ${asset}: ${source} -> ${destination}`,
            `${formatMicros(amountMicros)} ${asset}: ${destination} -> ${source}`,
            `member ${memberId}`,
          ),
        ),
        memberIds: [...new Set(posted.lines.map(({ memberId }) => memberId))],
        amounts: movedBy(posted.lines),
      }
    },
    async apply(dbTx, payload, { decidedBy }) {
      const { key, lines } = await find(dbTx, payload)
      const at = now()
      await ledger.reverse(dbTx, {
        key,
        memberIds: [...new Set(lines.map(({ memberId }) => memberId))],
        cause: { type: 'correction', id: decidedBy },
        at,
        accountingDay: dayOf(at.getTime()),
      })
    },
  }
}

/** Returns the amounts of a payment for its sentence, without assets of zero amount. */
function moneyOf({ usdtMicros, amcMicros }: { usdtMicros: bigint; amcMicros: bigint }) {
  const one = amcMicros === 0n || usdtMicros === 0n
  const isAmc = usdtMicros === 0n && amcMicros > 0n
  return {
    amount: formatMicros(isAmc ? amcMicros : usdtMicros),
    asset: isAmc ? 'AMC' : 'USDT',
    ...(!one && { amount2: formatMicros(amcMicros), asset2: 'AMC' }),
  }
}

/** Returns the amounts of a transaction; the halves of a movement between members count once. */
function movedBy(lines: readonly LedgerLine[]): Amount[] {
  return lines.flatMap(({ asset, destination, amountMicros }) =>
    destination === 'clearing' ? [] : [{ asset, micros: amountMicros }],
  )
}
