import { canTransition, dayOf, FUND_ORDER_TRANSITIONS, sellUnits, undoSale, unitsLeft } from '@rif/rules'
import { packFundOrderId } from '../../../chain/onchain-id.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { custodyAccount } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import { createPayableOrders } from '../../shop/checkout/checkout.orders.service.ts'
import type { Checkout } from '../../shop/checkout/checkout.service.ts'
import type { FundAssetsService, LockedProduct } from '../products/assets.service.ts'
import { limitsOf, type ProductRow } from '../products/products.repository.ts'
import type { FundOrderRow } from './orders.repository.ts'
import * as repository from './orders.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly assets: FundAssetsService
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly reversals: Reversals
}

export type FundOrderSteps = ReturnType<typeof createFundOrderSteps>

/** Creates the steps that change a purchase. Rules, section 8. */
export function createFundOrderSteps(deps: Deps) {
  const { now, ledger, assets, reversals } = deps

  return {
    // Closing needs only the lock of the member's head, because nothing is held for the order.
    ...createPayableOrders<FundOrderRow, 'Subscription'>(deps, {
      seenStatus: 'Subscription',
      chainOrderId: (order) => packFundOrderId(order.member_id, order.order_id),
      mayBecome: (from, to) => canTransition(FUND_ORDER_TRANSITIONS, from, to),
      find: repository.findFundOrder,
      update: repository.updateFundOrder,
      expired: repository.expiredFundOrders,
      reported: repository.reportedFundOrders,
    }),

    /**
     * Returns the number of units that a member may still buy under the product's limits; null without a
     * limit.
     */
    async unitsLeft(db: Db, product: ProductRow, memberId: bigint) {
      return unitsLeft(limitsOf(product), {
        units: product.units_outstanding,
        memberUnits: await repository.memberUnits(db, memberId, product.product_id),
        unitsAtValuation: product.units_at_valuation,
        soldSinceValuation: product.units_sold,
        isInvested: product.is_invested,
      })
    },

    /**
     * Posts a purchase: its value to the product's custody, its fee to fees, its units to the member. The caller has
     * locked the product, its custody and the head. Throws INSUFFICIENT_BALANCE.
     */
    async collect(
      dbTx: Db,
      locked: LockedProduct,
      order: FundOrderRow,
      payment: { source: 'available' | 'external'; paidAt: Date; at: Date },
    ): Promise<FundOrderRow> {
      const { source, paidAt, at } = payment
      const line = { memberId: order.member_id, asset: 'USDT', source } as const
      const custody = custodyAccount(order.product_id)
      const lines = [
        { ...line, destination: custody, amountMicros: order.units * order.nav_micros },
        { ...line, destination: 'fees' as const, amountMicros: order.fee_micros },
      ]
      await ledger.post(dbTx, {
        key: await ledger.steps.nextKey(dbTx, order.member_id, orderKey(order)),
        kind: 'fund_purchase',
        cause: { type: 'fund_order', id: `${order.order_id}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: lines.filter(({ amountMicros }) => amountMicros > 0n),
      })
      const after = sellUnits(locked.assets, order.units, order.nav_micros)
      await assets.save(dbTx, locked, after, { soldUnits: order.units, at })
      return repository.updateFundOrder(dbTx, order, {
        status: 'Paid',
        units_left: order.units,
        paid_at: paidAt,
        collected_at: at,
      })
    },

    /**
     * Takes back a purchase whose payment the chain dropped: the order becomes UnPaid again, or Cancelled. If units of it
     * were redeemed or are being redeemed, it stands and the operator pays for it. Custody returns the price
     * as far as the units of the other holders stay covered; the operator adds the rest. The caller has
     * locked the product, its custody and the heads of the operator and the member.
     */
    async undoCollection(
      dbTx: Db,
      locked: LockedProduct,
      order: FundOrderRow,
    ): Promise<'undone' | 'covered'> {
      const { member_id: memberId, units } = order
      const cause = { type: 'fund_order', id: `${order.order_id}` }
      const key = (await ledger.steps.standingKey(dbTx, memberId, orderKey(order)))!
      if (order.units_left < units || order.units_reserved > 0n) {
        const amounts = { USDT: repository.totalOf(order), AMC: 0n }
        await reversals.makeGood(dbTx, { key, memberId, amounts, cause })
        return 'covered'
      }
      const at = now()
      const {
        assets: after,
        advanceMicros,
        remainderMicros,
      } = undoSale(locked.assets, units, order.nav_micros)
      const custody = custodyAccount(order.product_id)
      const advances = new Map([[custody, advanceMicros]])
      await reversals.undo(dbTx, { keys: [key], memberIds: [memberId], cause, advances })
      const isNavNew = after.units === 0n
      await assets.save(dbTx, locked, after, { soldUnits: -units, at, ...(isNavNew && { cause: 'undone' }) })
      await assets.takeRemainder(dbTx, {
        productId: order.product_id,
        amountMicros: remainderMicros,
        at,
        causeId: `undone/${key}`,
      })
      await repository.updateFundOrder(dbTx, order, {
        status: order.cancelled_at === null ? 'UnPaid' : 'Cancelled',
        units_left: 0n,
        paid_at: null,
        collected_at: null,
        tx_hash: null,
        reported_at: null,
        seen_block: null,
      })
      return 'undone'
    },
  }
}

const orderKey = ({ order_id }: FundOrderRow) => `fund-order/${order_id}`
