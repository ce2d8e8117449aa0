import { canTransition, dayOf, FUND_ORDER_TRANSITIONS } from '@rif/rules'
import { packFundOrderId } from '../../../chain/onchain-id.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { createPayableOrders } from '../../checkout/checkout.orders.service.ts'
import type { Checkout } from '../../checkout/checkout.service.ts'
import { custodyAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { Reversals } from '../../reversals/reversals.service.ts'
import type { ProductRow } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import type { FundOrderRow } from './orders.repository.ts'
import * as repository from './orders.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly products: FundProducts
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly reversals: Reversals
}

export type FundOrderSteps = ReturnType<typeof createFundOrderSteps>

/** Creates the steps that change a purchase. Rules, section 8. */
export function createFundOrderSteps(deps: Deps) {
  const { ledger, products, reversals } = deps

  return {
    // Closing needs no lock but the member's head: nothing was held for the order.
    ...createPayableOrders<FundOrderRow, 'Subscription'>(deps, {
      seenStatus: 'Subscription',
      chainOrderId: (order) => packFundOrderId(order.member_id, order.order_id),
      mayBecome: (from, to) => canTransition(FUND_ORDER_TRANSITIONS, from, to),
      find: repository.findOrder,
      update: repository.updateOrder,
      expired: repository.expiredOrders,
      reported: repository.reportedOrders,
    }),

    /**
     * Posts a purchase: its value to the product's principal, its fee to fees, its units to the member. The caller has
     * locked the product, its custody and the head. Throws INSUFFICIENT_BALANCE.
     */
    async collect(
      dbTx: Db,
      product: ProductRow,
      order: FundOrderRow,
      payment: { source: 'available' | 'external'; paidAt: Date; at: Date },
    ): Promise<FundOrderRow> {
      const { source, paidAt, at } = payment
      const line = { memberId: order.member_id, asset: 'USDT', source } as const
      const principal = custodyAccount(order.product_id, 'principal')
      const lines = [
        { ...line, destination: principal, amountMicros: order.units * order.nav_micros },
        { ...line, destination: 'fees' as const, amountMicros: order.fee_micros },
      ]
      await ledger.post(dbTx, {
        key: await ledger.nextKey(dbTx, order.member_id, orderKey(order)),
        kind: 'fund_purchase',
        cause: { type: 'fund_order', id: `${order.order_id}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: lines.filter(({ amountMicros }) => amountMicros > 0n),
      })
      await products.count(dbTx, product.product_id, {
        units_outstanding: product.units_outstanding + order.units,
      })
      return repository.updateOrder(dbTx, order, {
        status: 'Paid',
        units_left: order.units,
        paid_at: paidAt,
        collected_at: at,
      })
    },

    /**
     * Takes back a purchase whose payment the chain dropped: the order is UnPaid again. Where units of it were redeemed or
     * are being redeemed it stands, and the operator pays for it. The caller has locked the product, its custody and the head.
     */
    async undoCollection(dbTx: Db, product: ProductRow, order: FundOrderRow): Promise<'undone' | 'covered'> {
      const { member_id: memberId, units } = order
      const cause = { type: 'fund_order', id: `${order.order_id}` }
      const key = (await ledger.standingKey(dbTx, memberId, orderKey(order)))!
      if (order.units_left < units || order.units_reserved > 0n) {
        const amounts = { USDT: repository.totalOf(order), AMC: 0n }
        await reversals.makeGood(dbTx, { key, memberId, amounts, cause })
        return 'covered'
      }
      await reversals.undo(dbTx, { keys: [key], memberIds: [memberId], cause })
      await products.count(dbTx, product.product_id, { units_outstanding: product.units_outstanding - units })
      await repository.updateOrder(dbTx, order, {
        ...{ status: 'UnPaid', units_left: 0n, paid_at: null, collected_at: null },
        ...{ tx_hash: null, reported_at: null, seen_block: null },
      })
      return 'undone'
    },
  }
}

const orderKey = ({ order_id }: FundOrderRow) => `fund-order/${order_id}`
