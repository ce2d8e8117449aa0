import { packOnChainId } from '../../chain/onchain-id.ts'
import type { RawTx } from '../../chain/raw-tx.ts'
import { type Db, inDbTx } from '../../db/database.ts'
import type { CheckoutService, Payable } from '../checkout/checkout.service.ts'
import { requireMayAct } from '../gates/gates.service.ts'
import { chosenQuote } from './shop.quotes.ts'
import type { ShopService } from './shop.service.ts'

/** The order to pay and the quote wanted; undefined leaves the choice of the order as it was. */
export interface CheckoutRequest {
  readonly memberId: bigint
  readonly orderId: bigint
  readonly useHashRate: boolean | undefined
}

export type Checkout = ReturnType<typeof createCheckout>

/**
 * The unsigned transactions with which an order is paid, for the quote chosen. All throw ORDER_NOT_FOUND, ORDER_FINAL,
 * ORDER_EXPIRED, and with the discount PRICE_UNAVAILABLE; a payment also PAUSED and MEMBER_FROZEN.
 */
export function createCheckout({ checkout, shop }: { checkout: CheckoutService; shop: ShopService }) {
  async function choose(db: Db, { memberId, orderId, useHashRate }: CheckoutRequest): Promise<Payable> {
    const order = await inDbTx(db, (dbTx) => shop.choose(dbTx, memberId, orderId, useHashRate))
    const { usdtMicros, amcMicros } = chosenQuote(order)
    return {
      chainOrderId: packOnChainId(order.member_id, order.order_id),
      payer: order.payer,
      usdtMicros,
      amcMicros,
      expiresAt: order.expires_at,
    }
  }

  return {
    /** Approval of exactly the quote's amount of one token; `tx` is null when the allowance suffices. Throws CHAIN_UNAVAILABLE. */
    async approval(
      db: Db,
      token: 'usdt' | 'amc',
      request: CheckoutRequest,
    ): Promise<{ tx: RawTx | null; before: RawTx[] }> {
      return checkout.approval(token, await choose(db, request))
    },

    /** The payment with its signed quote. */
    async payment(db: Db, request: CheckoutRequest): Promise<{ tx: RawTx; deadline: string }> {
      await requireMayAct(db, request.memberId, 'orders')
      return checkout.payment(await choose(db, request))
    },
  }
}
