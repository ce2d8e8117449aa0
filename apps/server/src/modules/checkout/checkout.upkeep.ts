import type { AppliedPosition } from '../../chain/indexer/position.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import { type Db, inDbTx } from '../../db/database.ts'

/** A payment that a member has reported. */
export interface ReportedPayment {
  readonly tx_hash: string | null
  readonly reported_at: Date | null
}

/** An order that is paid on chain, of whichever capability, as far as its payment goes. */
export interface PayableOrder extends ReportedPayment {
  readonly member_id: bigint
  readonly order_id: bigint
  readonly status: string
  /** Where its payment was seen on chain. */
  readonly seen_block: bigint | null
}

/** The orders of a capability: which there are to look at, and the steps that change one. */
export interface PayableOrders<Order extends PayableOrder> {
  /** Open orders without a payment in sight whose deadline is before `chainTime`. */
  expired(db: Db, chainTime: Date, limit: number): Promise<readonly Order[]>
  /** Orders whose payment was reported but not seen yet. */
  reported(db: Db, limit: number): Promise<readonly Order[]>
  lock(dbTx: Db, memberId: bigint, orderId: bigint): Promise<Order>
  /** As `lock`, with what closing needs locked before it. */
  lockToClose(dbTx: Db, memberId: bigint, orderId: bigint): Promise<Order>
  backToUnPaid(dbTx: Db, order: Order): Promise<Order>
  close(dbTx: Db, order: Order, reason: 'expired'): Promise<unknown>
}

const BATCH = 100

/** What orders paid on chain need without anybody asking: expiry, and looking after payments that were reported. Rules, section 4. */
export function createOrderUpkeep<Order extends PayableOrder>(deps: {
  orders: PayableOrders<Order>
  checkout: { hasFailed(reported: ReportedPayment, applied: AppliedPosition): Promise<boolean> }
  progress: ChainProgress
}) {
  const { orders, checkout, progress } = deps

  return {
    /**
     * Cancels open orders whose deadline the chain itself has passed, finally and without their payment: from then on
     * the contract refuses them. Returns how many.
     */
    async expire(db: Db): Promise<number> {
      const { blockAt: chainTime } = await progress.applied(db)
      let count = 0
      for (;;) {
        const candidates = await orders.expired(db, chainTime, BATCH)
        for (const { member_id, order_id } of candidates) {
          await inDbTx(db, async (dbTx) => {
            const order = await orders.lockToClose(dbTx, member_id, order_id)
            const isOpen = order.status === 'UnPaid' || order.status === 'Processing'
            if (!isOpen || order.seen_block !== null) return
            const unpaid = order.status === 'Processing' ? await orders.backToUnPaid(dbTx, order) : order
            await orders.close(dbTx, unpaid, 'expired')
            count++
          })
        }
        if (candidates.length < BATCH) return count
      }
    },

    /** Returns orders to UnPaid whose reported payment will not come. Throws viem's error when the node is out of reach. */
    async followReported(db: Db): Promise<void> {
      const applied = await progress.applied(db)
      for (const order of await orders.reported(db, BATCH)) {
        if (!(await checkout.hasFailed(order, applied))) continue
        await inDbTx(db, async (dbTx) => {
          const current = await orders.lock(dbTx, order.member_id, order.order_id)
          const isSame = current.tx_hash === order.tx_hash && current.seen_block === null
          if (current.status === 'Processing' && isSame) await orders.backToUnPaid(dbTx, current)
        })
      }
    },
  }
}
