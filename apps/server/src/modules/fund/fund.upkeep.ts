import type { ChainProgress } from '../../chain/progress.ts'
import { type Db, inDbTx } from '../../db/database.ts'
import type { CheckoutService } from '../checkout/checkout.service.ts'
import * as repository from './fund.orders.repository.ts'
import type { FundOrderBook } from './fund.orders.ts'

const BATCH = 100

/** What purchases on chain need without anybody asking: expiry, and looking after payments that were reported. */
export function createFundUpkeep(deps: {
  orderBook: FundOrderBook
  checkout: CheckoutService
  progress: ChainProgress
}) {
  const { orderBook, checkout, progress } = deps

  return {
    /** Cancels open orders whose deadline the chain itself has passed, finally and without their payment. Returns how many. */
    async expire(db: Db): Promise<number> {
      const { blockAt: chainTime } = await progress.applied(db)
      let count = 0
      for (;;) {
        const candidates = await repository.expiredOrders(db, chainTime, BATCH)
        for (const { member_id, order_id } of candidates) {
          await inDbTx(db, async (dbTx) => {
            const order = await orderBook.lock(dbTx, member_id, order_id)
            if (order.status !== 'UnPaid' && order.status !== 'Processing') return
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
          if (current.status === 'Processing' && current.tx_hash === order.tx_hash)
            await orderBook.backToUnPaid(dbTx, current)
        })
      }
    },
  }
}
