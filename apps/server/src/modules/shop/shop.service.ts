import type { Order, OrderQuote, Product } from '@rif/api-schema'
import {
  allowOrder,
  copiesLeft,
  dayOf,
  formatMicros,
  type Micros,
  type OrderStatus,
  type Plan,
  quoteDeadline,
  quoteOrder,
  remainingDividends,
  termsOfLevel,
} from '@rif/rules'
import type { ChainProgress } from '../../chain/progress.ts'
import type { RawTx } from '../../chain/raw-tx.ts'
import { noteChange } from '../../db/changes.ts'
import { type Db, inDbTx, inMemberTx } from '../../db/database.ts'
import { type Read, readMember, readRecords, readTogether } from '../../db/read.ts'
import { lockRows, requireEnough } from '../../db/sharing.ts'
import { writeTogether } from '../../db/write-together.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { answeredRead, type IdempotentRequest, keptAnswer } from '../../lib/idempotency.ts'
import type { Checkout, Payable } from '../checkout/checkout.service.ts'
import { gateRead, passIn, requireMayPutIn } from '../gates/gates.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlacementService } from '../placement/placement.service.ts'
import type { Planned, PlansService } from '../plans/plans.service.ts'
import type { PricingService } from '../pricing/pricing.service.ts'
import type { Reversals } from '../reversals/reversals.service.ts'
import type { RewardsService } from '../rewards/rewards.service.ts'
import type { WebhookEvents } from '../webhooks/webhooks.events.service.ts'
import { createShopOrders } from './shop.orders.service.ts'
import { createShopPayments } from './shop.payments.service.ts'
import { createShopPreview, requireAsShown } from './shop.preview.service.ts'
import type { OrderRow, PaidPackage } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { createPaymentsTogether } from './shop.together.service.ts'
import { chosenQuote, type Decimals, orderView } from './shop.view.ts'

export { addStaticPaid } from './shop.repository.ts'

interface Deps {
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
  readonly webhookEvents: Pick<WebhookEvents, 'emit' | 'wantedRead'>
}

/** The order to pay and the quote wanted; undefined leaves the choice of the order as it was. */
export interface PaymentRequest {
  readonly memberId: bigint
  readonly orderId: bigint
  readonly useHashRate: boolean | undefined
}

/** The member who orders. */
export interface Buyer {
  readonly memberId: bigint
  /** The wallet that pays, in lower case. */
  readonly address: string
}

/** The package to order. */
export interface OrderRequest {
  readonly productId: bigint
  readonly useHashRate: boolean
  /** The amounts that the member saw; undefined accepts any. */
  readonly expected?: Pick<OrderQuote, 'usdt' | 'amc' | 'rif'> | undefined
}

/** A member's paid packages in figures; amounts as they were paid, `baseMicros` in USDT worth. */
export interface Investments {
  readonly baseMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly remainingDividendsMicros: Micros
}

export type Shop = ReturnType<typeof createShop>

/** The columns of an order that its payment or a discount fills in. */
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
  },
} as const

