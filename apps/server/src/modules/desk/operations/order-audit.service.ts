import type { OrderAudit, OrderAuditQuery } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import { stuckEvent } from '../../../chain/indexer/set-aside.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { MembersService } from '../../members/members.service.ts'
import {
  eventSubject,
  type ProposalsService,
  paymentSubject,
  redemptionSubject,
} from '../proposals/proposals.service.ts'
import * as repository from './order-audit.repository.ts'

/**
 * The time after its report or expiry at which an order counts as stuck: workers process both every few
 * seconds.
 */
const STUCK_MS = 15 * 60_000
const SHOWN = 100

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Pick<Chain, 'chainId'>
  readonly members: MembersService
  readonly proposals: Pick<ProposalsService, 'openBySubject'>
}

export type OrderAuditService = ReturnType<typeof createOrderAudit>

/** Creates the queues of orders, redemptions and payments that wait for an admin. Rules, sections 3, 8 and 12. */
export function createOrderAudit({ db, now, chain, members, proposals }: Deps) {
  async function stuckEventItem(): Promise<OrderAudit['stuck_event']> {
    const stuck = await stuckEvent(db, chain.chainId)
    if (stuck === null) return null
    const { event, failure, failedAt, waiting } = stuck
    const key = { block_hash: event.blockHash, log_index: event.logIndex }
    const subject = eventSubject(key)
    const open = await proposals.openBySubject(db, 'event_set_aside', [subject])
    return {
      name: event.name,
      tx_hash: event.txHash,
      ...key,
      block_number: `${event.blockNumber}`,
      block_at: event.blockAt.toISOString(),
      failed_at: failedAt.toISOString(),
      failure,
      waiting,
      final_on_l1: stuck.isFinalOnL1,
      proposal_id: idText(open.get(subject)),
    }
  }

  return {
    /**
     * Returns the event that blocks all later ones, and three queues, each oldest first and with the open
     * proposal about each item. Filters apply only to the queues.
     */
    async queues(query: OrderAuditQuery = {}): Promise<OrderAudit> {
      const at = now()
      const { q = '', reason, redemption, type } = query
      const page = { find: findOf(q), limit: SHOWN }
      const [orders, redemptions, payments] = await Promise.all([
        repository.stuckOrders(db, new Date(at.getTime() - STUCK_MS), { ...page, type }),
        repository.waitingRedemptions(db, at, { ...page, status: redemption }),
        repository.suspendedPayments(db, { ...page, reason }),
      ])
      const memberIds = [...orders.rows, ...redemptions.rows, ...payments.rows].map(
        ({ memberId }) => memberId,
      )
      const subjects = {
        fund_redemption: redemptions.rows.map((row) => redemptionSubject(row.memberId, row.redemptionId)),
        suspense: payments.rows.map((row) => paymentSubject(row.txHash, row.logIndex)),
      }
      const [addresses, payers, decided, released] = await Promise.all([
        members.addresses(db, [...new Set(memberIds)]),
        members.byAddresses(db, [...new Set(payments.rows.map(({ payer }) => payer))]),
        proposals.openBySubject(db, 'fund_redemption', subjects.fund_redemption),
        proposals.openBySubject(db, 'suspense', subjects.suspense),
      ])
      const whose = (memberId: bigint) => ({
        member_id: `${memberId}`,
        member_address: getAddress(addresses.get(memberId)! as Hex),
      })
      return {
        stuck_event: await stuckEventItem(),
        orders: {
          waiting: orders.waiting,
          items: orders.rows.map((row) => ({
            type: row.type,
            order_id: `${row.orderId}`,
            ...whose(row.memberId),
            name: row.name,
            status: row.status,
            tx_hash: row.txHash,
            since: row.since.toISOString(),
          })),
        },
        redemptions: {
          waiting: redemptions.waiting,
          items: redemptions.rows.map((row, index) => ({
            redemption_id: `${row.redemptionId}`,
            ...whose(row.memberId),
            product_name: row.productName,
            units: `${row.units}`,
            cost: formatMicros(row.costMicros),
            status: row.status,
            submitted_at: row.submittedAt.toISOString(),
            due_at: row.dueAt?.toISOString() ?? null,
            proposal_id: idText(decided.get(subjects.fund_redemption[index]!)),
          })),
        },
        payments: {
          waiting: payments.waiting,
          items: payments.rows.map((row, index) => {
            const payerId = payers.get(row.payer)
            const hasOther = addresses.has(row.memberId) && row.memberId !== payerId
            return {
              member_id: `${row.memberId}`,
              tx_hash: row.txHash,
              log_index: row.logIndex,
              payer: getAddress(row.payer as Hex),
              payer_member_id: idText(payerId),
              order_member_id: hasOther ? `${row.memberId}` : null,
              reason: row.reason,
              usdt: formatMicros(row.usdtMicros),
              amc: formatMicros(row.amcMicros),
              paid_at: row.paidAt.toISOString(),
              proposal_id: idText(released.get(subjects.suspense[index]!)),
            }
          }),
        },
      }
    },
  }
}

/** Parses a search text. Returns null for an empty one; an impossible text finds nothing. */
function findOf(q: string): repository.Find | null {
  if (q === '') return null
  const [, number] = /^#?([0-9]{1,18})$/.exec(q) ?? []
  if (number !== undefined) return { number: BigInt(number) }
  if (/^0x[0-9a-f]{64}$/i.test(q)) return { hash: q.toLowerCase() }
  return { addressStart: /^0x[0-9a-f]{0,40}$/i.test(q) ? q.toLowerCase() : 'nothing' }
}

const idText = (id: bigint | undefined) => (id === undefined ? null : `${id}`)
