import type { FundOrder, FundOrderDetail, FundQuote } from '@rif/api-schema'
import {
  dayOf,
  formatMicros,
  type Micros,
  type PurchaseQuote,
  quoteDeadline,
  quotePurchase,
  unlockTime,
} from '@rif/rules'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { RawTx } from '../../../chain/raw-tx.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Checkout, Payable } from '../../checkout/checkout.service.ts'
import { requireMayAct } from '../../gates/gates.service.ts'
import { custodyAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import { fundOrderView } from '../fund.view.ts'
import type { FundNavs } from '../products/navs.service.ts'
import { type ProductRow, termsOf } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { redemptionsOfOrder } from '../redemptions/redemptions.repository.ts'

import type { FundOrderSteps } from './order-steps.service.ts'
import * as repository from './orders.repository.ts'
import { type FundOrderRow, type ORDER_TABS, totalOf } from './orders.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly products: FundProducts
  readonly navs: FundNavs
  readonly orders: FundOrderSteps
  readonly checkout: Checkout
  readonly progress: ChainProgress
}

/** A member's request to buy units. */
export interface PurchaseRequest {
  readonly productId: bigint
  readonly units: bigint
  readonly payWith: 'available' | 'wallet'
  /** The NAV that the member saw; undefined accepts the current one. */
  readonly navMicros?: Micros | undefined
}

