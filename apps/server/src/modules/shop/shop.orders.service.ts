import { canTransition, dayOf, ORDER_TRANSITIONS } from '@rif/rules'
import { packOnChainId } from '../../chain/onchain-id.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { JournalEntry, LedgerLine, LedgerService } from '../books/ledger/ledger.service.ts'
import { createPayableOrders } from './checkout/checkout.orders.service.ts'
import type { Checkout } from './checkout/checkout.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { heldRifMicros, type Quote } from './view.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly checkout: Checkout
  readonly progress: ChainProgress
}

export type ShopOrders = ReturnType<typeof createShopOrders>

/** Creates the steps that change an order of a package and the RIF held for it. Rules, section 4. */
export function createShopOrders(deps: Deps) {
  const { now, ledger } = deps

  async function postRif(
    dbTx: Db,
    { order_id: orderId, member_id: memberId }: OrderRow,
    step: RifStep & { key: 'rif' | 'rif-hold' },
    line: RifLine,
  ): Promise<void> {
    const key = await ledger.steps.nextKey(dbTx, memberId, `order/${orderId}/${step.key}`)
    await ledger.post(dbTx, rifEntry({ orderId, memberId }, { ...step, key }, line))
  }

  /** Spends or releases the RIF held for an order, once; does nothing if none are held. */
  async function settleRif(dbTx: Db, order: OrderRow, outcome: 'spend' | 'release', at: Date): Promise<void> {
    const settled = rifSettlement(order, outcome, at)
    if (settled === null) return
    await ledger.post(dbTx, settled(await ledger.steps.nextKey(dbTx, order.member_id, rifKey(order))))
  }

  const orders = createPayableOrders<OrderRow, 'Processing'>(deps, {
    seenStatus: 'Processing',
    chainOrderId: (order) => packOnChainId(order.member_id, order.order_id),
    mayBecome: (from, to) => canTransition(ORDER_TRANSITIONS, from, to),
    find: repository.findOrder,
    update: repository.updateOrder,
    expired: repository.expiredOrders,
    reported: repository.reportedOrders,
    lockAfterHead: (dbTx, order) => repository.lockPackage(dbTx, order.package_id),
    mayBeSigned: ({ quoted_at }) => quoted_at !== null,
    async giveBack(dbTx, order, at) {
      await settleRif(dbTx, order, 'release', at)
      return { holds_rif: false }
    },
    countCancelled: (dbTx, order, at) => repository.countOrder(dbTx, order.package_id, at, { cancelled: 1 }),
    countSeen: (dbTx, order, by) => repository.addCopies(dbTx, new Map([[order.package_id, by]])),
  })

  return {
    ...orders,
    settleRif,

    /**
     * Adds the discounted quote to an order that has none, holds its RIF and selects it. Throws
     * INSUFFICIENT_BALANCE.
     */
    async addDiscount(dbTx: Db, order: OrderRow, quote: Quote): Promise<OrderRow> {
      const step = { key: 'rif-hold', kind: 'order_discount_hold', at: now() } as const
      const line = { source: 'available', destination: 'locked', amountMicros: quote.rifMicros } as const
      await postRif(dbTx, order, step, line)
      return repository.updateOrder(dbTx, order, {
        discount_micros: quote.discountMicros,
        rif_micros: quote.rifMicros,
        discounted_usdt_micros: quote.usdtMicros,
        discounted_amc_micros: quote.amcMicros,
        use_hash_rate: true,
        holds_rif: true,
      })
    },
  }
}

interface RifStep {
  readonly kind: `order_discount_${'hold' | 'spend' | 'release'}`
  readonly at: Date
}
type RifLine = Pick<LedgerLine, 'source' | 'destination' | 'amountMicros'>

function rifEntry(
  { orderId, memberId }: { orderId: bigint; memberId: bigint },
  { key, kind, at }: RifStep & { key: string },
  line: RifLine,
): JournalEntry {
  return {
    key,
    kind,
    at,
    cause: { type: 'order', id: `${orderId}` },
    accountingDay: dayOf(at.getTime()),
    lines: [{ memberId, asset: 'RIF', ...line }],
  }
}

/** Returns the key under which the RIF held for an order are spent or released. */
export const rifKey = ({ order_id }: OrderRow) => `order/${order_id}/rif`

/**
 * Returns the transaction under a key that spends or releases the RIF held for an order; null if none are
 * held.
 */
export function rifSettlement(
  order: OrderRow,
  outcome: 'spend' | 'release',
  at: Date,
): ((key: string) => JournalEntry) | null {
  const amountMicros = heldRifMicros(order)
  if (amountMicros === 0n) return null
  const destination = outcome === 'spend' ? 'revenue' : 'available'
  const ids = { orderId: order.order_id, memberId: order.member_id }
  const line = { source: 'locked', destination, amountMicros } as const
  return (key) => rifEntry(ids, { key, kind: `order_discount_${outcome}`, at }, line)
}
