import type { Order, Product } from '@rif/api-schema'
import {
  copiesLeft,
  dayOf,
  formatMicros,
  type Micros,
  type OrderStatus,
  type Plan,
  remainingDividends,
} from '@rif/rules'
import type { ChainProgress } from '../../chain/progress.ts'
import type { RawTx } from '../../chain/raw-tx.ts'
import { type Db, inTx } from '../../db/database.ts'
import { type Read, readRows } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { requireMayPutIn } from '../access/gates/gates.service.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Reversals } from '../books/reversals/reversals.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlacementService } from '../members/placement/placement.service.ts'
import type { WebhookEvents } from '../messages/webhooks/webhooks.events.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import type { RewardsService } from '../rewards/rewards.service.ts'
import type { Checkout, Payable } from './checkout/checkout.service.ts'
import { createOrdering } from './shop.ordering.service.ts'
import { createShopOrders } from './shop.orders.service.ts'
import { createShopPayments } from './shop.payments.service.ts'
import { createShopPreview } from './shop.preview.service.ts'
import type { OrderRow, PaidPackage } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { chosenQuote, type Decimals, orderView } from './view.ts'

export { addStaticPaid } from './shop.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly reversals: Reversals
  readonly members: MembersService
  readonly placement: PlacementService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly rewards: RewardsService
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly decimals: Decimals
  readonly webhookEvents: Pick<WebhookEvents, 'emit'>
}

/** The order to pay and the requested quote; undefined keeps the order's choice. */
export interface PaymentRequest {
  readonly memberId: bigint
  readonly orderId: bigint
  readonly useHashRate: boolean | undefined
}

/** The figures of a member's paid packages; amounts as paid, `baseMicros` in USDT worth. */
export interface Investments {
  readonly baseMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly remainingDividendsMicros: Micros
}

export type Shop = ReturnType<typeof createShop>

