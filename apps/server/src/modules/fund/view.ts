import type { FundOrder, FundRedemption } from '@rif/api-schema'
import { formatMicros, type Micros, redemptionFigures, unlockTime } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ChainPace, confirmationsOf, secondsOf } from '../../chain/confirmations.ts'
import { packFundOrderId } from '../../chain/onchain-id.ts'
import { type FundOrderRow, totalOf } from './orders/orders.repository.ts'
import { type NavRow, type ProductRow, productTermsOf } from './products/products.repository.ts'
import type { RedemptionLotRow, RedemptionRow } from './redemptions/redemptions.repository.ts'

/** Returns a purchase in the API's format. */
export function fundOrderView(
  order: FundOrderRow,
  parts: {
    pace: ChainPace
    products: ReadonlyMap<bigint, ProductRow>
    navs: ReadonlyMap<bigint, NavRow>
  },
): FundOrder {
  const product = parts.products.get(order.product_id)!
  const currentNav = parts.navs.get(order.product_id)?.nav_micros
  const marketMicros = order.units_left * (currentNav ?? order.nav_micros)
  const isPaid = order.paid_at !== null
  return {
    order_id: `${order.order_id}`,
    chain_order_id: `${packFundOrderId(order.member_id, order.order_id)}`,
    product_id: `${order.product_id}`,
    product_name: product.name,
    status: order.status,
    payment_method: order.payment_method,
    payer: getAddress(order.payer as Hex),
    bank: order.bank === null ? null : getAddress(order.bank as Hex),
    units: `${order.units}`,
    units_left: `${order.units_left}`,
    units_redeeming: `${order.units_reserved}`,
    nav: formatMicros(order.nav_micros),
    current_nav: currentNav === undefined ? null : formatMicros(currentNav),
    value: formatMicros(order.units * order.nav_micros),
    fee_ppm: order.fee_ppm,
    fee: formatMicros(order.fee_micros),
    total: formatMicros(totalOf(order)),
    amount_received: formatMicros(isPaid ? totalOf(order) : 0n),
    market_value: formatMicros(marketMicros),
    profit: formatMicros(marketMicros - order.units_left * order.nav_micros),
    lock_days: product.lock_days,
    lock_until: new Date(unlockTime(order.created_at.getTime(), productTermsOf(product))).toISOString(),
    created_at: order.created_at.toISOString(),
    expires_at: order.expires_at?.toISOString() ?? null,
    tx_hash: order.tx_hash,
    confirmations: confirmationsOf(order.seen_block, isPaid, parts.pace),
    confirmations_needed: parts.pace.confirmationsNeeded,
    usual_seconds: secondsOf(parts.pace.bookedMs),
    paid_at: order.paid_at?.toISOString() ?? null,
    collected_at: order.collected_at?.toISOString() ?? null,
    cancelled_at: order.cancelled_at?.toISOString() ?? null,
    cancel_reason: order.cancel_reason,
    unmatched_tx_hash: order.unmatched_tx_hash,
  }
}

/** Returns a part of a redemption in the API's format. */
export function lotView(
  part: Pick<RedemptionLotRow, 'order_id' | 'units' | 'nav_micros'>,
): FundRedemption['lots'][number] {
  return {
    order_id: `${part.order_id}`,
    units: `${part.units}`,
    nav: formatMicros(part.nav_micros),
    cost: formatMicros(part.units * part.nav_micros),
  }
}

/**
 * Returns a redemption in the API's format: with the figures of its payment, or before that with estimates at
 * the current NAV.
 */
export function redemptionView(
  redemption: RedemptionRow,
  parts: {
    at: Date
    product: ProductRow
    /** The position in the product's payment queue; null unless approved. */
    place: number | null
    /** False while the product makes no payments because of its valuation. */
    isDealing: boolean
    parts: readonly RedemptionLotRow[]
  },
): FundRedemption {
  const { at, product, place, isDealing } = parts
  const { status, units, cost_micros: costMicros } = redemption
  const navMicros: Micros = redemption.nav_micros ?? product.nav_micros
  const figures = figuresOf(redemption, navMicros, product)
  return {
    redemption_id: `${redemption.redemption_id}`,
    product_id: `${redemption.product_id}`,
    product_name: product.name,
    status,
    units: `${units}`,
    cost: formatMicros(costMicros),
    nav: formatMicros(navMicros),
    is_estimate: redemption.nav_micros === null,
    value: formatMicros(units * navMicros),
    profit: formatMicros(units * navMicros - costMicros),
    redemption_fee: formatMicros(figures.redemptionFeeMicros),
    management_fee: formatMicros(figures.managementFeeMicros),
    net: formatMicros(units * navMicros - figures.redemptionFeeMicros - figures.managementFeeMicros),
    submitted_at: redemption.submitted_at.toISOString(),
    audited_at: redemption.audited_at?.toISOString() ?? null,
    reject_reason: status === 'Rejected' ? redemption.review_reason : null,
    arrival_at: redemption.due_at?.toISOString() ?? null,
    waits_for: status === 'Approved' ? reasonToWait(redemption, { at, product, isDealing }) : null,
    queue_place: place,
    completed_at: redemption.paid_at?.toISOString() ?? null,
    cancelled_at: redemption.cancelled_at?.toISOString() ?? null,
    lots: parts.parts.map(lotView),
  }
}

/** Returns the condition that an approved redemption waits for. */
function reasonToWait(
  { due_at }: RedemptionRow,
  { at, product, isDealing }: { at: Date; product: ProductRow; isDealing: boolean },
): NonNullable<FundRedemption['waits_for']> {
  if (due_at! > at) return 'time'
  if (!isDealing) return 'valuation'
  return product.nav_micros === 0n ? 'worth' : 'cash'
}

/** Returns the fees of the payment, or before that their estimate; none if the estimate exceeds 64 bits. */
function figuresOf(redemption: RedemptionRow, navMicros: Micros, product: ProductRow) {
  if (redemption.redemption_fee_micros !== null) {
    return {
      redemptionFeeMicros: redemption.redemption_fee_micros,
      managementFeeMicros: redemption.management_fee_micros!,
    }
  }
  const { units, cost_micros: costMicros } = redemption
  const figures = redemptionFigures({ units, navMicros, costMicros }, productTermsOf(product))
  return figures.ok ? figures : { redemptionFeeMicros: 0n, managementFeeMicros: 0n }
}
