import type { FundOrderStatus } from '@rif/rules'
import type { ChainEvent, EventHandler } from '../../../chain/indexer/events.ts'
import type { AppliedPosition } from '../../../chain/indexer/position.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import { noteChange } from '../../../db/changes.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { eachDespiteFailures } from '../../../lib/despite-failures.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Checkout, ReportedPayment } from './checkout.service.ts'

/** The reason why an order was cancelled. */
export type CancelReason = 'member' | 'expired'

/** An order that is paid on chain, of any capability: the columns that its payment changes. */
export interface PayableOrder extends ReportedPayment {
  readonly member_id: bigint
  readonly order_id: bigint
  readonly status: FundOrderStatus
  /** The wallet that pays, in lower case. */
  readonly payer: string
  /** The bank in the order's quote; null for an order that is not paid on chain. */
  readonly bank: string | null
  /** The quote's deadline; null for an order that is not paid on chain. */
  readonly expires_at: Date | null
  /** The block in which the payment was seen. */
  readonly seen_block: bigint | null
}

/** The status of an order whose payment the chain shows but has not finalised. */
type SeenStatus = 'Processing' | 'Subscription'

interface PaymentChanges<Seen extends SeenStatus> {
  readonly status?: Seen | 'Processing' | 'UnPaid' | 'Cancelled'
  readonly tx_hash?: string | null
  readonly reported_at?: Date | null
  readonly seen_block?: bigint | null
  readonly cancelled_at?: Date
  readonly cancel_reason?: CancelReason
  readonly holds_rif?: false
}

/** The stored orders of one capability, and its part of the common steps. */
export interface OrderKind<Order extends PayableOrder, Seen extends SeenStatus> {
  readonly seenStatus: Seen
  /** Returns the order's id in the bank contract. */
  chainOrderId(order: Order): bigint
  mayBecome(from: Order['status'], to: Seen | 'UnPaid' | 'Cancelled'): boolean
  find(db: Db, memberId: bigint, orderId: bigint): Promise<Order | undefined>
  update(dbTx: Db, order: Order, changes: PaymentChanges<Seen>): Promise<Order>
  /**
   * Returns orders without a seen payment whose deadline is before `chainTime`: open ones, and cancelled ones for which
   * something is still held.
   */
  expired(db: Db, chainTime: Date, limit: number): Promise<readonly Order[]>
  /** Returns orders whose payment was reported but not seen yet. */
  reported(db: Db, limit: number): Promise<readonly Order[]>
  /** Takes the lock that closing needs after the member's head. It may depend only on immutable data of an order. */
  lockAfterHead?(dbTx: Db, order: Order): Promise<void>
  /** Reports whether a signed quote of the order may exist, with which a cancelled order can still be paid. */
  mayBeSigned?(order: Order): boolean
  /** Releases what is held for an order, and returns the columns that say so. */
  giveBack?(dbTx: Db, order: Order, at: Date): Promise<PaymentChanges<Seen>>
  /** Counts an order as cancelled. */
  countCancelled?(dbTx: Db, order: Order, at: Date): Promise<void>
  /** Counts an order whose payment appears in a block (1), or disappears from it (-1). */
  countSeen?(dbTx: Db, order: Order, by: 1 | -1): Promise<void>
}

/** The ids that make up an order's id on chain. */
export interface OrderIds {
  readonly memberId: bigint
  readonly id: bigint
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly checkout: Pick<Checkout, 'hasFailed' | 'missedPayment' | 'requireOpenBank'>
  readonly progress: ChainProgress
}

const BATCH = 100

/**
 * Creates the steps that change an order when its payment is reported, seen, dropped or missed. The member's
 * ledger head guards an order; a step that the rules do not allow throws ORDER_FINAL. Rules, sections 4 and
 * 8.
 */
