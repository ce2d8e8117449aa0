import { dayOf } from '@rif/rules'
import type { EventHandler } from '../../chain/indexer/events.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Checkout } from '../checkout/checkout.service.ts'
import { OPERATOR_MEMBER_ID } from '../ledger/ledger.accounts.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlacementService } from '../placement/placement.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import type { Reversals } from '../reversals/reversals.service.ts'
import type { RewardsService } from '../rewards/rewards.service.ts'
import {
  type Collection,
  commissionsKey,
  idsOf,
  type Payment,
  paymentEntry,
  paymentKey,
} from './shop.collection.ts'
import type { ShopOrders } from './shop.orders.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { chosenQuote, type Decimals, matchPayment } from './shop.view.ts'

export interface PaymentDeps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly placement: PlacementService
  readonly plans: PlansService
  readonly rewards: RewardsService
  readonly orders: ShopOrders
  readonly checkout: Checkout
  readonly reversals: Reversals
  readonly decimals: Decimals
}

/**
 * Creates the handler of payments on chain (rules, section 4). A seen payment makes its order Processing; one
 * that the chain drops makes it UnPaid again; a final one is collected: money, RIF, level, volume and
 * commissions in one transaction. It also pays an order that was cancelled after its quote was signed. A payment that matches
 * no order goes to `suspense`. Handling an event twice changes nothing.
 */
export function createShopPayments(deps: PaymentDeps): EventHandler<'OrderPaid'> {
  const { now, ledger, placement, plans, rewards, orders, checkout } = deps

  return {
    ...orders.follow(
      idsOf,
      (order, { args }) => typeof matchPayment(order, args, deps.decimals) !== 'string',
    ),

    async onFinal(dbTx, event) {
      const ids = idsOf(event)
      if (ids === null) {
        // This system never issued such an id.
        const at = now()
        return checkout.suspend(dbTx, event, { at, memberId: OPERATOR_MEMBER_ID, reason: 'unknown_order' })
      }
      await placement.lockVolumes(dbTx)
      // Read after the lock, so that a settlement that takes the lock after midnight sees the whole previous
      // day.
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const known = await repository.findOrder(dbTx, ids.memberId, ids.id)
      const line = known && (await rewards.commissionLine(dbTx, ids.memberId, plan))
      await ledger.lock(dbTx, {
        pools: ['commission_pool', 'suspense'],
        memberIds: [ids.memberId, ...(line?.receiverIds ?? [])],
      })
      if (line === undefined) {
        return checkout.suspend(dbTx, event, { at, memberId: ids.memberId, reason: 'unknown_order' })
      }

      const order = await orders.lock(dbTx, ids.memberId, ids.id)
      if (order.status === 'Paid' && order.tx_hash === event.txHash) return
      const quote = matchPayment(order, event.args, deps.decimals)
      if (typeof quote === 'string') {
        await checkout.suspend(dbTx, event, { at, memberId: ids.memberId, reason: quote })
        await repository.updateOrder(dbTx, order, { unmatched_tx_hash: event.txHash })
        return
      }
      const seen = await orders.markSeen(dbTx, order, event.txHash, event.blockNumber)
      const step = await ledger.nextKey(dbTx, ids.memberId, paymentKey(ids.id))
      await collect(deps, dbTx, event, { order: seen, quote, plan, at, step })
      await rewards.payCommissions(dbTx, {
        batch: commissionsKey(step),
        buyerId: ids.memberId,
        orderId: ids.id,
        baseMicros: quote.dueMicros,
        amcPriceMicros: order.amc_price_micros,
        line: line.members,
        plan,
        at,
      })
      // Last, because its row is locked after all others.
      if (order.seen_block === null) await repository.addCopies(dbTx, new Map([[order.package_id, 1]]))
    },

    async onUndone(dbTx, event) {
      const ids = idsOf(event)
      await placement.lockVolumes(dbTx)
      const paid = ids && (await repository.findOrder(dbTx, ids.memberId, ids.id))
      if (paid?.status === 'Paid' && paid.tx_hash === event.txHash) await undoPaid(deps, dbTx, paid)
      else return (await checkout.unsuspend(dbTx, event)) ?? notBooked(event)
      return 'undone'
    },

    async onMoved(dbTx, from, to) {
      const ids = idsOf(to)
      if (ids === null) return false
      await ledger.lock(dbTx, { memberIds: [ids.memberId] })
      const order = await repository.findOrder(dbTx, ids.memberId, ids.id)
      if (order?.status !== 'Paid' || order.tx_hash !== from.txHash) return false
      const place = { tx_hash: to.txHash, seen_block: to.blockNumber, paid_at: to.blockAt }
      await repository.updateOrder(dbTx, order, place)
      return true
    },
  }
}

