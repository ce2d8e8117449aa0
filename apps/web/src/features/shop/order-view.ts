import type { Order, OrderStatus } from '@rif/api-schema'
import { allowOrder } from '@rif/rules'
import type { StepState, Tone } from '../../ui/index.ts'
import type { OrderStep } from '../../wallet/order-frame.tsx'

/** The colour of each status, which repeats its text. */
export const ORDER_TONES: Record<OrderStatus, Tone> = {
  UnPaid: 'warn',
  Processing: 'info',
  Paid: 'good',
  Cancelled: 'neutral',
}

/** Reports whether an order can still change by itself: a payment may arrive, be confirmed or be dropped by the chain. */
export const isOrderOpen = (order: Pick<Order, 'status'>) =>
  order.status === 'UnPaid' || order.status === 'Processing'

/** Reports whether an order can be paid now; `nowMs` since the epoch. */
export const isPayable = (order: Pick<Order, 'status' | 'expires_at'>, nowMs: number) =>
  order.status === 'UnPaid' && Date.parse(order.expires_at) > nowMs

/**
 * Returns the unpaid order that prevents ordering a package again, by the server's own rule. Rules, section
 * 4.
 */
export function openOrderFor(orders: readonly Order[], productId: string, nowMs: number): Order | null {
  const unpaid = orders
    .filter((order) => order.status === 'UnPaid')
    .map((order) => ({ order, level: Number(order.product_id), expiresAtMs: Date.parse(order.expires_at) }))
  const allowed = allowOrder(unpaid, Number(productId), nowMs)
  return allowed.ok ? null : allowed.order.order
}

type ShopStep = OrderStep<'created' | 'sent' | 'confirmed' | 'paid' | 'cancelled'>

/** Returns the steps of an order from placement to payment, or to its cancellation. */
export function orderSteps(order: Order): ShopStep[] {
  const created: ShopStep = { id: 'created', state: 'done', at: order.created_at }
  if (order.status === 'Cancelled') {
    return [created, { id: 'cancelled', state: 'failed', at: order.cancelled_at }]
  }
  const [sent, confirmed, paid] = LATER_STATES[order.status]
  return [
    created,
    { id: 'sent', state: sent, at: order.paid_at },
    { id: 'confirmed', state: confirmed, at: null },
    { id: 'paid', state: paid, at: order.collected_at },
  ]
}

const LATER_STATES: Record<Exclude<OrderStatus, 'Cancelled'>, readonly [StepState, StepState, StepState]> = {
  UnPaid: ['waiting', 'waiting', 'waiting'],
  Processing: ['done', 'active', 'waiting'],
  Paid: ['done', 'done', 'done'],
}
