import { dayOf, type Plan, splitPayment } from '@rif/rules'
import type { ChainEvent } from '../../chain/indexer/events.ts'
import { unpackOnChainId } from '../../chain/onchain-id.ts'
import type { JournalEntry, LedgerLine } from '../books/ledger/ledger.service.ts'
import type { OrderRow } from './shop.repository.ts'
import type { Quote } from './view.ts'

export type Payment = ChainEvent<'OrderPaid'>

/** A payment that pays an order exactly. */
export interface Collection {
  readonly order: OrderRow
  readonly quote: Quote
  readonly plan: Plan
  readonly at: Date
  /** The key of the payment. */
  readonly step: string
}

export const paymentKey = (orderId: bigint) => `order/${orderId}/payment`
/**
 * Returns the key of the commissions of a payment: each payment of an order, after an undone one, has its
 * own.
 */
export const commissionsKey = (payment: string) => payment.replace('/payment', '/commissions')

/** Returns the member and the order in a payment's id; null for an id that this system never issued. */
export function idsOf(event: Payment): { memberId: bigint; id: bigint } | null {
  try {
    return unpackOnChainId(event.args.orderId)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Returns the transaction that books the payment of an order. Rules, section 4. */
export function paymentEntry({ order, quote, plan, at, step }: Collection): JournalEntry {
  const memberId = order.member_id
  const share = (asset: 'USDT' | 'AMC', receivedMicros: bigint): LedgerLine[] => {
    const { poolMicros, revenueMicros } = splitPayment(receivedMicros, plan)
    return [
      { memberId, asset, source: 'external', destination: 'commission_pool', amountMicros: poolMicros },
      { memberId, asset, source: 'external', destination: 'revenue', amountMicros: revenueMicros },
    ]
  }
  const lines = [...share('USDT', quote.usdtMicros), ...share('AMC', quote.amcMicros)]
  return {
    key: step,
    kind: 'order_payment',
    cause: { type: 'order', id: `${order.order_id}` },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: lines.filter(({ amountMicros }) => amountMicros > 0n),
  }
}
