import {
  ACTIVITY_GROUPS,
  type Activity,
  type ActivityDetail,
  type ActivityGroup,
  type Notifications,
  type RewardType,
  type RouteRequest,
} from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Chain } from '../../../chain/client.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { HistoryEntry, HistoryMatch, LedgerService } from '../../books/ledger/ledger.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { RewardFigures } from '../../rewards/rewards.figures.service.ts'
import type { Shop } from '../../shop/shop.service.ts'
import * as repository from './activity.repository.ts'
import { createPackages } from './packages.ts'
import { createSentTo } from './sent.ts'
import { createSources, type SourcesDeps } from './sources.ts'
import { activityView, isNews, linesOf, SKIPPED_KINDS } from './view.ts'

interface Deps extends SourcesDeps {
  readonly chain: Pick<Chain, 'decimals'>
  readonly now: Now
  readonly ledger: LedgerService
  readonly rewardFigures: Pick<RewardFigures, 'ofPackages' | 'ofTransaction'>
  readonly plans: Pick<PlansService, 'planAt'>
  readonly shop: Pick<Shop, 'packageNames' | 'namesOfOrders' | 'ordersNamed' | 'packages'>
  readonly withdrawals: Pick<WithdrawalsService, 'receiversOf' | 'paidBy'>
}

export type ActivityService = ReturnType<typeof createActivityService>

/** The maximum of the unseen count, where counting stops. */
const UNSEEN_LIMIT = 99
/** The number of transactions per read when only news is returned. */
const NEWS_CHUNK = 100
/** The number of transactions of a member that one statement reads. */
const WINDOW = 5_000n
/** The maximum number of windows per request. */
const WINDOWS = 4
/** The maximum number of orders that a search by name finds. */
const NAMED_ORDERS = 200
/** The maximum number of related transactions on a detail page. */
const RELATED = 50
/** The cause types that name one numbered record of the member. */
const NUMBERED: readonly string[] = [
  'order',
  'withdrawal',
  'transfer',
  'fund_order',
  'fund_redemption',
  'savings_transfer',
]

interface FeedQuery extends Omit<RouteRequest<'activity'>['query'], 'cursor'> {
  readonly beforeSeq: bigint | undefined
}

const kindsOf = (group: ActivityGroup): string[] =>
  ACTIVITY_GROUPS[group].flatMap((kind) => [kind, `${kind}:reversal`])

/** Reports whether no transaction can meet a condition, so that none needs to be read. */
const isEmpty = ({ kinds, causes, amountMicros }: HistoryMatch) =>
  kinds.length === 0 && causes.length === 0 && amountMicros === null

