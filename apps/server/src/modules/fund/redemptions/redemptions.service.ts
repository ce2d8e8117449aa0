import type { FundRedemption, RedemptionPreview } from '@rif/api-schema'
import {
  canTransition,
  costOf,
  dayOf,
  formatMicros,
  nextRedeemableDay,
  REDEMPTION_TRANSITIONS,
  type RedemptionStatus,
  redeemableUnits,
  redemptionFigures,
  takeLots,
} from '@rif/rules'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { requireMayAct } from '../../access/gates/gates.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import * as orders from '../orders/orders.repository.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import { type ProductRow, productTermsOf } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { lotView, redemptionView } from '../view.ts'
import type { REDEMPTION_TABS, RedemptionRow } from './redemptions.repository.ts'
import * as repository from './redemptions.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly products: FundProducts
  readonly assets: Pick<FundAssetsService, 'stopNow'>
  readonly progress: Pick<ChainProgress, 'isBookedForGood'>
}

export interface RedemptionQuery {
  readonly tab?: keyof typeof REDEMPTION_TABS | undefined
  readonly productId?: bigint | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

export type FundRedemptions = ReturnType<typeof createFundRedemptions>

/**
 * Creates the redemption of units: estimate, request and cancellation. The member's head guards it. Rules,
 * section 8.
 */
export function createFundRedemptions({ now, ledger, plans, products, assets, progress }: Deps) {
  /**
   * Returns the lots that a redemption would use. Throws INVALID_AMOUNT, and UNITS_NOT_REDEEMABLE with the
   * redeemable number.
   */
  async function take(db: Db, memberId: bigint, product: ProductRow, units: bigint) {
    const heldOrders = await orders.heldOrders(db, memberId, product.product_id)
    const lots = heldOrders.map(orders.lotOf)
    const terms = productTermsOf(product)
    const atMs = now().getTime()
    const redeemable = redeemableUnits(lots, terms, atMs)
    const nextDay = nextRedeemableDay(dayOf(atMs), terms)
    const taken = takeLots({ units, lots, atMs }, terms)
    if (!taken.ok) {
      throw new AppError(taken.code, { redeemable: `${redeemable}`, next_redeemable_day: nextDay })
    }
    return { heldOrders, terms, redeemable, nextDay, atMs, parts: taken.parts }
  }

  /** Locks a member's redemptions and reads one. Throws REDEMPTION_NOT_FOUND. */
  async function lock(dbTx: Db, memberId: bigint, redemptionId: bigint): Promise<RedemptionRow> {
    await ledger.lock(dbTx, { memberIds: [memberId] })
    const redemption = await repository.findRedemption(dbTx, memberId, redemptionId)
    if (redemption === undefined) throw new AppError('REDEMPTION_NOT_FOUND')
    return redemption
  }

  /**
   * Releases the units that a redemption has reserved: `paid` removes them, otherwise they return to the
   * member.
   */
  async function release(dbTx: Db, redemption: RedemptionRow, { paid }: { paid: boolean }): Promise<void> {
    const { member_id: memberId, redemption_id: redemptionId } = redemption
    for (const part of await repository.lotsOf(dbTx, memberId, [redemptionId])) {
      const order = (await orders.findFundOrder(dbTx, memberId, part.order_id))!
      const left = paid ? order.units_left - part.units : order.units_left
      const reserved = order.units_reserved - part.units
      await orders.updateFundOrder(dbTx, order, {
        units_left: left,
        units_reserved: reserved,
        status: left === 0n ? 'Redeemed' : reserved > 0n ? 'Redemption' : 'Paid',
      })
    }
  }

  async function views(db: Db, memberId: bigint, rows: readonly RedemptionRow[]): Promise<FundRedemption[]> {
    const ids = rows.map((row) => row.redemption_id)
    const [byId, lots, places] = await Promise.all([
      products.all(db),
      repository.lotsOf(db, memberId, ids),
      repository.queuePlaces(db, rows),
    ])
    const at = now()
    const waiting = new Set(
      rows.flatMap((row) => (row.status === 'Approved' && row.due_at! <= at ? row.product_id : [])),
    )
    const stopped = new Set<bigint>()
    for (const productId of waiting)
      if ((await assets.stopNow(db, byId.get(productId)!)) !== null) stopped.add(productId)
    return rows.map((row) => {
      const parts = lots.filter((lot) => lot.redemption_id === row.redemption_id)
      return redemptionView(row, {
        at,
        parts,
        product: byId.get(row.product_id)!,
        place: places.get(row.redemption_id) ?? null,
        isDealing: !stopped.has(row.product_id),
      })
    })
  }

  return {
    lock,
    release,

    /**
     * Returns the estimated proceeds of redeeming at the current NAV. Throws PRODUCT_NOT_FOUND,
     * INVALID_AMOUNT, UNITS_NOT_REDEEMABLE.
     */
    async preview(db: Db, memberId: bigint, productId: bigint, units: bigint): Promise<RedemptionPreview> {
      const product = await products.get(db, productId)
      const { terms, redeemable, nextDay, atMs, parts } = await take(db, memberId, product, units)
      const navMicros = product.nav_micros
      const figures = redemptionFigures({ units, navMicros, costMicros: costOf(parts) }, terms)
      if (!figures.ok) throw new AppError(figures.code)
      const plan = await plans.planAt(db, dayOf(atMs))
      return {
        product_id: `${productId}`,
        units: `${units}`,
        units_redeemable: `${redeemable}`,
        nav: formatMicros(navMicros),
        value: formatMicros(figures.valueMicros),
        cost: formatMicros(figures.costMicros),
        profit: formatMicros(figures.profitMicros),
        redemption_fee_ppm: terms.redemptionPpm,
        redemption_fee: formatMicros(figures.redemptionFeeMicros),
        management_fee_ppm: terms.managementPpm,
        management_fee: formatMicros(figures.managementFeeMicros),
        net: formatMicros(figures.netMicros),
        arrival_at: new Date(atMs + plan.fund.payoutDelayMs).toISOString(),
        next_redeemable_day: nextDay,
        lots: parts.map((part) => lotView({ ...part, order_id: part.id, nav_micros: part.navMicros })),
      }
    },

    /**
     * Requests the redemption of units and reserves them. Throws as `preview` does, and PAYMENT_NOT_FINAL for
     * units whose payment a reorganisation can still undo.
     */
    async request(dbTx: Db, memberId: bigint, productId: bigint, units: bigint): Promise<FundRedemption> {
      const product = await products.get(dbTx, productId)
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await requireMayAct(dbTx, memberId, 'fund')
      const { heldOrders, parts } = await take(dbTx, memberId, product, units)
      for (const { id } of parts) {
        const { tx_hash: txHash } = heldOrders.find((row) => row.order_id === id)!
        const isPaid = txHash === null || (await progress.isBookedForGood(dbTx, { txHash }))
        if (!isPaid) throw new AppError('PAYMENT_NOT_FINAL')
      }
      const redemption = await repository.insertRedemption(
        dbTx,
        {
          member_id: memberId,
          product_id: productId,
          units,
          cost_micros: costOf(parts),
          submitted_at: now(),
        },
        parts,
      )
      for (const part of parts) {
        const order = heldOrders.find((row) => row.order_id === part.id)!
        await orders.updateFundOrder(dbTx, order, {
          units_reserved: order.units_reserved + part.units,
          status: 'Redemption',
        })
      }
      return (await views(dbTx, memberId, [redemption]))[0]!
    },

    /** Cancels a request that is not paid yet. Throws REDEMPTION_NOT_FOUND, REDEMPTION_FINAL. */
    async cancel(dbTx: Db, memberId: bigint, redemptionId: bigint): Promise<FundRedemption> {
      const unlockedRedemption = await repository.findRedemption(dbTx, memberId, redemptionId)
      if (unlockedRedemption === undefined) throw new AppError('REDEMPTION_NOT_FOUND')
      // Approval and payment take the same locks in the same order.
      const product = await products.lock(dbTx, unlockedRedemption.product_id)
      const redemption = await lock(dbTx, memberId, redemptionId)
      if (!redemptionMayBecome(redemption, 'Cancelled')) throw new AppError('REDEMPTION_FINAL')
      await release(dbTx, redemption, { paid: false })
      if (redemption.status === 'Approved') {
        await products.queue(dbTx, product.product_id, {
          units_approved: product.units_approved - redemption.units,
          redemptions_waiting: product.redemptions_waiting - 1n,
        })
      }
      const cancelled = await repository.updateRedemption(dbTx, redemption, {
        status: 'Cancelled',
        cancelled_at: now(),
      })
      return (await views(dbTx, memberId, [cancelled]))[0]!
    },

    /** Returns a redemption. Throws REDEMPTION_NOT_FOUND. */
    async get(db: Db, memberId: bigint, redemptionId: bigint): Promise<FundRedemption> {
      const redemption = await repository.findRedemption(db, memberId, redemptionId)
      if (redemption === undefined) throw new AppError('REDEMPTION_NOT_FOUND')
      return (await views(db, memberId, [redemption]))[0]!
    },

    /** Returns a page of a member's redemptions, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: RedemptionQuery,
    ): Promise<{ items: FundRedemption[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listRedemptions(db, memberId, { ...query, before })
      const page = toPage(
        rows,
        query.limit,
        (row) => row,
        (row) => encodeCursor(row.redemption_id),
      )
      return { items: await views(db, memberId, page.items), next: page.next }
    },
  }
}

/** Reports whether the rules allow a redemption to change from one status to another. */
export function redemptionMayBecome(redemption: RedemptionRow, to: RedemptionStatus): boolean {
  return canTransition(REDEMPTION_TRANSITIONS, redemption.status, to)
}