function notBooked({ txHash }: Payment): never {
  throw new Error(`nothing is booked for the payment ${txHash}`)
}

/**
 * Reverses the collection of an order, newest step first: commissions, RIF, payment, level, volume and
 * figures. The order becomes UnPaid again, or Cancelled if it was paid after that. Results that settled days computed from it remain, because their
 * pools paid for them. The caller holds the lock of volumes.
 */
async function undoPaid(deps: PaymentDeps, dbTx: Db, known: OrderRow): Promise<void> {
  const { ledger, members, rewards, reversals } = deps
  const { member_id: memberId, order_id: orderId } = known
  const payment = (await ledger.standingKey(dbTx, memberId, paymentKey(orderId)))!
  const batch = commissionsKey(payment)
  const receivers = await rewards.receiversOf(dbTx, batch)
  await ledger.lock(dbTx, {
    pools: ['commission_pool'],
    memberIds: [OPERATOR_MEMBER_ID, memberId, ...receivers],
  })
  const order = (await repository.findOrder(dbTx, memberId, orderId))!
  const rif = await ledger.standingKey(dbTx, memberId, `order/${orderId}/rif`)
  await reversals.undo(dbTx, {
    keys: [batch, ...(rif === undefined ? [] : [rif]), payment],
    memberIds: [...new Set([memberId, ...receivers])],
    cause: { type: 'order', id: `${orderId}` },
    released: await rewards.releasedOf(dbTx, batch),
  })
  await rewards.undoBatch(dbTx, batch)
  const quote = chosenQuote(order)
  const at = order.collected_at!
  await repository.updateOrder(dbTx, order, {
    status: order.cancelled_at === null ? 'UnPaid' : 'Cancelled',
    holds_rif: rif !== undefined,
    paid_at: null,
    collected_at: null,
    paid_sequence: null,
    tx_hash: null,
    reported_at: null,
    seen_block: null,
  })
  await repository.countSale(dbTx, order.package_id, at, {
    orders: -1,
    baseMicros: -quote.dueMicros,
    usdtMicros: -quote.usdtMicros,
    amcMicros: -quote.amcMicros,
    rifMicros: -quote.rifMicros,
  })
  const left = await repository.paidSummary(dbTx, memberId)
  await members.undoPurchase(dbTx, { memberId, baseMicros: quote.dueMicros, at, left })
  await rewards.lowerStanding(dbTx, memberId, left.level)
  await repository.addCopies(dbTx, new Map([[order.package_id, -1]]))
}

/**
 * Posts a matched payment, marks the order paid and raises the buyer's level; the caller has locked volumes,
 * pools and heads.
 */
async function collect(
  { ledger, members, orders }: PaymentDeps,
  dbTx: Db,
  event: Payment,
  collection: Collection,
): Promise<void> {
  const { order, quote, at } = collection
  const memberId = order.member_id
  await ledger.post(dbTx, paymentEntry(collection))
  await orders.settleRif(dbTx, order, quote.rifMicros > 0n ? 'spend' : 'release', at)
  await repository.updateOrder(dbTx, order, {
    status: 'Paid',
    paid_at: event.blockAt,
    collected_at: at,
    paid_sequence: await repository.nextPaidSequence(dbTx),
    use_hash_rate: quote.rifMicros > 0n,
    holds_rif: false,
  })
  await repository.countSale(dbTx, order.package_id, at, { orders: 1, baseMicros: quote.dueMicros, ...quote })
  await members.recordPurchase(dbTx, { memberId, packageLevel: order.level, baseMicros: quote.dueMicros, at })
}
