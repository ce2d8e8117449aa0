import { dayOf, type Plan, splitPayment } from '@rif/rules'
import type { ChainEvent, EventHandler } from '../../chain/indexer/events.ts'
import { unpackOnChainId } from '../../chain/onchain-id.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Checkout } from '../checkout/checkout.service.ts'
import { OPERATOR_MEMBER_ID } from '../ledger/ledger.accounts.ts'
import type { LedgerLine, LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlacementService } from '../placement/placement.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import type { RewardsService } from '../rewards/rewards.service.ts'
import type { ShopOrders } from './shop.orders.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { type Decimals, matchPayment, type Quote } from './shop.view.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly placement: PlacementService
  readonly plans: PlansService
  readonly rewards: RewardsService
  readonly orders: ShopOrders
  readonly checkout: Checkout
  readonly decimals: Decimals
}

type Payment = ChainEvent<'OrderPaid'>
type Collection = { readonly order: OrderRow; readonly quote: Quote; readonly plan: Plan; readonly at: Date }

/**
 * Creates the handler of payments on chain (rules, section 4). A payment that is seen makes its order Processing; one that
 * the chain drops makes it UnPaid again; a final one is collected: money, RIF, level, volume and commissions in one dbTx.
 * A payment that fits no open order goes to `suspense`. Handling an event twice changes nothing.
 */
export function createShopPayments(deps: Deps): EventHandler<'OrderPaid'> {
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
      await placement.lock(dbTx)
      // Read after the lock, so that a settlement that takes the lock after midnight finds the whole day before.
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
      await collect(deps, dbTx, event, { order: seen, quote, plan, at })
      await rewards.payCommissions(dbTx, {
        buyerId: ids.memberId,
        orderId: ids.id,
        baseMicros: quote.dueMicros,
        amcPriceMicros: order.amc_price_micros,
        line: line.members,
        plan,
        at,
      })
    },
  }
}

function idsOf(event: Payment): { memberId: bigint; id: bigint } | null {
  try {
    return unpackOnChainId(event.args.orderId)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Posts a matched payment, marks the order paid and raises the buyer; the caller has locked placement, pools and heads. */
async function collect(
  { ledger, members, orders }: Deps,
  dbTx: Db,
  event: Payment,
  { order, quote, plan, at }: Collection,
): Promise<void> {
  const day = dayOf(at.getTime())
  const memberId = order.member_id
  const cause = { type: 'order', id: `${order.order_id}` }
  const share = (asset: 'USDT' | 'AMC', receivedMicros: bigint): LedgerLine[] => {
    const { poolMicros, revenueMicros } = splitPayment(receivedMicros, plan)
    return [
      { memberId, asset, source: 'external', destination: 'commission_pool', amountMicros: poolMicros },
      { memberId, asset, source: 'external', destination: 'revenue', amountMicros: revenueMicros },
    ]
  }
  await ledger.post(dbTx, {
    key: `order/${order.order_id}/payment`,
    kind: 'order_payment',
    cause,
    accountingDay: day,
    at,
    lines: [...share('USDT', quote.usdtMicros), ...share('AMC', quote.amcMicros)].filter(isMovement),
  })
  await orders.settleRif(dbTx, order, quote.rifMicros > 0n ? 'spend' : 'release', at)
  await repository.updateOrder(dbTx, order, {
    status: 'Paid',
    paid_at: event.blockAt,
    collected_at: at,
    paid_sequence: await repository.nextPaidSequence(dbTx),
    use_hash_rate: quote.rifMicros > 0n,
  })
  await repository.countSale(dbTx, order.package_id, at, { baseMicros: quote.dueMicros, ...quote })
  await members.recordPurchase(dbTx, { memberId, packageLevel: order.level, baseMicros: quote.dueMicros, at })
}

function isMovement(line: LedgerLine): boolean {
  return line.amountMicros > 0n
}