/** Creates the service of the events in members' books and of their seen positions. */
export function createActivityService(deps: Deps) {
  const { now, ledger, rewardFigures, plans, shop, withdrawals } = deps
  const sourcesOf = createSources(deps)
  /**
   * Returns matching transactions before one, newest first, and the position to continue from. Reads at most
   * `WINDOWS` windows of the books: a page may be short, or empty, before the end.
   */
  async function read(
    db: Db,
    memberId: bigint,
    query: FeedQuery,
  ): Promise<{ entries: HistoryEntry[]; nextSeq: bigint | null }> {
    const from = query.from === undefined ? undefined : new Date(query.from)
    const until = query.until === undefined ? undefined : new Date(query.until)
    const { first, end } = await ledger.history.seqBounds(db, memberId, { from, until })
    const match = await matchOf(db, memberId, query)
    if (match !== undefined && isEmpty(match)) return { entries: [], nextSeq: null }
    const kinds = query.group === undefined ? {} : { kinds: kindsOf(query.group) }
    const entries: HistoryEntry[] = []
    let beforeSeq = query.beforeSeq === undefined || query.beforeSeq > end ? end : query.beforeSeq
    for (let window = 0; window < WINDOWS && beforeSeq > first; window++) {
      const low = beforeSeq > first + WINDOW ? beforeSeq - WINDOW : first
      // News is filtered from the rows read; other filters are applied by the database.
      const limit = query.news ? NEWS_CHUNK : query.limit + 1 - entries.length
      const filter = { ...kinds, skippedKinds: SKIPPED_KINDS, from, until, match }
      const page = await ledger.history.page(db, memberId, {
        beforeSeq,
        afterSeq: low - 1n,
        ...filter,
        limit,
      })
      entries.push(...(query.news ? page.filter(isNews) : page))
      if (entries.length > query.limit) {
        const shown = entries.slice(0, query.limit)
        return { entries: shown, nextSeq: shown.at(-1)!.seq }
      }
      beforeSeq = page.length === limit ? page.at(-1)!.seq : low
    }
    return { entries, nextSeq: beforeSeq > first ? beforeSeq : null }
  }

  /**
   * Returns the conditions of a search: the given kinds, an amount, a cause, a claim's hash, or part of a
   * package name.
   */
  async function matchOf(
    db: Db,
    memberId: bigint,
    { q, kinds }: FeedQuery,
  ): Promise<HistoryMatch | undefined> {
    if (q === undefined && kinds === undefined) return undefined
    const text = q ?? ''
    const orderIds = text === '' ? [] : await shop.ordersNamed(db, memberId, text, NAMED_ORDERS)
    const causes = orderIds.map((orderId) => ({ type: 'order', id: `${orderId}` }))
    if (/^[1-9][0-9]{0,17}$/.test(text)) causes.push(...NUMBERED.map((type) => ({ type, id: text })))
    if (/^0x[0-9a-f]{64}$/i.test(text)) {
      const paid = await withdrawals.paidBy(db, memberId, text.toLowerCase())
      causes.push(...paid.map((withdrawalId) => ({ type: 'withdrawal', id: `${withdrawalId}` })))
    }
    const amount = /^[0-9]{1,12}([.][0-9]{1,6})?$/.test(text) ? parseMicros(text) : 0n
    return {
      kinds: kinds?.split(',') ?? [],
      causes,
      amountMicros: amount === 0n ? null : amount,
    }
  }

  async function withFacts(db: Db, memberId: bigint, entries: readonly HistoryEntry[]): Promise<Activity[]> {
    const facts = await sourcesOf(db, memberId, entries)
    return entries.map((entry, index) => activityView(entry, facts[index]!))
  }

  /** Counts news after the seen position, up to `UNSEEN_LIMIT`. */
  async function notifications(db: Db, memberId: bigint): Promise<Omit<Notifications, 'announcement'>> {
    const visit = await repository.visitOf(db, memberId)
    const afterSeq = visit?.seenSeq ?? 0n
    let unseen = 0
    let beforeSeq: bigint | undefined
    for (;;) {
      const query = { afterSeq, beforeSeq, skippedKinds: SKIPPED_KINDS, limit: NEWS_CHUNK }
      const page = await ledger.history.page(db, memberId, query)
      unseen += page.filter(isNews).length
      if (unseen >= UNSEEN_LIMIT || page.length < NEWS_CHUNK) break
      beforeSeq = page.at(-1)!.seq
    }
    return {
      unseen: Math.min(unseen, UNSEEN_LIMIT),
      unseen_limit: UNSEEN_LIMIT,
      seen_up_to: `${afterSeq}`,
      seen_at: visit?.seenAt.toISOString() ?? null,
    }
  }

  /** Returns the other transactions with the same cause, oldest first, among those near it in the books. */
  async function relatedTo(db: Db, memberId: bigint, { seq, cause }: HistoryEntry): Promise<HistoryEntry[]> {
    if (!NUMBERED.includes(cause.type)) return []
    const nearby = await ledger.history.page(db, memberId, {
      beforeSeq: seq + WINDOW,
      afterSeq: seq > WINDOW ? seq - WINDOW : 0n,
      skippedKinds: SKIPPED_KINDS,
      match: { kinds: [], causes: [cause], amountMicros: null },
      limit: RELATED,
    })
    return nearby.filter((entry) => entry.seq !== seq).reverse()
  }

  return {
    /** Returns a transaction with its ledger lines and what belongs to it. Throws NOT_FOUND, also for another member's. */
    async detail(db: Db, memberId: bigint, seq: bigint): Promise<ActivityDetail> {
      const query = { beforeSeq: seq + 1n, afterSeq: seq - 1n, skippedKinds: SKIPPED_KINDS, limit: 1 }
      const [entry] = await ledger.history.page(db, memberId, query)
      if (entry === undefined) throw new AppError('NOT_FOUND')
      const [records, related] = await Promise.all([
        rewardFigures.ofTransaction(db, memberId, entry.key),
        relatedTo(db, memberId, entry),
      ])
      const views = await withFacts(db, memberId, [entry, ...related])
      const [own, ...others] = views
      return {
        ...own!,
        lines: linesOf(entry),
        rewards: records.map((row) => ({
          reward_id: `${row.reward_id}`,
          type: row.type as RewardType,
          order_id: row.order_id === null ? null : `${row.order_id}`,
          value: formatMicros(row.value_micros),
          paid: formatMicros(row.paid_micros),
        })),
        earlier: others.filter(({ activity_id }) => BigInt(activity_id) < seq),
        later: others.filter(({ activity_id }) => BigInt(activity_id) > seq),
      }
    },

    /** Returns all that a member sent to an address. Throws INVALID_ADDRESS. */
    sentTo: createSentTo(deps.chain),
    packages: createPackages({ shop, rewardFigures, plans, now }),

    /** Returns a page of a member's activity, newest first; with `news`, without the member's own actions. */
    async list(
      db: Db,
      memberId: bigint,
      query: RouteRequest<'activity'>['query'],
    ): Promise<{ items: Activity[]; next: string | null }> {
      const [beforeSeq] = decodeCursor(query.cursor, 1) ?? []
      const { entries, nextSeq } = await read(db, memberId, { ...query, beforeSeq })
      return {
        items: await withFacts(db, memberId, entries),
        next: nextSeq === null ? null : encodeCursor(nextSeq),
      }
    },

    notifications,

    /** Records that a member has seen everything up to an activity. Never moves back or beyond the last activity. */
    async see(db: Db, memberId: bigint, seq: bigint): Promise<Omit<Notifications, 'announcement'>> {
      const last = await ledger.history.lastSeq(db, memberId)
      await repository.noteVisit(db, memberId, seq < last ? seq : last, now())
      return notifications(db, memberId)
    },
  }
}
