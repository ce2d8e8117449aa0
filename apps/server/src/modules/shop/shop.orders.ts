import { canTransition, dayOf, ORDER_TRANSITIONS, type OrderStatus } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import { heldRifMicros, type Quote } from './shop.quotes.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'

/** Why an order was cancelled. */
export type CancelReason = 'member' | 'expired'

export type OrderBook = ReturnType<typeof createOrderBook>

/**
 * The steps that change an order, under the locks they need. Statuses go only where the rules allow (section 4);
 * whatever else is asked is refused as ORDER_FINAL. An order is guarded by its member's ledger head.
 */
export function createOrderBook({ ledger, now }: { ledger: LedgerService; now: Now }) {
  /** Locks a member's orders and reads one. Throws ORDER_NOT_FOUND. */
  async function lock(dbTx: Db, memberId: bigint, orderId: bigint): Promise<OrderRow> {
    await ledger.lock(dbTx, { memberIds: [memberId] })
    const order = await repository.findOrder(dbTx, memberId, orderId)
    if (order === undefined) throw new AppError('ORDER_NOT_FOUND')
    return order
  }

  /** Spends the RIF held for an order or gives them back, once; nothing when none are held. */
  async function settleRif(dbTx: Db, order: OrderRow, outcome: 'spend' | 'release', at: Date): Promise<void> {
    const rifMicros = heldRifMicros(order)
    if (rifMicros === 0n) return
    const destination = outcome === 'spend' ? 'revenue' : 'available'
    await ledger.post(dbTx, {
      key: `order/${order.order_id}/rif`,
      kind: `order_discount_${outcome}`,
      cause: { type: 'order', id: `${order.order_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        { memberId: order.member_id, asset: 'RIF', source: 'locked', destination, amountMicros: rifMicros },
      ],
    })
  }

  return {
    lock,
    settleRif,

    /** Adds the discounted quote to an order that has none, holds its RIF and chooses it. Throws INSUFFICIENT_BALANCE. */
    async addDiscount(dbTx: Db, order: OrderRow, quote: Quote): Promise<OrderRow> {
      const at = now()
      await ledger.post(dbTx, {
        key: `order/${order.order_id}/rif-hold`,
        kind: 'order_discount_hold',
        cause: { type: 'order', id: `${order.order_id}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [
          {
            memberId: order.member_id,
            asset: 'RIF',
            source: 'available',
            destination: 'locked',
            amountMicros: quote.rifMicros,
          },
        ],
      })
      return repository.updateOrder(dbTx, order, {
        discount_micros: quote.discountMicros,
        rif_micros: quote.rifMicros,
        discounted_usdt_micros: quote.usdtMicros,
        discounted_amc_micros: quote.amcMicros,
        use_hash_rate: true,
      })
    },

    /** Locks an order and, before it, the package whose copy it gives back when it closes. Throws ORDER_NOT_FOUND. */
    async lockToClose(dbTx: Db, memberId: bigint, orderId: bigint): Promise<OrderRow> {
      const order = await repository.findOrder(dbTx, memberId, orderId)
      if (order === undefined) throw new AppError('ORDER_NOT_FOUND')
      await repository.lockPackage(dbTx, order.package_id)
      return lock(dbTx, memberId, orderId)
    },

    /** Notes the hash under which the member says to have paid. */
    report(dbTx: Db, order: OrderRow, txHash: string): Promise<OrderRow> {
      if (order.status === 'UnPaid') assertTransition(order.status, 'Processing')
      else if (order.status !== 'Processing' || order.seen_block !== null) throw new AppError('ORDER_FINAL')
      return repository.updateOrder(dbTx, order, {
        status: 'Processing',
        tx_hash: txHash,
        reported_at: now(),
      })
    },

    /** Notes where on chain the payment was seen, under whichever hash. */
    seen(dbTx: Db, order: OrderRow, txHash: string, blockNumber: bigint): Promise<OrderRow> {
      if (order.status !== 'Processing') assertTransition(order.status, 'Processing')
      return repository.updateOrder(dbTx, order, {
        status: 'Processing',
        tx_hash: txHash,
        seen_block: blockNumber,
      })
    },

    /** The payment is gone: reverted, vanished or in a block that the chain dropped. */
    backToUnPaid(dbTx: Db, order: OrderRow): Promise<OrderRow> {
      assertTransition(order.status, 'UnPaid')
      return repository.updateOrder(dbTx, order, {
        status: 'UnPaid',
        tx_hash: null,
        reported_at: null,
        seen_block: null,
      })
    },

    /** Cancels an order locked by `lockToClose`: gives back its copy and the RIF held for it. */
    async close(dbTx: Db, order: OrderRow, reason: CancelReason): Promise<OrderRow> {
      assertTransition(order.status, 'Cancelled')
      const at = now()
      await settleRif(dbTx, order, 'release', at)
      await repository.addTaken(dbTx, order.package_id, -1)
      await repository.countOrder(dbTx, order.package_id, at, { cancelled: 1 })
      return repository.updateOrder(dbTx, order, {
        status: 'Cancelled',
        cancelled_at: at,
        cancel_reason: reason,
      })
    },
  }
}

function assertTransition(from: OrderStatus, to: OrderStatus): void {
  if (!canTransition(ORDER_TRANSITIONS, from, to)) throw new AppError('ORDER_FINAL')
}
