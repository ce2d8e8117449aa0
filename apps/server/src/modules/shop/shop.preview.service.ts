import type { Order, OrderPreview } from '@rif/api-schema'
import { copiesLeft, dayOf, formatMicros, quoteOrder, termsOfLevel } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import type { Checkout } from './checkout/checkout.service.ts'
import * as repository from './shop.repository.ts'
import { quoteView } from './view.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly checkout: Checkout
}

export interface PreviewRequest {
  readonly memberId: bigint
  /** The wallet that would pay, in lower case. */
  readonly address: string
  readonly productId: bigint
  readonly useHashRate: boolean
}

/** Creates the read-only quote of a package, by the same rule as `create`. Rules, section 4. */
export function createShopPreview({ now, ledger, plans, pricing, checkout }: Deps) {
  /**
   * Returns the current cost of an order. Writes nothing: no order, no copy, no RIF. Throws
   * PACKAGE_NOT_FOUND, PRICE_UNAVAILABLE, INVALID_AMOUNT, and PAUSED if the bank takes no orders.
   */
  return async function preview(db: Db, request: PreviewRequest): Promise<OrderPreview> {
    const at = now()
    const plan = await plans.planAt(db, dayOf(at.getTime()))
    const terms = termsOfLevel(plan, Number(request.productId))
    if (terms === null) throw new AppError('PACKAGE_NOT_FOUND')
    const amcPrice = await pricing.priceAt(db, 'AMC', at)
    const rifPrice = await pricing.priceAt(db, 'RIF', at)
    const { RIF } = await ledger.balances(db, request.memberId)
    const quote = quoteOrder({
      priceMicros: terms.priceMicros,
      useHashRate: request.useHashRate,
      rifAvailableMicros: RIF.available,
      rifPriceMicros: rifPrice?.priceMicros ?? null,
      amcPriceMicros: amcPrice?.priceMicros ?? null,
      plan,
    })
    if (!quote.ok) throw new AppError(quote.code)
    const copies = (await repository.paidCopies(db)).get(terms.level) ?? 0
    const own = await repository.newestPaid(db, request.memberId, terms.level)
    return {
      product_id: `${terms.level}`,
      product_name: terms.name,
      level: terms.level,
      price: formatMicros(terms.priceMicros),
      amc_price: formatMicros(amcPrice!.priceMicros),
      copies_limit: terms.copies,
      copies_left: copiesLeft(terms, copies),
      quote: quoteView(quote),
      valid_ms: plan.order.quoteValidityMs,
      payer: getAddress(request.address as Hex),
      bank: getAddress((await checkout.bankOfNewOrder(db)) as Hex),
      static_per_day_ppm: terms.staticPpm,
      newest_own:
        own === null
          ? null
          : {
              bought_at: own.created_at.toISOString(),
              static_paid: formatMicros(own.static_paid_micros),
            },
    }
  }
}

/** Throws QUOTE_CHANGED if the amounts of an order differ from those shown to the member. */
export function requireAsShown(
  order: Order,
  expected: Pick<Order['quote'], 'usdt' | 'amc' | 'rif'> | undefined,
): Order {
  const { usdt, amc, rif } = order.quote
  const isAsShown =
    expected === undefined || (expected.usdt === usdt && expected.amc === amc && expected.rif === rif)
  if (!isAsShown) throw new AppError('QUOTE_CHANGED')
  return order
}
