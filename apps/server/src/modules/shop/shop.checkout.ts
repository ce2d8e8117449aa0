import { toChainUnits } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Chain } from '../../chain/client.ts'
import { packOnChainId } from '../../chain/onchain-id.ts'
import type { QuoteSigner } from '../../chain/quote-signer.ts'
import { approvalTxs, payOrderTx, type RawTx } from '../../chain/raw-tx.ts'
import { type Db, inDbTx } from '../../db/database.ts'
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
 * ORDER_EXPIRED, and with the discount PRICE_UNAVAILABLE.
 */
export function createCheckout(deps: { chain: Chain; quoteSigner: QuoteSigner; shop: ShopService }) {
  const { chain, quoteSigner, shop } = deps

  const choose = (db: Db, { memberId, orderId, useHashRate }: CheckoutRequest) =>
    inDbTx(db, (dbTx) => shop.choose(dbTx, memberId, orderId, useHashRate))

  return {
    /** Approval of exactly the quote's amount of one token; `tx` is null when the allowance suffices. Throws CHAIN_UNAVAILABLE. */
    async approval(
      db: Db,
      token: 'usdt' | 'amc',
      request: CheckoutRequest,
    ): Promise<{ tx: RawTx | null; before: RawTx[] }> {
      const order = await choose(db, request)
      const quote = chosenQuote(order)
      const amount =
        token === 'usdt'
          ? toChainUnits(quote.usdtMicros, chain.decimals.USDT)
          : toChainUnits(quote.amcMicros, chain.decimals.AMC)
      const txs = await approvalTxs(chain, { token, owner: getAddress(order.payer as Hex), amount })
      return { tx: txs.at(-1) ?? null, before: txs.slice(0, -1) }
    },

    /** The payment with its signed quote. */
    async payment(db: Db, request: CheckoutRequest): Promise<{ tx: RawTx; deadline: string }> {
      const order = await choose(db, request)
      const quote = chosenQuote(order)
      const signable = {
        orderId: packOnChainId(order.member_id, order.order_id),
        payer: getAddress(order.payer as Hex),
        usdtAmount: toChainUnits(quote.usdtMicros, chain.decimals.USDT),
        amcAmount: toChainUnits(quote.amcMicros, chain.decimals.AMC),
        deadline: BigInt(order.expires_at.getTime() / 1_000),
      }
      const signature = await quoteSigner.sign(signable)
      return { tx: payOrderTx(chain, signable, signature), deadline: order.expires_at.toISOString() }
    },
  }
}
