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
import { type Db, inMemberTx, inTx } from '../../db/database.ts'
import { readMember, readTogether } from '../../db/read.ts'
import { lockRows } from '../../db/sharing.ts'
import { writeTogether } from '../../db/write-together.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { answeredRead, type IdempotentRequest, keptAnswer } from '../../lib/idempotency.ts'
import type { Checkout } from '../checkout/checkout.service.ts'
import { gateRead, passIn } from '../gates/gates.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { Planned, PlansService } from '../plans/plans.service.ts'
import type { PricingService } from '../pricing/pricing.service.ts'
import type { WebhookEvents } from '../webhooks/webhooks.events.service.ts'
import type { ShopOrders } from './shop.orders.service.ts'
import { requireAsShown } from './shop.preview.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { orderView } from './shop.view.ts'

const ORDER_GATE = gateRead('orders')

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly webhookEvents: Pick<WebhookEvents, 'emit' | 'wantedRead'>
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
  ...{ use_hash_rate: false, discount_micros: null, rif_micros: null },
  ...{ discounted_usdt_micros: null, discounted_amc_micros: null },
  ...{ tx_hash: null, reported_at: null, seen_block: null, paid_at: null, collected_at: null },
  ...{
    paid_sequence: null,
    cancelled_at: null,
    cancel_reason: null,
    unmatched_tx_hash: null,
    static_paid_micros: 0n,
    quoted_at: null,
    holds_rif: false,
  },
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
  async function create(
    dbTx: Db,
    { memberId, address }: Buyer,
    order: OrderRequest,
    { request, planned }: { request?: IdempotentRequest | undefined; planned?: Planned } = {},
  ): Promise<Order> {
    const at = now()
    const day = dayOf(at.getTime())
    const plan = await plans.planAt(dbTx, day, planned)
    await ledger.lockHeads(dbTx, [memberId])
    const terms = termsOfLevel(plan, Number(order.productId))
    if (terms === null) {
      // The package may have been available when the request was first made.
      const answered = await readMember(dbTx, memberId, answeredRead(request))
      if (answered) return answered.answer as Order
      throw new AppError('PACKAGE_NOT_FOUND')
    }
    await lockRows(dbTx, repository.packageLock(terms.level))
    const { before, gate, copies, own, prices, bank, pace, eventWanted, orderId } = await readTogether(
      dbTx,
      memberId,
      {
        before: answeredRead(request),
        gate: ORDER_GATE,
        copies: repository.copiesRead(terms.level),
        own: repository.ownOrdersRead,
        prices: pricing.pricesRead(['AMC', 'RIF'], at),
        bank: checkout.bankRead(),
        pace: deps.progress.paceRead(),
        eventWanted: deps.webhookEvents.wantedRead('order.created'),
        orderId: repository.nextOrderRead,
      },
    )
    if (before) return before.answer as Order
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
    const answerOf = (made: OrderRow) => requireAsShown(orderView(made, pace), order.expected)
    // Before the first write, because a refusal after it would roll back the transaction of others.
    const full = order.useHashRate ? undefined : answerOf(row)
    const firstOrdered = !own.hasOrdered
    const counted = repository.counting(terms.level, at, { ordered: 1, firstOrdered })
    if (eventWanted)
      await deps.webhookEvents.emit(dbTx, 'order.created', {
        ...{ order_id: `${orderId}`, member_id: `${memberId}`, package: terms.name },
        ...{ usdt: formatMicros(quote.usdtMicros), amc: formatMicros(quote.amcMicros) },
      })
    if (full) {
      await writeTogether(dbTx, [repository.insertion(row), counted, ...keptAnswer(request, full, at)])
      return full
    }
    await writeTogether(dbTx, [repository.insertion(row), counted])
    const answer = answerOf(await addDiscount(dbTx, row))
    await writeTogether(dbTx, keptAnswer(request, answer, at))
    return answer
  }

  /**
   * Cancels an order, which may have been read (`known`) before the transaction. Throws ORDER_NOT_FOUND,
   * ORDER_FINAL.
   */
  async function cancel(
    dbTx: Db,
    memberId: bigint,
    orderId: bigint,
    { request, known }: { request?: IdempotentRequest | undefined; known?: OrderRow } = {},
  ): Promise<Order> {
    await orders.lockToClose(dbTx, known ?? (await orders.get(dbTx, memberId, orderId)))
    // In one message: another one would keep all operations waiting that share the transaction.
    const [{ before, pace }, order] = await Promise.all([
      readTogether(dbTx, memberId, { before: answeredRead(request), pace: deps.progress.paceRead() }),
      orders.get(dbTx, memberId, orderId),
    ])
    if (before) return before.answer as Order
    const closed = await orders.close(dbTx, order, 'member', (row) =>
      keptAnswer(request, orderView(row, pace), now()),
    )
    return orderView(closed, pace)
  }

  return {
    ...{ addDiscount, create, cancel },

    /** Runs `create` in its own transaction. */
    async order(db: Db, buyer: Buyer, order: OrderRequest, request?: IdempotentRequest): Promise<Order> {
      const planned = await plans.planned(db)
      const run = (dbTx: Db) => create(dbTx, buyer, order, { request, planned })
      // With the discount it can be refused after its first write, which would roll back the transaction of
      // others.
      return order.useHashRate
        ? inTx(db, run)
        : inMemberTx(db, { memberId: buyer.memberId, needsCoordinator: true }, run)
    },

    /**
     * Cancels an unpaid order in its own transaction. Throws ORDER_NOT_FOUND, ORDER_FINAL, PAID_ON_CHAIN,
     * CHAIN_UNAVAILABLE.
     */
    async cancelUnpaid(
      db: Db,
      memberId: bigint,
      orderId: bigint,
      request?: IdempotentRequest,
    ): Promise<Order> {
      const known = await orders.requireUnpaid(memberId, orderId)
      return inMemberTx(db, { memberId, needsCoordinator: true }, (dbTx) =>
        cancel(dbTx, memberId, orderId, { request, known }),
      )
    },
  }
}
