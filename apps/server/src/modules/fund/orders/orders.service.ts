import type { FundOrder, FundOrderDetail, FundQuote } from '@rif/api-schema'
import {
  chainPrice,
  dayOf,
  formatMicros,
  type Micros,
  type OneWayWish,
  type Plan,
  type PurchaseQuote,
  quoteDeadline,
  quotePurchase,
  unlockTime,
} from '@rif/rules'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { RawTx } from '../../../chain/raw-tx.ts'
import type { Db } from '../../../db/database.ts'
import { readTogether } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { requireMayPutIn } from '../../access/gates/gates.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Consent, ConsentsService, MemberWallet } from '../../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../../leaving/leaving.one-way.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { Checkout, Payable } from '../../shop/checkout/checkout.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import { type ProductRow, productTermsOf } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { redemptionsOfOrder } from '../redemptions/redemptions.repository.ts'
import { fundOrderView } from '../view.ts'

import type { FundOrderSteps } from './order-steps.service.ts'
import * as repository from './orders.repository.ts'
import { type FundOrderRow, type ORDER_TABS, totalOf } from './orders.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly products: FundProducts
  readonly assets: FundAssetsService
  readonly orders: FundOrderSteps
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly consents: ConsentsService
  readonly oneWay: OneWayService
}

/** A member's request to buy units. */
export interface PurchaseRequest {
  readonly productId: bigint
  readonly units: bigint
  readonly payWith: 'available' | 'wallet'
  /** The price shown to the member; undefined accepts the current one. */
  readonly navMicros?: Micros | undefined
}

export interface FundQuoteRequest {
  readonly productId: bigint
  readonly units: bigint
  readonly payWith?: PurchaseRequest['payWith'] | undefined
}

/**
 * Creates purchases of units: from `available` at once, or on chain through the bank contract. Rules, section
 * 8.
 */