/** Creates the shop: launchpad packages, their orders, and the handler of payments on chain. Rules, section 4. */
export function createShop(deps: Deps) {
  const { now, ledger, plans, pricing, checkout } = deps
  const orders = createShopOrders(deps)
  const payments = createShopPayments({ ...deps, orders })

  const view = async (db: Db, order: OrderRow): Promise<Order> =>
    orderView(order, await deps.progress.pace(db))

  /** Adds the discounted quote to an order that has none, and holds its RIF; without RIF the order stays as it is. */
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
   * Returns an order that can be paid now, with the quote chosen: the discounted one is made and its RIF are held at the
   * first request for it. Throws ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED, PRICE_UNAVAILABLE.
   */
  async function choose(dbTx: Db, { memberId, orderId, useHashRate }: PaymentRequest): Promise<OrderRow> {
    const order = await orders.lock(dbTx, memberId, orderId)
    await orders.requirePayable(dbTx, order)
    if (useHashRate === undefined || useHashRate === order.use_hash_rate) return order
    if (useHashRate && order.discount_micros === null) return addDiscount(dbTx, order)
    return repository.updateOrder(dbTx, order, { use_hash_rate: useHashRate })
  }

  async function payable(db: Db, request: PaymentRequest): Promise<Payable> {
    const order = await inDbTx(db, (dbTx) => choose(dbTx, request))
    const { usdtMicros, amcMicros } = chosenQuote(order)
    return {
      ...{ of: 'shop', memberId: order.member_id, orderId: order.order_id },
      ...{ bank: order.bank, payer: order.payer },
      usdtMicros,
      amcMicros,
      expiresAt: order.expires_at,
    }
  }

  /**
   * Quotes and stores an order. Throws PACKAGE_NOT_FOUND, ORDER_OPEN with the id of the member's open order for the
   * package, SOLD_OUT, PRICE_UNAVAILABLE (of AMC, or of RIF with the discount), INVALID_AMOUNT, and QUOTE_CHANGED when
   * it would cost others than the expected amounts.
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
      // The package may have been sold when the request came first.
      const answered = await readMember(dbTx, memberId, answeredRead(request))
      if (answered) return answered.answer as Order
      throw new AppError('PACKAGE_NOT_FOUND')
    }
    await lockRows(dbTx, repository.packageLock(terms.level))
    const { before, gate, taken, own, prices, bank, pace, eventWanted, orderId } = await readTogether(
      dbTx,
      memberId,
      {
        before: answeredRead(request),
        gate: gateRead('orders'),
        taken: repository.takenRead(terms.level),
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
    const left = copiesLeft(terms, taken)
    if (left === 0) throw new AppError('SOLD_OUT')
    requireEnough(dbTx, left)

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
    // Before the first write, which would undo the transaction of others.
    const full = order.useHashRate ? undefined : answerOf(row)
    const firstOrdered = !own.hasOrdered
    const writes = [
      repository.taking(terms.level, 1),
      repository.counting(terms.level, at, { ordered: 1, firstOrdered }),
    ]
    if (eventWanted)
      await deps.webhookEvents.emit(dbTx, 'order.created', {
        ...{ order_id: `${orderId}`, member_id: `${memberId}`, package: terms.name },
        ...{ usdt: formatMicros(quote.usdtMicros), amc: formatMicros(quote.amcMicros) },
      })
    if (full) {
      await writeTogether(dbTx, [repository.insertion(row), ...writes, ...keptAnswer(request, full, at)])
      return full
    }
    await writeTogether(dbTx, [repository.insertion(row), ...writes])
    const answer = answerOf(await addDiscount(dbTx, row))
    await writeTogether(dbTx, keptAnswer(request, answer, at))
    return answer
  }

  /** Cancels an order, which may be `known` from before the transaction. Throws ORDER_NOT_FOUND, ORDER_FINAL. */
  async function cancel(
    dbTx: Db,
    memberId: bigint,
    orderId: bigint,
    { request, known }: { request?: IdempotentRequest | undefined; known?: OrderRow } = {},
  ): Promise<Order> {
    await orders.lockToClose(dbTx, known ?? (await orders.get(dbTx, memberId, orderId)))
    const { before, pace } = await readTogether(dbTx, memberId, {
      before: answeredRead(request),
      pace: deps.progress.paceRead(),
    })
    if (before) return before.answer as Order
    const order = await orders.get(dbTx, memberId, orderId)
    const closed = await orders.close(dbTx, order, 'member', (row) =>
      keptAnswer(request, orderView(row, pace), now()),
    )
    return orderView(closed, pace)
  }

  return {
    ...{ choose, create, expire: orders.expire, followReported: orders.followReported },
    cancel,
    preview: createShopPreview(deps),
    /** Handles payments on chain. */
    payments,
    paymentsTogether: createPaymentsTogether({ ...deps, orders }, payments),

    /** Returns the packages of today's plan with the copies that can still be ordered. */
    async products(db: Db): Promise<Product[]> {
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const taken = await repository.takenCopies(db)
      return plan.packages.map((terms) => ({
        product_id: `${terms.level}`,
        name: terms.name,
        price: formatMicros(terms.priceMicros),
        level: terms.level,
        copies_limit: terms.copies,
        copies_left: copiesLeft(terms, taken.get(terms.level) ?? 0),
        referral_ppm: terms.referralPpm,
        organisation_ppm: terms.organisationPpm,
        static_per_day_ppm: terms.staticPpm,
        pairing_ppm: terms.pairingPpm,
        pairing_day_cap: formatMicros(terms.pairingDayCapMicros),
      }))
    },

    /** Runs `create` in a transaction of its own. */
    async order(db: Db, buyer: Buyer, order: OrderRequest, request?: IdempotentRequest): Promise<Order> {
      const day = dayOf(now().getTime())
      const planned = { day, plan: await plans.planAt(db, day) }
      const run = (dbTx: Db) => create(dbTx, buyer, order, { request, planned })
      // With the discount it is refused after its first write, which would undo the transaction of others.
      return order.useHashRate
        ? inDbTx(db, run)
        : inMemberTx(db, { memberId: buyer.memberId, needsCoordinator: true }, run)
    },

    /**
     * Returns an approval of exactly the quote's amount of one token; `tx` is null when the allowance suffices. Throws
     * ORDER_NOT_FOUND, ORDER_FINAL, ORDER_EXPIRED, CHAIN_UNAVAILABLE, and with the discount PRICE_UNAVAILABLE.
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
      return checkout.payment(await payable(db, request))
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

    /** Cancels an unpaid order in a transaction of its own. Throws ORDER_NOT_FOUND, ORDER_FINAL, PAID_ON_CHAIN, CHAIN_UNAVAILABLE. */
    async cancelUnpaid(
      db: Db,
      memberId: bigint,
      orderId: bigint,
      request?: IdempotentRequest,
    ): Promise<Order> {
      const known = await orders.requireUnpaid(db, memberId, orderId)
      return inMemberTx(db, { memberId, needsCoordinator: true }, (dbTx) =>
        cancel(dbTx, memberId, orderId, { request, known }),
      )
    },

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
     * Reads what a member has put into packages, and what static rewards can still pay on them under a plan. Rules, sections 4 and 5.4.
     */
    investmentsRead(plan: Plan): Read<Investments> {
      return readRecords(repository.paidPackagesOf, (rows: readonly repository.PaidPackageRow[]) =>
        investmentsOf(rows.map(toPaidPackage), plan),
      )
    },
  }
}

function toPaidPackage(row: repository.PaidPackageRow): PaidPackage {
  const [price, staticPaid, fullUsdt, fullAmc, discount, rif, discountedUsdt, discountedAmc] = row
  const orNull = (micros: string | undefined) => (micros === undefined ? null : BigInt(micros))
  return {
    price_micros: BigInt(price),
    static_paid_micros: BigInt(staticPaid),
    full_usdt_micros: BigInt(fullUsdt),
    full_amc_micros: BigInt(fullAmc),
    use_hash_rate: discount !== undefined,
    discount_micros: orNull(discount),
    rif_micros: orNull(rif),
    discounted_usdt_micros: orNull(discountedUsdt),
    discounted_amc_micros: orNull(discountedAmc),
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
