import type { ProposalPayload } from '@rif/api-schema'
import type { Chain } from '../../../chain/client.ts'
import type { EventHandlers } from '../../../chain/indexer/events.ts'
import { approveRecovery, findRecovery } from '../../../chain/indexer/recovery.ts'
import { requireStuck, setAside } from '../../../chain/indexer/set-aside.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { change, type Kind, says } from '../../proposal-kind.ts'
import { eventSubject } from '../../proposal-subjects.ts'

/**
 * Undoes booked events that a reorganisation below L1 finality removed. Its approval sets the indexer back to the last
 * block that both branches have; the indexer then posts the corrections. Decision 22.
 */
export function recoveryKind({
  now,
  chain,
}: {
  now: Now
  chain: { readonly chainId: number }
}): Kind<ProposalPayload<'recovery'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { recovery_id }) {
      const recovery = await findRecovery(db, BigInt(recovery_id))
      if (recovery === undefined) throw new AppError('NOT_FOUND')
      if (recovery.approvedAt !== null) throw new AppError('NOTHING_TO_REVIEW')
      const { ancestor, plan } = recovery
      const members = [...plan.postings, ...plan.debts].map(({ memberId }) => BigInt(memberId))
      return {
        subject: `recovery/${recovery_id}`,
        summary: `Go back to block ${ancestor.number} and undo ${plan.events.length} booked event(s) with ${plan.postings.length} posting(s)`,
        headline: says('recovery', { block: `${ancestor.number}`, count: `${plan.events.length}` }),
        difference: [
          ...plan.events.map(({ name, txHash, block, outcome }) =>
            change('event', `booked in block ${block}`, outcome, `${name} ${txHash}`),
          ),
          ...plan.accounts.map(({ account, asset, before, after }) =>
            change('account', before, after, `${account} ${asset}`),
          ),
          ...plan.postings.map(({ memberId, kind, asset, source, destination, amount }) =>
            change(
              'posting',
              null,
              `${amount} ${asset}: ${source} -> ${destination} (${kind})`,
              `member ${memberId}`,
            ),
          ),
          ...plan.settled.map(({ kind, paid, without }) =>
            change('settled_rewards', `${paid} USDT worth`, `stays; ${without} without the orders`, kind),
          ),
          ...plan.debts.map(({ memberId, asset, amount }) =>
            change('debt', null, `${amount} ${asset}`, `member ${memberId}`),
          ),
          ...plan.left.map(({ memberId, asset, amount }) =>
            change('claimed', `${amount} ${asset}`, null, `member ${memberId}`),
          ),
        ],
        memberIds: [...new Set(members)].filter((memberId) => memberId !== 0n),
      }
    },
    apply: (dbTx, { recovery_id }, { decidedBy }) =>
      approveRecovery(dbTx, chain.chainId, {
        recoveryId: BigInt(recovery_id),
        actor: decidedBy,
        at: now(),
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
  eventHandlers: () => EventHandlers
}): Kind<ProposalPayload<'event_set_aside'>> {
  const { now } = deps
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
      setAside(dbTx, { chainId, handlers: deps.eventHandlers() }, keyOf(payload), {
        preparedBy,
        decidedBy,
        reason,
        at: now(),
      }),
  }
}