export function createPayableOrders<Order extends PayableOrder, Seen extends SeenStatus>(
  { now, ledger, checkout, progress, ...deps }: Deps,
  kind: OrderKind<Order, Seen>,
) {
  function requireTransition({ status }: Order, to: Seen | 'UnPaid' | 'Cancelled'): void {
    if (!kind.mayBecome(status, to)) throw new AppError('ORDER_FINAL')
  }

  function update(dbTx: Db, order: Order, changes: PaymentChanges<Seen>): Promise<Order> {
    noteChange(dbTx, order.member_id, 'order')
    return kind.update(dbTx, order, changes)
  }

  /** Returns a member's order. Throws ORDER_NOT_FOUND. */
  async function get(db: Db, memberId: bigint, orderId: bigint): Promise<Order> {
    const order = await kind.find(db, memberId, orderId)
    if (order === undefined) throw new AppError('ORDER_NOT_FOUND')
    return order
  }

  /** Locks a member's orders and returns one. Throws ORDER_NOT_FOUND. */
  async function lock(dbTx: Db, memberId: bigint, orderId: bigint): Promise<Order> {
    await ledger.lock(dbTx, { memberIds: [memberId] })
    return get(dbTx, memberId, orderId)
  }

  /** Locks the rows that closing an order needs, and reads the order again. Throws ORDER_NOT_FOUND. */
  async function lockToClose(dbTx: Db, order: Order): Promise<Order> {
    await ledger.lock(dbTx, { memberIds: [order.member_id] })
    await kind.lockAfterHead?.(dbTx, order)
    return get(dbTx, order.member_id, order.order_id)
  }

  /**
   * Closes an order after `lockToClose`. What is held for an order stays held while a signed quote can pay it;
   * `expire` releases it.
   */
  async function close(dbTx: Db, order: Order, reason: CancelReason): Promise<Order> {
    requireTransition(order, 'Cancelled')
    const at = now()
    const isHeld = reason === 'member' && kind.mayBeSigned?.(order) === true
    const released = isHeld ? undefined : await kind.giveBack?.(dbTx, order, at)
    await kind.countCancelled?.(dbTx, order, at)
    return update(dbTx, order, {
      ...released,
      status: 'Cancelled',
      cancelled_at: at,
      cancel_reason: reason,
    })
  }

  const wasMissed = (db: Db, order: Order, applied: AppliedPosition): Promise<boolean> =>
    order.bank === null
      ? Promise.resolve(false)
      : checkout.missedPayment(
          db,
          { orderId: kind.chainOrderId(order), bank: order.bank, payer: order.payer },
          applied,
        )

  /**
   * Records the block of the payment on chain, whatever hash was reported. A cancelled order stays so until it is paid. A
   * payment that was not seen before remains to be counted.
   */
  async function markSeen(dbTx: Db, order: Order, txHash: string, blockNumber: bigint): Promise<Order> {
    const seen = { tx_hash: txHash, seen_block: blockNumber }
    const isCancelled = order.status === 'Cancelled'
    if (!isCancelled && order.status !== kind.seenStatus) requireTransition(order, kind.seenStatus)
    return update(dbTx, order, isCancelled ? seen : { ...seen, status: kind.seenStatus })
  }

  /**
   * Returns an order to UnPaid when its payment was reverted, vanished or was in a block that the chain dropped. A cancelled
   * order stays so.
   */
  async function markUnpaid(dbTx: Db, order: Order): Promise<Order> {
    const unseen = { tx_hash: null, reported_at: null, seen_block: null }
    const isCancelled = order.status === 'Cancelled'
    if (!isCancelled) requireTransition(order, 'UnPaid')
    const marked = await update(dbTx, order, isCancelled ? unseen : { ...unseen, status: 'UnPaid' })
    if (order.seen_block !== null) await kind.countSeen?.(dbTx, order, -1)
    return marked
  }

  return {
    get,
    lock,
    lockToClose,
    close,
    markSeen,

    /** Throws ORDER_FINAL, ORDER_EXPIRED and ORDER_BANK_CLOSED unless the order can be paid on chain now. */
    async requirePayable(db: Db, { status, expires_at, bank }: Order): Promise<void> {
      if (status !== 'UnPaid') throw new AppError('ORDER_FINAL')
      if (expires_at! < now()) throw new AppError('ORDER_EXPIRED')
      await checkout.requireOpenBank(db, bank!)
    },

    /**
     * Stores the hash of a payment; another hash replaces it until a payment is seen. The order does not depend on it.
     * Throws ORDER_NOT_FOUND, ORDER_FINAL.
     */
    async report(dbTx: Db, memberId: bigint, orderId: bigint, txHash: string): Promise<Order> {
      const order = await lock(dbTx, memberId, orderId)
      const hash = txHash.toLowerCase()
      if (order.tx_hash === hash) return order
      const isReported = order.status === 'Processing' && order.seen_block === null
      if (order.status !== 'UnPaid' && !isReported) throw new AppError('ORDER_FINAL')
      return update(dbTx, order, { status: 'Processing', tx_hash: hash, reported_at: now() })
    },

    /**
     * Checks with the bank that an order was not paid, before it is cancelled. Returns the order. Do not call
     * it inside a transaction. Throws ORDER_NOT_FOUND, PAID_ON_CHAIN, CHAIN_UNAVAILABLE.
     */
    async requireUnpaid(memberId: bigint, orderId: bigint): Promise<Order> {
      // Read first: all that the position covers is booked in the order.
      const applied = await progress.applied(deps.db)
      const order = await get(deps.db, memberId, orderId)
      if (order.status === 'UnPaid' && (await wasMissed(deps.db, order, applied)))
        throw new AppError('PAID_ON_CHAIN')
      return order
    },

    /**
     * Cancels an order that `requireUnpaid` returned. A signed quote can still be paid until the deadline, and then pays the order.
     * Throws ORDER_FINAL.
     */
    cancel: async (dbTx: Db, order: Order): Promise<Order> =>
      close(dbTx, await lockToClose(dbTx, order), 'member'),

    /**
     * Creates the handlers for a payment that appears in a block or disappears from it. `idsOf` unpacks the order's id,
     * `matches` reports whether the payment pays the order.
     */
    follow(
      idsOf: (event: ChainEvent<'OrderPaid'>) => OrderIds | null,
      matches: (order: Order, event: ChainEvent<'OrderPaid'>) => boolean,
    ): Pick<EventHandler<'OrderPaid'>, 'onSeen' | 'onDropped'> {
      async function lockedOrder(dbTx: Db, ids: OrderIds | null): Promise<Order | undefined> {
        const unlockedOrder = ids && (await kind.find(dbTx, ids.memberId, ids.id))
        return unlockedOrder ? lock(dbTx, unlockedOrder.member_id, unlockedOrder.order_id) : undefined
      }
      return {
        async onSeen(dbTx, event) {
          const order = await lockedOrder(dbTx, idsOf(event))
          if (order === undefined || !matches(order, event)) return
          await markSeen(dbTx, order, event.txHash, event.blockNumber)
          if (order.seen_block === null) await kind.countSeen?.(dbTx, order, 1)
        },
        async onDropped(dbTx, event) {
          const order = await lockedOrder(dbTx, idsOf(event))
          // After a quick re-inclusion the order may already refer to the payment's new block.
          const isFollowed = order?.tx_hash === event.txHash && order.seen_block === event.blockNumber
          const isSeen = order?.status === kind.seenStatus || order?.status === 'Cancelled'
          if (order && isSeen && isFollowed) await markUnpaid(dbTx, order)
        },
      }
    },

    /**
     * Cancels open orders whose deadline has passed in final blocks of the chain without their payment, and releases what is
     * held for cancelled ones: from then on the contract refuses them. Also checks with the bank, so that a missed event does
     * not lose a payment: such an order stays as it is, with an alarm. Returns the number of orders that it changed. Throws
     * CHAIN_UNAVAILABLE.
     */
    async expire(db: Db): Promise<number> {
      const applied = await progress.applied(db)
      let count = 0
      const kept = new Set<string>()
      for (;;) {
        const candidates = await kind.expired(db, applied.blockAt, BATCH + kept.size)
        const fresh = candidates.filter((order) => !kept.has(keyOf(order)))
        for (const candidate of fresh) {
          if (await wasMissed(db, candidate, applied)) {
            kept.add(keyOf(candidate))
            continue
          }
          await inTx(db, async (dbTx) => {
            const order = await lockToClose(dbTx, candidate)
            if (order.status !== candidate.status || order.seen_block !== null) return
            if (order.status === 'Cancelled')
              await update(dbTx, order, (await kind.giveBack?.(dbTx, order, now())) ?? {})
            else {
              const unpaid = order.status === 'Processing' ? await markUnpaid(dbTx, order) : order
              await close(dbTx, unpaid, 'expired')
            }
            count++
          })
        }
        if (fresh.length < BATCH) return count
      }
    },

    /** Returns orders to UnPaid whose reported payment has failed. Throws viem's error when the node is out of reach. */
    async followReported(db: Db): Promise<void> {
      const applied = await progress.applied(db)
      await eachDespiteFailures(await kind.reported(db, BATCH), async (order) => {
        if (!(await checkout.hasFailed(order, applied))) return
        await inTx(db, async (dbTx) => {
          const current = await lock(dbTx, order.member_id, order.order_id)
          const isSame = current.tx_hash === order.tx_hash && current.seen_block === null
          if (current.status === 'Processing' && isSame) await markUnpaid(dbTx, current)
        })
      })
    },
  }
}

function keyOf({ member_id, order_id }: PayableOrder): string {
  return `${member_id}/${order_id}`
}
