import type { ChainEvent, EventHandler, EventSteps } from '../../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../../chain/onchain-id.ts'
import type { Checkout } from './checkout.service.ts'

/**
 * Routes each payment to the capability that owns the order id; unknown ids go to the shop, which suspends
 * them. A payment that is set aside does not pay its order, which is then treated as after a dropped payment.
 */
export function paymentsByOrder(
  checkout: Pick<Checkout, 'setPaymentAside'>,
  handlers: { shop: EventSteps<'OrderPaid'>; fund: EventSteps<'OrderPaid'> },
): EventSteps<'OrderPaid'> {
  const of = (event: ChainEvent<'OrderPaid'>) =>
    unpackFundOrderId(event.args.orderId) === null ? handlers.shop : handlers.fund
  return {
    onSeen: async (dbTx, event) => of(event).onSeen?.(dbTx, event),
    onDropped: async (dbTx, event) => of(event).onDropped?.(dbTx, event),
    onUndone: (dbTx, event) => of(event).onUndone(dbTx, event),
    onMoved: async (dbTx, from, to) => (await of(to).onMoved?.(dbTx, from, to)) ?? false,
    onSetAside: async (dbTx, event) => {
      await checkout.setPaymentAside(dbTx, event)
      await of(event).onDropped?.(dbTx, event)
    },
  }
}

/** Handles deposits of revenue, and books deposits that are set aside in `suspense`. */
export function depositsWithSuspense(
  checkout: Pick<Checkout, 'setDepositAside' | 'unsuspend'>,
  handler: EventHandler<'RevenueDeposited'>,
): EventHandler<'RevenueDeposited'> {
  return {
    ...handler,
    onSetAside: checkout.setDepositAside,
    onUndone: async (dbTx, event) =>
      (await checkout.unsuspend(dbTx, event)) ?? (await handler.onUndone(dbTx, event)),
  }
}
