import type { WebhookEvent } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Posting } from '../../books/ledger/ledger.service.ts'
import type { AdminAction, AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import * as repository from './webhooks.repository.ts'

export type WebhookEvents = ReturnType<typeof createWebhookEvents>

/** The ledger transactions that are events. */
const OF_LEDGER: Partial<Record<Posting['kind'], WebhookEvent>> = {
  order_payment: 'order.paid',
  unmatched_payment: 'payment.unmatched',
  suspense_release: 'payment.released',
  withdrawal_request: 'withdrawal.requested',
  withdrawal_return: 'withdrawal.returned',
  withdrawal_paid: 'withdrawal.paid',
  fund_purchase: 'fund.purchased',
  fund_redemption: 'fund.redeemed',
  treasury_payout: 'treasury.paid',
}

/** The admin log entries that are events. */
const OF_LOG: Readonly<Record<string, WebhookEvent>> = {
  'proposal.prepare': 'proposal.prepared',
  'proposal.approve': 'proposal.approved',
  'proposal.refuse': 'proposal.refused',
  'proposal.apply': 'proposal.applied',
  'proposal.withdraw': 'proposal.ended',
  'proposal.expire': 'proposal.ended',
  'proposal.fail': 'proposal.ended',
  'withdrawal.approve': 'withdrawal.approved',
  'price.publish': 'price.published',
  'announcement.publish': 'announcement.published',
  'announcement.withdraw': 'announcement.withdrawn',
}

/**
 * Creates the recording of events for webhooks: each in the transaction of the event, so that it exists
 * exactly once, and only if an endpoint subscribes to it.
 */
export function createWebhookEvents({ now }: { now: Now }) {
  /** Records an event. `data` is plain JSON without secrets, amounts as decimal strings. */
  const emit = (dbTx: Db, kind: WebhookEvent, data: Record<string, unknown>): Promise<void> =>
    repository.insertEvent(dbTx, { kind, data, at: now() })

  return {
    emit,

    /** Records the events of money among postings. */
    async ofPostings(dbTx: Db, postings: readonly Posting[]): Promise<void> {
      const events = postings.flatMap((posting) => {
        const kind = OF_LEDGER[posting.kind]
        return kind === undefined ? [] : [{ kind, data: moneyOf(posting) }]
      })
      await repository.insertEvents(dbTx, events, now())
    },

    /** Returns a log of admins that records events of decisions. */
    ofAdminLog(adminLog: AdminLogService): AdminLogService {
      return {
        ...adminLog,
        async record(dbTx: Db, action: AdminAction) {
          await adminLog.record(dbTx, action)
          const kind = OF_LOG[action.action]
          if (kind !== undefined) await emit(dbTx, kind, decisionOf(action))
        },
      }
    },
  }
}

function moneyOf({ kind, cause, lines, accountingDay }: Posting): Record<string, unknown> {
  return {
    kind,
    cause,
    accounting_day: accountingDay,
    lines: (lines ?? []).map(({ memberId, asset, source, destination, amountMicros }) => ({
      member_id: `${memberId}`,
      asset,
      from: source,
      to: destination,
      amount: formatMicros(amountMicros),
    })),
  }
}

/** Returns the facts of a decision, without texts typed by persons. */
function decisionOf({ actor, action, subject, after }: AdminAction): Record<string, unknown> {
  const { proposal, kind, digest, price } = (after ?? {}) as Record<string, unknown>
  const facts = { actor, action, subject, proposal_id: proposal, kind, digest, price }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
