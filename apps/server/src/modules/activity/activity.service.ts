import type { Activity, BalanceDay, Notifications } from '@rif/api-schema'
import {
  addDays,
  dayOf,
  formatMicros,
  MEMBER_ACCOUNTS,
  type Micros,
  type PaymentAsset,
  startOfDay,
  worth,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import type { Fund } from '../fund/fund.service.ts'
import type { HistoryEntry, LedgerService, MemberBalances } from '../ledger/ledger.service.ts'
import type { PricingService } from '../pricing/pricing.service.ts'
import type { RewardsService } from '../rewards/rewards.service.ts'
import type { Shop } from '../shop/shop.service.ts'
import * as repository from './activity.repository.ts'
import { activityView, isNews, SKIPPED_KINDS } from './activity.view.ts'

interface Deps {
  readonly now: Now
  readonly fund: Pick<Fund, 'overview'>
  readonly ledger: LedgerService
  readonly pricing: Pick<PricingService, 'dailyPrices'>
  readonly rewards: Pick<RewardsService, 'recordsOf'>
  readonly shop: Pick<Shop, 'packageNames'>
}

export type ActivityService = ReturnType<typeof createActivityService>

/** The maximum of the unseen count, where counting stops. */
const UNSEEN_LIMIT = 99
/** The number of transactions per read when only news are returned. */
const NEWS_CHUNK = 100

/** Creates the service of the events in members' books and of their seen positions. */
export function createActivityService({ now, fund, ledger, pricing, rewards, shop }: Deps) {
  /** Returns transactions before one, newest first, with `news` only those that are news, and the next position. */
  async function read(
    db: Db,
    memberId: bigint,
    query: { beforeSeq: bigint | undefined; news: boolean; limit: number },
  ): Promise<{ entries: HistoryEntry[]; nextSeq: bigint | null }> {
    const entries: HistoryEntry[] = []
    let { beforeSeq } = query
    for (;;) {
      const limit = query.news ? Math.max(NEWS_CHUNK, query.limit + 1) : query.limit + 1
      const found = await ledger.history(db, memberId, { beforeSeq, skippedKinds: SKIPPED_KINDS, limit })
      entries.push(...(query.news ? found.filter(isNews) : found))
      if (entries.length > query.limit) {
        const shown = entries.slice(0, query.limit)
        return { entries: shown, nextSeq: shown.at(-1)!.seq }
      }
      if (found.length < limit) return { entries, nextSeq: null }
      beforeSeq = found.at(-1)!.seq
    }
  }

  async function withFacts(db: Db, memberId: bigint, entries: readonly HistoryEntry[]): Promise<Activity[]> {
    const orderIds = entries.filter(isOfOrder).map(({ cause }) => BigInt(cause.id))
    const [names, records] = await Promise.all([
      shop.packageNames(db, memberId, orderIds),
      rewards.recordsOf(
        db,
        memberId,
        entries.map(({ key }) => key),
      ),
    ])
    return entries.map((entry) =>
      activityView(entry, {
        title: isOfOrder(entry) ? (names.get(BigInt(entry.cause.id)) ?? null) : null,
        rewardId: records.get(entry.key) ?? null,
      }),
    )
  }

  /** Counts the news after the seen position, up to `UNSEEN_LIMIT`. */
  async function notifications(db: Db, memberId: bigint): Promise<Notifications> {
    const visit = await repository.visitOf(db, memberId)
    const afterSeq = visit?.seenSeq ?? 0n
    let unseen = 0
    let beforeSeq: bigint | undefined
    for (;;) {
      const query = { afterSeq, beforeSeq, skippedKinds: SKIPPED_KINDS, limit: NEWS_CHUNK }
      const found = await ledger.history(db, memberId, query)
      unseen += found.filter(isNews).length
      if (unseen >= UNSEEN_LIMIT || found.length < NEWS_CHUNK) break
      beforeSeq = found.at(-1)!.seq
    }
    return {
      unseen: Math.min(unseen, UNSEEN_LIMIT),
      unseen_limit: UNSEEN_LIMIT,
      seen_up_to: `${afterSeq}`,
      seen_at: visit?.seenAt.toISOString() ?? null,
    }
  }

  return {
    /** Returns a page of a member's activity, newest first, with `news` without the member's own actions. */
    async list(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; news?: boolean | undefined; limit: number },
    ): Promise<{ items: Activity[]; next: string | null }> {
      const [beforeSeq] = decodeCursor(query.cursor, 1) ?? []
      const { entries, nextSeq } = await read(db, memberId, {
        ...{ beforeSeq, news: query.news ?? false, limit: query.limit },
      })
      return {
        items: await withFacts(db, memberId, entries),
        next: nextSeq === null ? null : encodeCursor(nextSeq),
      }
    },

    notifications,

    /** Records that a member has seen everything up to an activity. Never moves back or beyond the last activity. */
    async see(db: Db, memberId: bigint, seq: bigint): Promise<Notifications> {
      const last = await ledger.lastSeq(db, memberId)
      await repository.noteVisit(db, memberId, seq < last ? seq : last, now())
      return notifications(db, memberId)
    },

    /** Returns a member's balances at the end of each of the last days and now, at each day's price and NAVs. */
    async balanceDays(db: Db, memberId: bigint, count: number): Promise<BalanceDay[]> {
      const today = dayOf(now().getTime())
      const days = Array.from({ length: count }, (_, index) => addDays(today, -index))
      const since = new Date(startOfDay(days.at(-1)!))
      const [changes, balances, prices, units] = await Promise.all([
        ledger.changesSince(db, memberId, since),
        ledger.balances(db, memberId),
        pricing.dailyPrices(db, 'AMC', days),
        fund.overview.worthByDay(db, memberId, days),
      ])
      let held = { USDT: heldOf(balances, 'USDT'), AMC: heldOf(balances, 'AMC') }
      const items: BalanceDay[] = []
      for (const day of days) {
        items.unshift(balanceDay(day, { ...held, units: units.get(day) ?? 0n }, prices.get(day) ?? null))
        const before = (asset: PaymentAsset) =>
          changes
            .filter((change) => change.day === day && change.asset === asset)
            .reduce((left, change) => left - change.deltaMicros, held[asset])
        held = { USDT: before('USDT'), AMC: before('AMC') }
      }
      return items
    },
  }
}

const isOfOrder = ({ cause }: HistoryEntry) => cause.type === 'order' && /^[1-9][0-9]{0,17}$/.test(cause.id)

const heldOf = (balances: MemberBalances, asset: PaymentAsset) =>
  MEMBER_ACCOUNTS.reduce((sum, account) => sum + balances[asset][account], 0n)

function balanceDay(
  day: string,
  { USDT, AMC, units }: Readonly<Record<PaymentAsset | 'units', Micros>>,
  amcPrice: Micros | null,
): BalanceDay {
  return {
    day,
    usdt: formatMicros(USDT),
    amc: formatMicros(AMC),
    amc_price: amcPrice === null ? null : formatMicros(amcPrice),
    fund: formatMicros(units),
    worth: formatMicros(USDT + units + (amcPrice === null ? 0n : worth(AMC, amcPrice))),
  }
}