/** Creates the shop: launchpad packages, their orders, and the handler of payments on chain. Rules, section 4. */
export function createShop(deps: Deps) {
  const { now, plans, checkout } = deps
  const orders = createShopOrders(deps)
  const { addDiscount, ...ordering } = createOrdering({ ...deps, orders })

  const view = async (db: Db, order: OrderRow): Promise<Order> =>
    orderView(order, await deps.progress.pace(db))

  /**
   * Returns an order that can be paid now, with the chosen quote: the first request for the discounted one
   * creates it and holds its RIF. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED, PRICE_UNAVAILABLE.
   */
  async function choose(dbTx: Db, { memberId, orderId, useHashRate }: PaymentRequest): Promise<OrderRow> {
    const order = await orders.lock(dbTx, memberId, orderId)
    await orders.requirePayable(dbTx, order)
    if (useHashRate === undefined || useHashRate === order.use_hash_rate) return order
    if (useHashRate && order.discount_micros === null) return addDiscount(dbTx, order)
    return repository.updateOrder(dbTx, order, { use_hash_rate: useHashRate })
  }

  /** Notes before the signer is asked (`isQuoted`) that a signature can pay the order, even after a cancellation. */
  async function payable(db: Db, request: PaymentRequest, { isQuoted = false } = {}): Promise<Payable> {
    const order = await inTx(db, async (dbTx) => {
      const chosen = await choose(dbTx, request)
      if (!isQuoted || chosen.quoted_at !== null) return chosen
      return repository.updateOrder(dbTx, chosen, { quoted_at: now() })
    })
    const { usdtMicros, amcMicros } = chosenQuote(order)
    return {
      of: 'shop',
      memberId: order.member_id,
      orderId: order.order_id,
      bank: order.bank,
      payer: order.payer,
      package: order.level,
      usdtMicros,
      amcMicros,
      expiresAt: order.expires_at,
    }
  }

  return {
    choose,
    expire: orders.expire,
    followReported: orders.followReported,
    ...ordering,
    preview: createShopPreview(deps),
    ...createShopPayments({ ...deps, orders }),

    /** Returns the packages of today's plan with the copies that can still be paid. */
    async products(db: Db): Promise<Product[]> {
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const copies = await repository.paidCopies(db)
      return plan.packages.map((terms) => ({
        product_id: `${terms.level}`,
        name: terms.name,
        price: formatMicros(terms.priceMicros),
        level: terms.level,
        copies_limit: terms.copies,
        copies_left: copiesLeft(terms, copies.get(terms.level) ?? 0),
        referral_ppm: terms.referralPpm,
        organisation_ppm: terms.organisationPpm,
        static_per_day_ppm: terms.staticPpm,
        pairing_ppm: terms.pairingPpm,
        pairing_day_cap: formatMicros(terms.pairingDayCapMicros),
      }))
    },

    /**
     * Returns an approval of exactly the quote's amount of one token; `tx` is null if the allowance suffices.
     * Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED, CHAIN_UNAVAILABLE, and with the discount
     * PRICE_UNAVAILABLE.
     */
    async approval(
      db: Db,
      token: 'usdt' | 'amc',
      request: PaymentRequest,
    ): Promise<{ tx: RawTx | null; before: RawTx[] }> {
      return checkout.approval(token, await payable(db, request))
    },

    /** Returns the payment with its signed quote. Throws as `approval` does, and PAUSED and MEMBER_FROZEN. */
    async payment(db: Db, request: PaymentRequest): Promise<{ tx: RawTx; deadline: string }> {
      await requireMayPutIn(db, request.memberId, 'orders')
      return checkout.payment(await payable(db, request, { isQuoted: true }))
    },

    /** Returns a member's order. Throws ORDER_NOT_FOUND. */
    get: async (db: Db, memberId: bigint, orderId: bigint): Promise<Order> =>
      view(db, await orders.get(db, memberId, orderId)),

    /** Returns a page of a member's orders, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { status?: OrderStatus | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: Order[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const pace = await deps.progress.pace(db)
      const rows = await repository.listOrders(db, memberId, { ...query, before })
      return toPage(
        rows,
        query.limit,
        (row) => orderView(row, pace),
        (row) => encodeCursor(row.order_id),
      )
    },

    /** Stores the hash of a payment. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
    reportPayment: async (dbTx: Db, memberId: bigint, orderId: bigint, txHash: string): Promise<Order> =>
      view(dbTx, await orders.report(dbTx, memberId, orderId, txHash)),

    /** Returns the package names of some of a member's orders, by order. */
    packageNames: repository.packageNames,
    namesOfOrders: repository.namesOfOrders,
    ordersNamed: repository.ordersNamed,
    foundOrders: repository.foundOrders,

    /** Returns a member's paid packages, newest first. */
    async packages(db: Db, memberId: bigint) {
      const pace = await deps.progress.pace(db)
      const rows = await repository.paidOrders(db, memberId)
      return rows.map((row) => ({
        order: orderView(row, pace),
        priceMicros: row.price_micros,
        staticPaidMicros: row.static_paid_micros,
        quote: chosenQuote(row),
      }))
    },

    /**
     * Returns the read of the amount that a member has put into packages, and of the remaining static rewards
     * on them under a plan. Rules, sections 4 and 5.4.
     */
    investmentsRead(plan: Plan): Read<Investments> {
      return readRows(repository.PAID_PACKAGE, repository.paidPackagesOf, (packages) =>
        investmentsOf(packages, plan),
      )
    },
  }
}

function investmentsOf(orders: readonly PaidPackage[], plan: Plan): Investments {
  let baseMicros = 0n
  let usdtMicros = 0n
  let amcMicros = 0n
  let remainingDividendsMicros = 0n
  for (const order of orders) {
    const quote = chosenQuote(order)
    baseMicros += quote.dueMicros
    usdtMicros += quote.usdtMicros
    amcMicros += quote.amcMicros
    remainingDividendsMicros += remainingDividends(
      { priceMicros: order.price_micros, paidSoFarMicros: order.static_paid_micros },
      plan,
    )
  }
  return { baseMicros, usdtMicros, amcMicros, remainingDividendsMicros }
}
