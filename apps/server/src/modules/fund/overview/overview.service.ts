import type { FundHolding, FundHoldings, FundRecord, FundTransaction } from '@rif/api-schema'
import {
  type Day,
  dayOf,
  formatMicros,
  fundLevel,
  isNavStale,
  type Micros,
  nextRedeemableDay,
  type Plan,
  redeemableUnits,
  unlockTime,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { readRows } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import type { HistoryEntry, LedgerService } from '../../books/ledger/ledger.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import { stoppedProducts } from '../investing/valuations.repository.ts'
import * as orders from '../orders/orders.repository.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import {
  type NavRow,
  type ProductRow,
  productTermsOf,
  QUOTED,
  quotedForAll,
} from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { redeemedNet } from '../redemptions/redemptions.repository.ts'
import { eachWorthAtEndOf, investedAtEndOf, worthAtEndOf } from './day-worth.repository.ts'
import {
  dailyNavs,
  type FundSource,
  holdersAmong,
  listRecords,
  sourcesOf,
  unitChanges,
} from './overview.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly products: FundProducts
  readonly assets: FundAssetsService
}

/** The figures of the fund that are the same for all members. */
export interface FundTerms {
  /** The last NAV of each product, in micro-units. */
  readonly navs: ReadonlyMap<string, Micros>
  /** The highest redemption fee of the products that are sold. */
  readonly redemptionFeePpm: number
}

const FUND_KINDS = ['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer'] as const