export function createFundOrders(deps: Deps) {
  const { now, ledger, plans, products, assets, orders, checkout, consents, oneWay } = deps

  async function view(db: Db, order: FundOrderRow): Promise<FundOrder> {
    const [pace, byId, last] = await Promise.all([
      deps.progress.pace(db),
      products.all(db),
      assets.lastNavs(db),
    ])
    return fundOrderView(order, { pace, products: byId, navs: last })
  }

  /**
   * Returns the price of units: the NAV, on chain rounded up. Throws INVALID_AMOUNT, PRODUCT_CLOSED, NAV_TOO_LOW,
   * BELOW_MINIMUM, NAV_STALE, UNITS_LIMITED.
   */
  async function quote(
    db: Db,
    product: ProductRow,
    { memberId, units, payWith }: { memberId: bigint; units: bigint; payWith: PurchaseRequest['payWith'] },
  ): Promise<PurchaseQuote & { priceMicros: Micros }> {
    const { nav_micros: navMicros } = product
    const priceMicros = payWith === 'wallet' ? chainPrice(navMicros) : navMicros
    const sale = { isClosed: product.state !== 'open', navMicros }
    const result = quotePurchase({ units, priceMicros }, productTermsOf(product), sale)
    if (!result.ok) throw new AppError(result.code)
    await assets.requireDealing(db, product)
    const left = await orders.unitsLeft(db, product, memberId)
    if (left !== null && left.units < units)
      throw new AppError('UNITS_LIMITED', { limit: left.limit, units: `${left.units}` })
    return { ...result, priceMicros }
  }

  /**
   * Allows a purchase out of `available` by the policy of what cannot be taken back at the same worth, and
   * counts it, also if it is undone later. Throws SIGNATURE_REQUIRED and NONCE_INVALID.
   */
  async function allow(
    dbTx: Db,
    signer: MemberWallet,
    purchase: { order: FundOrderRow; wish: OneWayWish; plan: Plan; consent: Consent | undefined },
  ): Promise<void> {
    const { order, wish, plan, consent } = purchase
    const { memberId } = signer
    const at = order.created_at
    const { isUsed, unsignedMicros } = await readTogether(dbTx, memberId, {
      isUsed: consents.usedRead(memberId, consent),
      unsignedMicros: oneWay.unsignedRead(at),
    })
    const move = { wish, worthMicros: totalOf(order), unsignedMicros, plan, consent, isUsed }
    await oneWay.allow(dbTx, signer, move, { way: 'fund_purchase', id: order.order_id, at })
  }

  /** Returns an order that can be paid on chain now. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED. */
  async function payable(db: Db, memberId: bigint, orderId: bigint): Promise<Payable> {
    const order = await orders.get(db, memberId, orderId)
    await orders.requirePayable(db, order)
    return {
      of: 'fund',
      memberId,
      orderId,
      // Only orders from `available` have none, and they are paid from the start.
      bank: order.bank!,
      payer: order.payer,
      package: 0,
      usdtMicros: totalOf(order),
      amcMicros: 0n,
      expiresAt: order.expires_at!,
    }
  }

  return {
    /**
     * Returns the current cost of buying, by default on chain. Throws PRODUCT_NOT_FOUND and as the price
     * does.
     */
    async quote(
      db: Db,
      memberId: bigint,
      { productId, units, payWith = 'wallet' }: FundQuoteRequest,
    ): Promise<FundQuote> {
      const product = await products.get(db, productId)
      const { priceMicros, valueMicros, feeMicros, totalMicros } = await quote(db, product, {
        memberId,
        units,
        payWith,
      })
      const balances = await ledger.balances(db, memberId)
      return {
        product_id: `${productId}`,
        units: `${units}`,
        nav: formatMicros(priceMicros),
        value: formatMicros(valueMicros),
        fee_ppm: product.subscription_ppm,
        fee: formatMicros(feeMicros),
        total: formatMicros(totalMicros),
        available: formatMicros(balances.USDT.available),
        minimum_usd: formatMicros(product.minimum_micros),
        lock_until: new Date(unlockTime(now().getTime(), productTermsOf(product))).toISOString(),
      }
    },

    /**
     * Returns the statement of a purchase from `available` at a price, which the member's wallet signs. `buy`
     * compares it with the price of its moment. Throws PRODUCT_NOT_FOUND.
     */
    async wishOf(
      db: Db,
      { productId, units }: Pick<PurchaseRequest, 'productId' | 'units'>,
      price: Pick<PurchaseQuote, 'totalMicros' | 'feeMicros'>,
    ): Promise<OneWayWish> {
      return purchaseWish(await products.get(db, productId), { units, ...price })
    },

    /**
     * Buys from `available`, which is done at once, or stores a quote to be paid on chain. Throws as `quote` does, NAV_CHANGED
     * and INSUFFICIENT_BALANCE; from `available` also SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    async buy(
      dbTx: Db,
      { memberId, address }: { memberId: bigint; address: string },
      request: PurchaseRequest,
      consent?: Consent,
    ): Promise<FundOrder> {
      const { productId, units, payWith } = request
      const locked = await assets.lock(dbTx, productId, [memberId])
      const { product } = locked
      await requireMayPutIn(dbTx, memberId, 'orders', 'fund')
      const quoted = await quote(dbTx, product, { memberId, units, payWith })
      const { priceMicros, feeMicros } = quoted
      if (request.navMicros !== undefined && request.navMicros !== priceMicros)
        throw new AppError('NAV_CHANGED')
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const order = await repository.insertFundOrder(dbTx, {
        member_id: memberId,
        product_id: productId,
        payer: address.toLowerCase(),
        bank: payWith === 'wallet' ? await checkout.bankOfNewOrder(dbTx) : null,
        payment_method: payWith,
        units,
        nav_micros: priceMicros,
        fee_ppm: product.subscription_ppm,
        fee_micros: feeMicros,
        status: 'UnPaid',
        created_at: at,
        expires_at: payWith === 'wallet' ? new Date(quoteDeadline(at.getTime(), plan)) : null,
      })
      if (payWith === 'wallet') return view(dbTx, order)
      const payment = { source: 'available', paidAt: at, at } as const
      const paid = await orders.collect(dbTx, locked, order, payment)
      const wallet = { memberId, address: order.payer }
      await allow(dbTx, wallet, { order, wish: purchaseWish(product, { units, ...quoted }), plan, consent })
      return view(dbTx, paid)
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
      await requireMayPutIn(db, memberId, 'orders', 'fund')
      return checkout.payment(await payable(db, memberId, orderId))
    },

    /** Stores the hash of a payment. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
    reportPayment: async (dbTx: Db, memberId: bigint, orderId: bigint, txHash: string): Promise<FundOrder> =>
      view(dbTx, await orders.report(dbTx, memberId, orderId, txHash)),

    requireUnpaid: orders.requireUnpaid,

    /**
     * Cancels an order, which may have been read (`row`) before the transaction. Throws ORDER_NOT_FOUND,
     * ORDER_FINAL.
     */
    cancel: async (dbTx: Db, memberId: bigint, orderId: bigint, row?: FundOrderRow): Promise<FundOrder> =>
      view(dbTx, await orders.cancel(dbTx, row ?? (await orders.get(dbTx, memberId, orderId)))),

    /** Returns a purchase and its redemptions. Throws ORDER_NOT_FOUND. */
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

    /**
     * Returns a member's newest purchases that match a search by part of the product's name, number, or
     * payment hash; `worthMicros` is the price with the fee.
     */
    async search(
      db: Db,
      memberId: bigint,
      { text, ...wanted }: { text: string; orderId: bigint | null; txHash: string | null },
      limit: number,
    ) {
      const byId = await products.all(db)
      const named = [...byId.values()].filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
      const productIds = named.map(({ product_id }) => product_id)
      const rows = await repository.foundFundOrders(db, memberId, { ...wanted, productIds }, limit)
      return rows.map((row) => ({
        orderId: row.order_id,
        name: byId.get(row.product_id)?.name ?? '',
        status: row.status,
        worthMicros: repository.totalOf(row),
        at: row.created_at,
      }))
    },

    /** Returns a page of a member's purchases, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { tab?: keyof typeof ORDER_TABS | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundOrder[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const [pace, byId, last] = await Promise.all([
        deps.progress.pace(db),
        products.all(db),
        assets.lastNavs(db),
      ])
      const rows = await repository.listFundOrders(db, memberId, { ...query, before })
      return toPage(
        rows,
        query.limit,
        (row) => fundOrderView(row, { pace, products: byId, navs: last }),
        (row) => encodeCursor(row.order_id),
      )
    },
  }
}

function purchaseWish(
  { product_id, name }: ProductRow,
  { units, totalMicros, feeMicros }: Pick<PurchaseQuote, 'totalMicros' | 'feeMicros'> & { units: bigint },
): OneWayWish {
  return {
    kind: 'fund_purchase',
    productId: `${product_id}`,
    product: name,
    units: `${units}`,
    total: formatMicros(totalMicros),
    fee: formatMicros(feeMicros),
  }
}
