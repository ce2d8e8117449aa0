import type { ChainProgress } from '../../../chain/progress.ts'
import { type CheckoutService, createOrderUpkeep } from '../../checkout/checkout.service.ts'
import type { FundOrderBook } from './order-book.service.ts'
import { expiredOrders, reportedOrders } from './orders.repository.ts'

/** What purchases on chain need without anybody asking. Closing one needs nothing but its member's head: nothing was held for it. */
export function createFundUpkeep(deps: {
  orderBook: FundOrderBook
  checkout: CheckoutService
  progress: ChainProgress
}) {
  const { orderBook, checkout, progress } = deps
  const orders = {
    ...orderBook,
    lockToClose: orderBook.lock,
    expired: expiredOrders,
    reported: reportedOrders,
  }
  return createOrderUpkeep({ orders, checkout, progress })
}
