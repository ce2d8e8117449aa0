import { canBePaid, isPriceValid, saleStop, toChainUnits } from '@rif/rules'
import type { Chain } from '../../../chain/client.ts'
import type { ChainEvent, EventSteps } from '../../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../../chain/onchain-id.ts'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import type { BatchKind } from '../../books/final-batch.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Checkout, Mismatch } from '../../shop/checkout/checkout.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import type { ProductRow } from '../products/products.repository.ts'
import type { FundOrderSteps } from './order-steps.service.ts'
import * as repository from './orders.repository.ts'
import { type FundOrderRow, totalOf } from './orders.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly assets: FundAssetsService
  readonly orders: FundOrderSteps
  readonly checkout: Checkout
  readonly decimals: Chain['decimals']
}

type Payment = ChainEvent<'OrderPaid'>

/**
 * Creates the steps of payments on chain, and their final one, as for shop orders. A seen payment makes its purchase
 * Subscription; a dropped one makes it UnPaid again; a final one, also of a cancelled purchase, is collected, or goes to `suspense` if it
 * matches no order, the quoted price no longer holds or buying is stopped. Rules, section 8.
 */
export function createFundPayments(deps: Deps): {
  payments: EventSteps<'OrderPaid'>
  finalPayments: BatchKind
} {
  const { now, ledger, assets, orders, checkout, decimals } = deps

  function mismatch(order: FundOrderRow, { payer, usdtAmount, amcAmount }: Payment['args']): Mismatch | null {
    // The payment of an order that its price has closed is in `suspense`.
    if (!canBePaid(order.status) || order.cancel_reason === 'price') return 'closed_order'
    if (payer.toLowerCase() !== order.payer) return 'wrong_payer'
    const isExact = usdtAmount === toChainUnits(totalOf(order), decimals.USDT) && amcAmount === 0n
    return isExact ? null : 'wrong_amount'
  }

  /** Returns the reason why a final payment gets no units at the quoted price. */
  async function priceProblem(dbTx: Db, product: ProductRow, order: FundOrderRow): Promise<Mismatch | null> {
    const { nav_micros: navMicros } = product
    if (!isPriceValid(order.nav_micros, navMicros)) return 'price_changed'
    if (saleStop({ isClosed: product.state !== 'open', navMicros }) !== null) return 'sale_stopped'
    if ((await assets.stopNow(dbTx, product)) !== null) return 'sale_stopped'
    const left = await orders.unitsLeft(dbTx, product, order.member_id)
    return left !== null && left.units < order.units ? 'sale_stopped' : null
  }

  /** Collects a payment, or puts it into `suspense`; its product, the pools and the member's head are locked. */
  async function finish(dbTx: Db, event: Payment): Promise<void> {
    const { memberId, id } = unpackFundOrderId(event.args.orderId)!
    const at = now()
    const order = await repository.findFundOrder(dbTx, memberId, id)
    if (order === undefined) return checkout.suspend(dbTx, event, { at, memberId, reason: 'unknown_order' })
    if (order.paid_at !== null && order.tx_hash === event.txHash) return
    const locked = await assets.lock(dbTx, order.product_id, [memberId], ['suspense'])
    const wrong = mismatch(order, event.args)
    const reason = wrong ?? (await priceProblem(dbTx, locked.product, order))
    if (reason !== null) {
      await checkout.suspend(dbTx, event, { at, memberId, reason })
      await repository.updateFundOrder(dbTx, order, {
        unmatched_tx_hash: event.txHash,
        ...(wrong === null && { status: 'Cancelled', cancelled_at: at, cancel_reason: 'price' }),
      })
      return
    }
    const seen = await orders.markSeen(dbTx, order, event.txHash, event.blockNumber)
    await orders.collect(dbTx, locked, seen, { source: 'external', paidAt: event.blockAt, at })
  }

  const finalPayments: BatchKind = {
    takes: (event) =>
      event.name === 'OrderPaid' && unpackFundOrderId((event as Payment).args.orderId) !== null,

    async begin(dbTx, events) {
      const productIds: bigint[] = []
      const memberIds: bigint[] = []
      for (const event of events as Payment[]) {
        const { memberId, id } = unpackFundOrderId(event.args.orderId)!
        memberIds.push(memberId)
        const order = await repository.findFundOrder(dbTx, memberId, id)
        if (order !== undefined) productIds.push(order.product_id)
      }
      return {
        pools: ['suspense', ...(await assets.lockRows(dbTx, productIds))],
        memberIds,
        async apply(run) {
          for (const event of run as Payment[]) await finish(dbTx, event)
        },
      }
    },
  }

  const payments: EventSteps<'OrderPaid'> = {
    ...orders.follow(
      (event) => unpackFundOrderId(event.args.orderId),
      (order, { args }) => mismatch(order, args) === null,
    ),

    async onUndone(dbTx, event) {
      const { memberId, id } = unpackFundOrderId(event.args.orderId)!
      const order = await repository.findFundOrder(dbTx, memberId, id)
      if (order?.paid_at == null || order.tx_hash !== event.txHash) {
        const outcome = await checkout.unsuspend(dbTx, event)
        if (outcome === undefined) throw new Error(`nothing is booked for the payment ${event.txHash}`)
        return outcome
      }
      const locked = await assets.lock(dbTx, order.product_id, [OPERATOR_MEMBER_ID, memberId])
      return orders.undoCollection(dbTx, locked, (await repository.findFundOrder(dbTx, memberId, id))!)
    },

    async onMoved(dbTx, from, to) {
      const { memberId, id } = unpackFundOrderId(to.args.orderId)!
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const order = await repository.findFundOrder(dbTx, memberId, id)
      if (order?.paid_at == null || order.tx_hash !== from.txHash) return false
      const place = { tx_hash: to.txHash, seen_block: to.blockNumber, paid_at: to.blockAt }
      await repository.updateFundOrder(dbTx, order, place)
      return true
    },
  }
  return { payments, finalPayments }
}
