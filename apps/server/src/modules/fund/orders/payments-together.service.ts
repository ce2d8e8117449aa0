import type { ChainEvent, EventHandler } from '../../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../../chain/onchain-id.ts'
import type { TogetherKind } from '../../checkout/checkout.together.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import * as repository from './orders.repository.ts'

type Payment = ChainEvent<'OrderPaid'>

/** Creates the handler of many payments of purchases in one transaction, in order. */
export function createFundPaymentsTogether(
  { assets }: { assets: FundAssetsService },
  payments: EventHandler<'OrderPaid'>,
): TogetherKind {
  const idsOf = (event: Payment) => unpackFundOrderId(event.args.orderId)!
  return {
    takes: (event) =>
      event.name === 'OrderPaid' && unpackFundOrderId((event as Payment).args.orderId) !== null,

    async begin(dbTx, events) {
      const productIds: bigint[] = []
      for (const event of events as Payment[]) {
        const { memberId, id } = idsOf(event)
        const order = await repository.findOrder(dbTx, memberId, id)
        if (order !== undefined) productIds.push(order.product_id)
      }
      return {
        pools: ['suspense', ...(await assets.lockRows(dbTx, productIds))],
        memberIds: (events as Payment[]).map((event) => idsOf(event).memberId),
        async apply(run) {
          for (const event of run as Payment[]) await payments.onFinal(dbTx, event)
        },
      }
    },
  }
}
