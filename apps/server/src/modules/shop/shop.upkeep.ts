import type { ChainProgress } from '../../chain/progress.ts'
import { type Db, inDbTx } from '../../db/database.ts'
import type { CheckoutService } from '../checkout/checkout.service.ts'
import type { OrderBook } from './shop.orders.ts'
import { isOpen } from './shop.quotes.ts'
import * as repository from './shop.repository.ts'

export interface UpkeepDeps {
  readonly orderBook: OrderBook
  readonly checkout: CheckoutService
  readonly progress: ChainProgress
}

export type ShopUpkeep = ReturnType<typeof createShopUpkeep>

const BATCH = 100

/** What orders need without anybody asking: expiry, and looking after payments that were reported. Rules, section 4. */
export function createShopUpkeep(deps: UpkeepDeps) {
  const { orderBook, checkout, progress } = deps

  return {
    /**
     * Cancels open orders whose deadline the chain itself has passed, finally and without their payment: from then on
     * the contract refuses them. Returns how many.
     */
    async expire(db: Db): Promise<number> {
      const { blockAt: chainTime } = await progress.applied(db)
      let count = 0
      for (;;) {
        const candidates = await repository.expiredOrders(db, chainTime, BATCH)
        for (const { member_id, order_id } of candidates) {
          await inDbTx(db, async (dbTx) => {
            const order = await orderBook.lockToClose(dbTx, member_id, order_id)
            if (!isOpen(order.status) || order.seen_block !== null) return
            const unpaid = order.status === 'Processing' ? await orderBook.backToUnPaid(dbTx, order) : order
            await orderBook.close(dbTx, unpaid, 'expired')
            count++
          })
        }
        if (candidates.length < BATCH) return count
      }
    },

    /** Returns orders to UnPaid whose reported payment will not come. Throws viem's error when the node is out of reach. */
    async followReported(db: Db): Promise<void> {
      const applied = await progress.applied(db)
      for (const order of await repository.reportedOrders(db, BATCH)) {
        if (!(await checkout.hasFailed(order, applied))) continue
        await inDbTx(db, async (dbTx) => {
          const current = await orderBook.lock(dbTx, order.member_id, order.order_id)
          const isSame = current.tx_hash === order.tx_hash && current.seen_block === null
          if (current.status === 'Processing' && isSame) await orderBook.backToUnPaid(dbTx, current)
        })
      }
    },
  }
}