/** Creates purchases of units: from `available` at once, or on chain through the bank contract. Rules, section 8. */
export function createFundOrders(deps: Deps) {
  const { now, ledger, plans, products, navs, orders, checkout } = deps

  async function view(db: Db, order: FundOrderRow): Promise<FundOrder> {
    const [pace, byId, last] = await Promise.all([deps.progress.pace(db), products.all(db), navs.last(db)])
    return fundOrderView(order, { pace, products: byId, navs: last })
  }

  /** Throws NAV_STALE, INVALID_AMOUNT, BELOW_MINIMUM. */
  async function quote(
    db: Db,
    product: ProductRow,
    units: bigint,
  ): Promise<PurchaseQuote & { navMicros: Micros }> {
    const { nav_micros: navMicros } = await navs.current(db, product.product_id)
    const result = quotePurchase({ units, navMicros }, termsOf(product))
    if (!result.ok) throw new AppError(result.code)
    return { ...result, navMicros }
  }

  /** Returns an order that can be paid on chain now. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED. */
  async function payable(db: Db, memberId: bigint, orderId: bigint): Promise<Payable> {
    const order = await orders.get(db, memberId, orderId)
    await orders.requirePayable(db, order)
    return {
      ...{ of: 'fund', memberId, orderId },
      // Only orders from `available` have none, and those are paid from the start.
      ...{ bank: order.bank!, payer: order.payer },
      usdtMicros: totalOf(order),
      amcMicros: 0n,
      expiresAt: order.expires_at!,
    }
  }

  return {
    /** Returns what buying costs now. Throws PRODUCT_NOT_FOUND, PRODUCT_CLOSED, NAV_STALE, INVALID_AMOUNT, BELOW_MINIMUM. */
    async quote(db: Db, memberId: bigint, productId: bigint, units: bigint): Promise<FundQuote> {
      const product = await products.get(db, productId)
      if (product.state !== 'open') throw new AppError('PRODUCT_CLOSED')
      const { navMicros, valueMicros, feeMicros, totalMicros } = await quote(db, product, units)
      const balances = await ledger.balances(db, memberId)
      return {
        product_id: `${productId}`,
        units: `${units}`,
        nav: formatMicros(navMicros),
        value: formatMicros(valueMicros),
        fee_ppm: product.subscription_ppm,
        fee: formatMicros(feeMicros),
        total: formatMicros(totalMicros),
        available: formatMicros(balances.USDT.available),
        minimum_usd: formatMicros(product.minimum_micros),
        lock_until: new Date(unlockTime(now().getTime(), termsOf(product))).toISOString(),
      }
    },

    /**
     * Buys from `available`, which is done at once, or stores a quote to be paid on chain. Throws as `quote` does, NAV_CHANGED
     * and INSUFFICIENT_BALANCE.
     */
    async buy(
      dbTx: Db,
      { memberId, address }: { memberId: bigint; address: string },
      request: PurchaseRequest,
    ): Promise<FundOrder> {
      const { productId, units, payWith } = request
      const product = await products.lock(dbTx, productId)
      if (product.state !== 'open') throw new AppError('PRODUCT_CLOSED')
      const { navMicros, feeMicros } = await quote(dbTx, product, units)
      if (request.navMicros !== undefined && request.navMicros !== navMicros)
        throw new AppError('NAV_CHANGED')
      await ledger.lock(dbTx, {
        pools: payWith === 'available' ? [custodyAccount(productId, 'principal')] : [],
        memberIds: [memberId],
      })
      await requireMayAct(dbTx, memberId, 'orders')
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const order = await repository.insertOrder(dbTx, {
        member_id: memberId,
        product_id: productId,
        payer: address.toLowerCase(),
        bank: payWith === 'wallet' ? await checkout.bankOfNewOrder(dbTx) : null,
        payment_method: payWith,
        units,
        nav_micros: navMicros,
        fee_ppm: product.subscription_ppm,
        fee_micros: feeMicros,
        status: 'UnPaid',
        created_at: at,
        expires_at: payWith === 'wallet' ? new Date(quoteDeadline(at.getTime(), plan)) : null,
      })
      if (payWith === 'wallet') return view(dbTx, order)
      const payment = { source: 'available', paidAt: at, at } as const
      return view(dbTx, await orders.collect(dbTx, product, order, payment))
    },

    /** Returns an approval of exactly the order's USDT. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED, CHAIN_UNAVAILABLE. */
    async approval(
      db: Db,
      memberId: bigint,
      orderId: bigint,
    ): Promise<{ tx: RawTx | null; before: RawTx[] }> {
      return checkout.approval('usdt', await payable(db, memberId, orderId))
    },

    /** Returns the payment with its signed quote. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED. */
    async payment(db: Db, memberId: bigint, orderId: bigint): Promise<{ tx: RawTx; deadline: string }> {
      await requireMayAct(db, memberId, 'orders')
      return checkout.payment(await payable(db, memberId, orderId))
    },

    /** Stores the hash of a payment. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
    reportPayment: async (dbTx: Db, memberId: bigint, orderId: bigint, txHash: string): Promise<FundOrder> =>
      view(dbTx, await orders.report(dbTx, memberId, orderId, txHash)),

    requireUnpaid: orders.requireUnpaid,

    /** Cancels an unpaid order, after `requireUnpaid`. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
    cancel: async (dbTx: Db, memberId: bigint, orderId: bigint): Promise<FundOrder> =>
      view(dbTx, await orders.cancel(dbTx, memberId, orderId)),

    /** Returns a purchase and what was redeemed from it. Throws ORDER_NOT_FOUND. */
    async get(db: Db, memberId: bigint, orderId: bigint): Promise<FundOrderDetail> {
      const order = await orders.get(db, memberId, orderId)
      const redemptions = await redemptionsOfOrder(db, memberId, orderId)
      return {
        ...(await view(db, order)),
        redemptions: redemptions.map((row) => ({
          redemption_id: `${row.redemption_id}`,
          status: row.status,
          units: `${row.units}`,
          submitted_at: row.submitted_at.toISOString(),
        })),
      }
    },

    /** Returns a page of a member's purchases, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { tab?: keyof typeof ORDER_TABS | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundOrder[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const [pace, byId, last] = await Promise.all([deps.progress.pace(db), products.all(db), navs.last(db)])
      const rows = await repository.listOrders(db, memberId, { ...query, before })
      return toPage(
        rows,
        query.limit,
        (row) => fundOrderView(row, { pace, products: byId, navs: last }),
        (row) => encodeCursor(row.order_id),
      )
    },
  }
}
