import type { Order, OrderQuote } from '@rif/api-schema'
import {
  allowOrder,
  copiesLeft,
  dayOf,
  formatMicros,
  quoteDeadline,
  quoteOrder,
  termsOfLevel,
} from '@rif/rules'
import type { ChainProgress } from '../../chain/progress.ts'
import { noteChange } from '../../db/changes.ts'
import { type Db, inTx } from '../../db/database.ts'
import { readTogether } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { type IdempotentRequest, idempotent } from '../../lib/idempotency.ts'
import { gateRead, passIn } from '../access/gates/gates.service.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { WebhookEvents } from '../messages/webhooks/webhooks.events.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import type { Checkout } from './checkout/checkout.service.ts'
import type { ShopOrders } from './shop.orders.service.ts'
import { requireAsShown } from './shop.preview.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { orderView } from './view.ts'

const ORDER_GATE = gateRead('orders')

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly webhookEvents: Pick<WebhookEvents, 'emit'>
  readonly orders: ShopOrders
}

/** The ordering member. */
export interface Buyer {
  readonly memberId: bigint
  /** The wallet that pays, in lower case. */
  readonly address: string
}

/** The package to order. */
export interface OrderRequest {
  readonly productId: bigint
  readonly useHashRate: boolean
  /** The amounts shown to the member; undefined accepts any. */
  readonly expected?: Pick<OrderQuote, 'usdt' | 'amc' | 'rif'> | undefined
}

/** The columns of an order that its payment or a discount sets. */
const NEW_ORDER = {
  use_hash_rate: false,
  discount_micros: null,
  rif_micros: null,
  discounted_usdt_micros: null,
  discounted_amc_micros: null,
  tx_hash: null,
  reported_at: null,
  seen_block: null,
  paid_at: null,
  collected_at: null,
  paid_sequence: null,
  cancelled_at: null,
  cancel_reason: null,
  unmatched_tx_hash: null,
  static_paid_micros: 0n,
  quoted_at: null,
  holds_rif: false,
} as const

/** Creates the steps by which members order packages and cancel their orders. Rules, section 4. */
export function createOrdering(deps: Deps) {
  const { now, ledger, plans, pricing, checkout, orders } = deps

  /**
   * Adds the discounted quote to an order that has none, and reserves its RIF; without RIF the order stays
   * unchanged.
   */
  async function addDiscount(dbTx: Db, order: OrderRow): Promise<OrderRow> {
    const plan = await plans.planAt(dbTx, dayOf(order.created_at.getTime()))
    const balances = await ledger.balances(dbTx, order.member_id)
    const quote = quoteOrder({
      priceMicros: order.price_micros,
      useHashRate: true,
      rifAvailableMicros: balances.RIF.available,
      rifPriceMicros: order.rif_price_micros,
      amcPriceMicros: order.amc_price_micros,
      plan,
    })
    if (!quote.ok) throw new AppError(quote.code)
    if (quote.rifMicros === 0n) return order
    return orders.addDiscount(dbTx, order, quote)
  }

  /**
   * Quotes and stores an order. Throws PACKAGE_NOT_FOUND, ORDER_OPEN with the id of the member's open order
   * for the package, SOLD_OUT, PRICE_UNAVAILABLE (of AMC, or of RIF with the discount), INVALID_AMOUNT, and
   * QUOTE_CHANGED if the amounts differ from the expected ones.
   */
  async function create(dbTx: Db, { memberId, address }: Buyer, order: OrderRequest): Promise<Order> {
    const at = now()
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const terms = termsOfLevel(plan, Number(order.productId))
    if (terms === null) throw new AppError('PACKAGE_NOT_FOUND')
    await ledger.lock(dbTx, { memberIds: [memberId] })
    await repository.lockPackage(dbTx, terms.level)
    const { gate, copies, own, prices, bank, pace, orderId } = await readTogether(dbTx, memberId, {
      gate: ORDER_GATE,
      copies: repository.copiesRead(terms.level),
      own: repository.ownOrdersRead,
      prices: pricing.pricesRead(['AMC', 'RIF'], at),
      bank: checkout.bankRead(),
      pace: deps.progress.paceRead(),
      orderId: repository.nextOrderRead,
    })
    passIn(gate)
    const allowed = allowOrder(own.unpaid, terms.level, at.getTime())
    if (!allowed.ok) throw new AppError('ORDER_OPEN', { order_id: allowed.order.orderId })
    if (copiesLeft(terms, copies) === 0) throw new AppError('SOLD_OUT')

    const amcPriceMicros = prices.get('AMC') ?? null
    const quote = quoteOrder({
      priceMicros: terms.priceMicros,
      useHashRate: false,
      rifAvailableMicros: 0n,
      rifPriceMicros: null,
      amcPriceMicros,
      plan,
    })
    if (!quote.ok) throw new AppError(quote.code)
    if (bank === null) throw new AppError('PAUSED', { area: 'orders' })
    const row: OrderRow = {
      ...NEW_ORDER,
      member_id: memberId,
      order_id: orderId,
      package_id: terms.level,
      package_name: terms.name,
      level: terms.level,
      payer: address,
      bank,
      status: 'UnPaid',
      price_micros: terms.priceMicros,
      amc_price_micros: amcPriceMicros!,
      rif_price_micros: prices.get('RIF') ?? null,
      full_usdt_micros: quote.usdtMicros,
      full_amc_micros: quote.amcMicros,
      created_at: at,
      expires_at: new Date(quoteDeadline(at.getTime(), plan)),
    }
    noteChange(dbTx, memberId, 'order')
    await repository.insertOrder(dbTx, row)
    await repository.countOrder(dbTx, terms.level, at, { ordered: 1, firstOrdered: !own.hasOrdered })
    await deps.webhookEvents.emit(dbTx, 'order.created', {
      order_id: `${orderId}`,
      member_id: `${memberId}`,
      package: terms.name,
      usdt: formatMicros(quote.usdtMicros),
      amc: formatMicros(quote.amcMicros),
    })
    const made = order.useHashRate ? await addDiscount(dbTx, row) : row
    return requireAsShown(orderView(made, pace), order.expected)
  }

  const cancel = async (dbTx: Db, order: OrderRow): Promise<Order> =>
    orderView(await orders.cancel(dbTx, order), await deps.progress.pace(dbTx))

  return {
    addDiscount,
    create,

    /** Cancels an order. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
    cancel: async (dbTx: Db, memberId: bigint, orderId: bigint): Promise<Order> =>
      cancel(dbTx, await orders.get(dbTx, memberId, orderId)),

    /** Runs `create` in its own transaction, once per client key. */
    order: (db: Db, buyer: Buyer, order: OrderRequest, request?: IdempotentRequest): Promise<Order> =>
      inTx(db, (dbTx) => idempotent(dbTx, request, now(), () => create(dbTx, buyer, order))),

    /**
     * Cancels an unpaid order in its own transaction, once per client key. Throws ORDER_NOT_FOUND, ORDER_FINAL,
     * PAID_ON_CHAIN, CHAIN_UNAVAILABLE.
     */
    async cancelUnpaid(
      db: Db,
      memberId: bigint,
      orderId: bigint,
      request?: IdempotentRequest,
    ): Promise<Order> {
      const order = await orders.requireUnpaid(memberId, orderId)
      return inTx(db, (dbTx) => idempotent(dbTx, request, now(), () => cancel(dbTx, order)))
    },
  }
}