/** Creates the reads of a member's holdings and history in the fund. */
export function createFundOverview({ now, ledger, plans, products, assets }: Deps) {
  return {
    eachWorthAtEndOf,
    investedAtEndOf,
    worthAtEndOf,
    sourcesOf,
    holdersAmong,

    /** Returns a member's units by product, at the last NAVs. */
    async holdings(db: Db, memberId: bigint): Promise<FundHoldings> {
      const at = now()
      const [heldOrders, byId, last, plan, redeemed, stopped] = await Promise.all([
        orders.heldOrders(db, memberId),
        products.all(db),
        assets.lastNavs(db),
        plans.planAt(db, dayOf(at.getTime())),
        redeemedNet(db, memberId),
        stoppedProducts(db, at),
      ])
      const items: FundHolding[] = []
      let costMicros = 0n
      let valueMicros = 0n
      for (const [productId, product] of byId) {
        const lots = heldOrders.filter((order) => order.product_id === productId)
        if (lots.length === 0) continue
        const nav = last.get(productId)!
        const units = lots.reduce((sum, lot) => sum + lot.units_left, 0n)
        const cost = lots.reduce((sum, lot) => sum + lot.units_left * lot.nav_micros, 0n)
        costMicros += cost
        valueMicros += units * nav.nav_micros
        items.push(
          holdingView(product, { lots, units, cost, nav, at, plan, isStopped: stopped.has(productId) }),
        )
      }
      return {
        items,
        cost: formatMicros(costMicros),
        market_value: formatMicros(valueMicros),
        profit: formatMicros(valueMicros - costMicros),
        redeemed: formatMicros(redeemed),
      }
    },

    /**
     * Returns the value of a member's units at the end of each of these UTC days, at the day's last NAV; days
     * without units are left out.
     */
    async worthByDay(db: Db, memberId: bigint, days: readonly Day[]): Promise<ReadonlyMap<Day, Micros>> {
      const changes = await unitChanges(db, memberId)
      const productIds = [...new Set(changes.map(({ product_id }) => product_id))]
      const worthOf = new Map<Day, Micros>()
      for (const { product_id, day, nav_micros } of await dailyNavs(db, productIds, days)) {
        const units = changes
          .filter((change) => change.product_id === product_id && change.day <= day)
          .reduce((sum, change) => sum + change.units, 0n)
        worthOf.set(day, (worthOf.get(day) ?? 0n) + units * nav_micros)
      }
      return worthOf
    },

    /** Returns purchases and redemptions together, newest first. */
    async records(
      db: Db,
      memberId: bigint,
      query: { productId?: bigint | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundRecord[]; next: string | null }> {
      const cursor = decodeCursor(query.cursor, 3)
      const byId = await products.all(db)
      const rows = await listRecords(db, memberId, {
        productId: query.productId,
        before: cursor && [cursor[0]!, cursor[1]!, cursor[2]!],
        limit: query.limit,
      })
      return toPage(
        rows,
        query.limit,
        (row) => ({
          kind: row.kind === 0 ? 'purchase' : 'redemption',
          id: `${row.id}`,
          product_id: `${row.product_id}`,
          product_name: byId.get(row.product_id)!.name,
          status: row.status,
          units: `${row.units}`,
          value: row.value_micros === null ? null : formatMicros(row.value_micros),
          at: row.at.toISOString(),
        }),
        (row) => encodeCursor(row.at_us, row.kind, row.id),
      )
    },

    /** Returns the fund transactions in a member's books, newest first. */
    async transactions(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundTransaction[]; next: string | null }> {
      const [beforeSeq] = decodeCursor(query.cursor, 1) ?? []
      const page = { beforeSeq, kinds: FUND_KINDS, limit: query.limit + 1 }
      const entries = await ledger.history.page(db, memberId, page)
      const sources = await sourcesOf(db, memberId, {
        orderIds: causesOf(entries, 'fund_order'),
        redemptionIds: causesOf(entries, 'fund_redemption'),
      })
      // An income belongs to the redemption of another member.
      const nameOf = ({ kind, cause }: HistoryEntry) =>
        sources.find(
          ({ type, id, sourceMemberId }) =>
            type === cause.type &&
            `${id}` === cause.id &&
            (sourceMemberId !== null) === (kind === 'fund_income'),
        )?.productName ?? null
      return toPage(
        entries,
        query.limit,
        (entry) => ({ ...transactionView(entry), product_name: nameOf(entry) }),
        (entry) => encodeCursor(entry.seq),
      )
    },

    /** Reads the terms that the figures of all members need. */
    termsRead: readRows(QUOTED, quotedForAll, (rows): FundTerms => {
      const sold = rows.filter(({ state }) => state === 'open')
      return {
        navs: new Map(rows.map(({ productId, navMicros }) => [productId, navMicros])),
        redemptionFeePpm: Math.max(0, ...sold.map(({ redemptionPpm }) => redemptionPpm)),
      }
    }),

    /** Returns the read of a member's units by product. */
    heldRead: readRows(orders.HELD_UNITS, orders.heldUnitsOf, (rows) => rows),

    /** Returns the level that a member's units give at the last NAVs. Specification, section 4. */
    levelOf(holdings: readonly orders.HeldUnitsRow[], { navs }: FundTerms, plan: Plan): number {
      return fundLevel(
        holdings.reduce((sum, { productId, units }) => sum + units * (navs.get(productId) ?? 0n), 0n),
        plan,
      )
    },
  }
}

function holdingView(
  product: ProductRow,
  parts: {
    lots: readonly orders.FundOrderRow[]
    units: bigint
    cost: Micros
    nav: NavRow
    at: Date
    plan: Plan
    isStopped: boolean
  },
): FundHolding {
  const { lots, units, cost, nav, at, plan, isStopped } = parts
  const terms = productTermsOf(product)
  const atMs = at.getTime()
  const value = units * nav.nav_micros
  const unlocks = lots.map((lot) => unlockTime(lot.created_at.getTime(), terms)).filter((time) => time > atMs)
  return {
    product_id: `${product.product_id}`,
    product_name: product.name,
    units: `${units}`,
    units_redeeming: `${lots.reduce((sum, lot) => sum + lot.units_reserved, 0n)}`,
    units_redeemable: `${redeemableUnits(lots.map(orders.lotOf), terms, atMs)}`,
    nav: formatMicros(nav.nav_micros),
    nav_published_at: nav.published_at.toISOString(),
    nav_stale:
      isStopped ||
      isNavStale(
        { isInvested: product.is_invested, valuedAtMs: product.valued_at?.getTime() ?? null },
        atMs,
        plan,
      ),
    cost: formatMicros(cost),
    market_value: formatMicros(value),
    profit: formatMicros(value - cost),
    next_redeemable_day: nextRedeemableDay(dayOf(atMs), terms),
    next_unlock_at: unlocks.length === 0 ? null : new Date(Math.min(...unlocks)).toISOString(),
  }
}

function causesOf(entries: readonly HistoryEntry[], type: FundSource['type']): bigint[] {
  return entries.flatMap(({ cause }) => (cause.type === type ? [BigInt(cause.id)] : []))
}

/** Returns the change of a transaction in the member's accounts; for a redemption, the amount after its fees. */
function transactionView(entry: HistoryEntry): Omit<FundTransaction, 'product_name'> {
  const { seq, kind, cause, lines, postedAt } = entry
  const isPurchase = kind === 'fund_purchase'
  const hasCause = isPurchase || kind === 'fund_redemption'
  const sum = (those: HistoryEntry['lines']) => those.reduce((all, line) => all + line.amountMicros, 0n)
  const fees = lines.filter(({ destination }) => destination === 'fees')
  const received = lines.filter(({ destination }) => destination !== 'fees')
  return {
    transaction_id: `${seq}`,
    kind: kind as FundTransaction['kind'],
    amount: formatMicros(isPurchase ? -sum(lines) : sum(received)),
    fee: formatMicros(sum(fees)),
    cause_id: hasCause ? cause.id : null,
    at: postedAt.toISOString(),
  }
}
