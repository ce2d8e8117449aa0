import { toChainUnits } from '@rif/rules'
import type { ChainEvent, EventHandler } from '../../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../../chain/onchain-id.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { CheckoutService, Mismatch } from '../../checkout/checkout.service.ts'
import { custodyAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { FundProducts } from '../products/products.service.ts'
import { type FundOrderBook, isOpen, totalOf } from './order-book.service.ts'
import type { FundOrderRow } from './orders.repository.ts'
import * as repository from './orders.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly products: FundProducts
  readonly orderBook: FundOrderBook
  readonly checkout: CheckoutService
  readonly usdtDecimals: number
}

type Payment = ChainEvent<'OrderPaid'>

/**
 * What a payment on chain does to its purchase, as with the orders of the shop: seen, it is Subscription; dropped, UnPaid
 * again; final, it is collected, or goes to `suspense` when it fits no open order. Rules, section 8.
 */
export function createFundPaymentHandler(deps: Deps): EventHandler<'OrderPaid'> {
  const { now, ledger, products, orderBook, checkout, usdtDecimals } = deps

  function mismatch(order: FundOrderRow, { payer, usdtAmount, amcAmount }: Payment['args']): Mismatch | null {
    if (!isOpen(order.status)) return 'closed_order'
    if (payer.toLowerCase() !== order.payer) return 'wrong_payer'
    const isExact = usdtAmount === toChainUnits(totalOf(order), usdtDecimals) && amcAmount === 0n
    return isExact ? null : 'wrong_amount'
  }

  /** The purchase an event names, with its member's head locked. */
  async function lockedOrder(dbTx: Db, event: Payment): Promise<FundOrderRow | undefined> {
    const { memberId, id } = unpackFundOrderId(event.args.orderId)!
    const order = await repository.findOrder(dbTx, memberId, id)
    return order && orderBook.lock(dbTx, memberId, id)
  }

  return {
    async onSeen(dbTx, event) {
      const order = await lockedOrder(dbTx, event)
      if (order === undefined || mismatch(order, event.args) !== null) return
      await orderBook.seen(dbTx, order, event.txHash, event.blockNumber)
    },

    async onDropped(dbTx, event) {
      const order = await lockedOrder(dbTx, event)
      // After a quick re-inclusion the order may already follow the payment's new place.
      const followed = order?.tx_hash === event.txHash && order.seen_block === event.blockNumber
      if (order?.status === 'Subscription' && followed) await orderBook.backToUnPaid(dbTx, order)
    },

    async onFinal(dbTx, event) {
      const { memberId, id } = unpackFundOrderId(event.args.orderId)!
      const known = await repository.findOrder(dbTx, memberId, id)
      const product = known && (await products.lock(dbTx, known.product_id))
      const custody = product === undefined ? [] : [custodyAccount(product.product_id, 'principal')]
      await ledger.lock(dbTx, { pools: [...custody, 'suspense'], memberIds: [memberId] })
      const at = now()
      if (product === undefined) {
        return checkout.suspend(dbTx, event, { at, memberId, reason: 'unknown_order' })
      }
      const order = (await repository.findOrder(dbTx, memberId, id))!
      if (order.paid_at !== null && order.tx_hash === event.txHash) return
      const reason = mismatch(order, event.args)
      if (reason !== null) {
        await checkout.suspend(dbTx, event, { at, memberId, reason })
        await repository.updateOrder(dbTx, order, { unmatched_tx_hash: event.txHash })
        return
      }
      const seen = await orderBook.seen(dbTx, order, event.txHash, event.blockNumber)
      await orderBook.collect(dbTx, product, seen, { source: 'external', paidAt: event.blockAt, at })
    },
  }
}
