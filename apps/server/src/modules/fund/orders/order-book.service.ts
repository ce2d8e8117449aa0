import { canTransition, dayOf, FUND_ORDER_TRANSITIONS, type FundOrderStatus } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { custodyAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { ProductRow } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import type { FundOrderRow } from './orders.repository.ts'
import * as repository from './orders.repository.ts'

export type FundOrderBook = ReturnType<typeof createFundOrderBook>

/** What an order asks for in all. */
export function totalOf(order: Pick<FundOrderRow, 'units' | 'nav_micros' | 'fee_micros'>): bigint {
  return order.units * order.nav_micros + order.fee_micros
}

/** Whether an order may still be paid. */
export function isOpen(status: FundOrderStatus): boolean {
  return status === 'UnPaid' || status === 'Processing' || status === 'Subscription'
}

/**
 * The steps that change a purchase, guarded by its member's ledger head. Statuses go only where the rules allow; whatever
 * else is asked is refused as ORDER_FINAL. Rules, section 8.
 */
export function createFundOrderBook(deps: { ledger: LedgerService; products: FundProducts; now: Now }) {
  const { ledger, products, now } = deps

  return {
    /** Locks a member's purchases and reads one. Throws ORDER_NOT_FOUND. */
    async lock(dbTx: Db, memberId: bigint, orderId: bigint): Promise<FundOrderRow> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const order = await repository.findOrder(dbTx, memberId, orderId)
      if (order === undefined) throw new AppError('ORDER_NOT_FOUND')
      return order
    },

    /** Notes the hash under which the member says to have paid. */
    report(dbTx: Db, order: FundOrderRow, txHash: string): Promise<FundOrderRow> {
      if (order.status !== 'UnPaid' && order.status !== 'Processing') throw new AppError('ORDER_FINAL')
      return repository.updateOrder(dbTx, order, {
        status: 'Processing',
        tx_hash: txHash,
        reported_at: now(),
      })
    },

    /** Notes where on chain the payment was seen, under whichever hash. */
    seen(dbTx: Db, order: FundOrderRow, txHash: string, blockNumber: bigint): Promise<FundOrderRow> {
      if (order.status !== 'Subscription') assertTransition(order.status, 'Subscription')
      return repository.updateOrder(dbTx, order, {
        status: 'Subscription',
        tx_hash: txHash,
        seen_block: blockNumber,
      })
    },

    /** The payment is gone: reverted, vanished or in a block that the chain dropped. */
    backToUnPaid(dbTx: Db, order: FundOrderRow): Promise<FundOrderRow> {
      assertTransition(order.status, 'UnPaid')
      return repository.updateOrder(dbTx, order, {
        status: 'UnPaid',
        tx_hash: null,
        reported_at: null,
        seen_block: null,
      })
    },

    /** Cancels an unpaid order: nothing was held for it. */
    close(dbTx: Db, order: FundOrderRow, reason: 'member' | 'expired'): Promise<FundOrderRow> {
      assertTransition(order.status, 'Cancelled')
      return repository.updateOrder(dbTx, order, {
        status: 'Cancelled',
        cancelled_at: now(),
        cancel_reason: reason,
      })
    },

    /**
     * Books a purchase: its value into the product's principal, its fee into fees, its units to the member. The product, its
     * custody and the head are locked. Throws INSUFFICIENT_BALANCE.
     */
    async collect(
      dbTx: Db,
      product: ProductRow,
      order: FundOrderRow,
      payment: { source: 'available' | 'external'; paidAt: Date; at: Date },
    ): Promise<FundOrderRow> {
      const { source, paidAt, at } = payment
      const line = { memberId: order.member_id, asset: 'USDT', source } as const
      const lines = [
        {
          ...line,
          destination: custodyAccount(order.product_id, 'principal'),
          amountMicros: order.units * order.nav_micros,
        },
        { ...line, destination: 'fees' as const, amountMicros: order.fee_micros },
      ]
      await ledger.post(dbTx, {
        key: `fund-order/${order.order_id}`,
        kind: 'fund_purchase',
        cause: { type: 'fund_order', id: `${order.order_id}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: lines.filter(({ amountMicros }) => amountMicros > 0n),
      })
      await products.count(dbTx, product.product_id, {
        units_outstanding: product.units_outstanding + order.units,
      })
      return repository.updateOrder(dbTx, order, {
        status: 'Paid',
        units_left: order.units,
        paid_at: paidAt,
        collected_at: at,
      })
    },
  }
}

function assertTransition(from: FundOrderStatus, to: FundOrderStatus): void {
  if (!canTransition(FUND_ORDER_TRANSITIONS, from, to)) throw new AppError('ORDER_FINAL')
}
