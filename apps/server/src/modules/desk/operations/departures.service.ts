import type { AuditedDeparture, AuditQueueQuery, DepartureState } from '@rif/api-schema'
import { dayOf, formatMicros, parseMicros, type WithdrawalStatus } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import type {
  DepartureFilter,
  DeparturePlace,
  DepartureQueue,
  QueuedDeparture,
} from '../../leaving/leaving.queue.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import {
  type ProposalsService,
  SEVERAL_TRANSFERS,
  SEVERAL_WITHDRAWALS,
  transferSubject,
  withdrawalSubject,
} from '../proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: PlansService
  readonly departureQueue: DepartureQueue
  readonly proposals: Pick<ProposalsService, 'openBySubject' | 'openPayloads'>
}

export type DeparturesOperated = ReturnType<typeof createDeparturesOperated>

/**
 * The maximum number of reads of one request. Risks are computed, so a filter by risk reads departures that
 * it then leaves out.
 */
const MOST_READS = 10
const DAY_MS = 24 * 60 * 60_000

const STATUSES: Readonly<Record<DepartureState, readonly WithdrawalStatus[]>> = {
  open: ['Auditing', 'Withdrawable'],
  held: ['Auditing'],
  proposed: ['Auditing'],
  ready: ['Withdrawable'],
  ended: ['Success', 'Rejected', 'Cancelled'],
  done: ['Success'],
  rejected: ['Rejected'],
  cancelled: ['Cancelled'],
}

/** Creates the operators' list of withdrawals and transfers. Rules, section 12. */
export function createDeparturesOperated({ db, now, plans, departureQueue, proposals }: Deps) {
  /** Returns the open proposals about held departures, by their subject. */
  async function openReviews(departures: readonly Subject[]): Promise<ReadonlyMap<string, bigint>> {
    const heldDepartures = departures.filter(({ status }) => status === 'Auditing')
    if (heldDepartures.length === 0) return new Map()
    const subjects = (is: Subject['is']) => heldDepartures.filter((item) => item.is === is).map(subjectOf)
    const open = new Map([
      ...(await proposals.openBySubject(db, 'withdrawals', subjects('withdrawal'))),
      ...(await proposals.openBySubject(db, 'transfers', subjects('transfer'))),
    ])
    for (const [id, several] of await proposals.openPayloads(db, 'withdrawals', SEVERAL_WITHDRAWALS)) {
      for (const withdrawal of several.withdrawals)
        open.set(withdrawalSubject(withdrawal.member_id, withdrawal.withdraw_id), id)
    }
    for (const [id, several] of await proposals.openPayloads(db, 'transfers', SEVERAL_TRANSFERS)) {
      for (const transfer of several.transfers)
        open.set(transferSubject(transfer.member_id, transfer.transfer_id), id)
    }
    return open
  }

  return {
    /**
     * Returns a page of withdrawals and transfers with the open proposal about each. A page filtered by risk
     * may hold fewer than `limit` although others follow.
     */
    async auditQueue(query: AuditQueueQuery) {
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const bulkUpTo = plan.withdrawal.auditAboveMicros
      const filter = filterOf(query)
      const rows = query.limit + 1
      const items: AuditedDeparture[] = []
      let after = placeOf(query.cursor)
      let next: string | null = null
      for (let reads = 0; filter !== null && reads < MOST_READS; reads++) {
        const page = await departureQueue.page(db, { filter, order: query.order, after, limit: rows })
        const open = await openReviews(page.map(({ departure }) => departure))
        const isEnd = page.length < rows
        next = null
        for (const [index, { departure, place }] of page.entries()) {
          const proposalId = open.get(subjectOf(departure)) ?? null
          if (!isWanted(query, departure, proposalId)) continue
          if (items.length === query.limit) break
          items.push(shown(departure, proposalId, bulkUpTo))
          if (items.length === query.limit && (index < page.length - 1 || !isEnd))
            next = encodeCursor(...place)
        }
        after = page.at(-1)?.place
        if (isEnd || items.length === query.limit) break
        next = encodeCursor(...after!)
      }
      const ready = await departureQueue.readySum(db)
      return {
        items,
        next,
        waiting: await departureQueue.countWaiting(db),
        ready: { count: ready.count, worth_usdt: formatMicros(ready.worthMicros) },
        bulk_up_to_usdt: formatMicros(bulkUpTo),
      }
    },
  }
}

type Subject = Pick<AuditedDeparture, 'is' | 'id' | 'member_id' | 'status'>

const subjectOf = ({ is, id, member_id }: Subject): string =>
  is === 'transfer' ? transferSubject(member_id, id) : withdrawalSubject(member_id, id)

function placeOf(cursor: string | undefined): DeparturePlace | undefined {
  const parts = decodeCursor(cursor, 3)
  return parts && [parts[0]!, parts[1]!, parts[2]!]
}

const isWanted = (
  { risk, state }: AuditQueueQuery,
  departure: QueuedDeparture,
  proposalId: bigint | null,
): boolean =>
  (risk === undefined || departure.reasons.includes(risk)) && (state !== 'proposed' || proposalId !== null)

const shown = (
  { recentMicros, ...departure }: QueuedDeparture,
  proposalId: bigint | null,
  bulkUpTo: bigint,
): AuditedDeparture => ({
  ...departure,
  proposal_id: proposalId === null ? null : `${proposalId}`,
  bulk: recentMicros <= bulkUpTo,
})

/** Parses the filters of a list. Returns null for a search text that no departure can match. */
function filterOf(query: AuditQueueQuery): DepartureFilter | null {
  const { state, is, asset, least, from, to, ended_from: endedFrom, order, q = '' } = query
  const filter: DepartureFilter = {
    statuses: STATUSES[state],
    is,
    asset,
    least: least === undefined ? undefined : parseMicros(least),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    // Open departures have no position in an order by their end.
    endedFrom: endedFrom !== undefined || order === 'ended' ? new Date(endedFrom ?? 0) : undefined,
  }
  if (q === '') return filter
  const [, sort, number] = /^(?:([wt])-|#)?([0-9]{1,18})$/i.exec(q) ?? []
  if (number !== undefined) {
    const named = { w: 'withdrawal', t: 'transfer' } as const
    const kind = sort && named[sort.toLowerCase() as keyof typeof named]
    return { ...filter, ...(kind && { is: kind }), number: BigInt(number) }
  }
  return /^0x[0-9a-f]{0,40}$/i.test(q) ? { ...filter, addressStart: q.toLowerCase() } : null
}
