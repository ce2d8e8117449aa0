import type { ChainProgress } from '../../chain/progress.ts'
import { type CheckoutService, createOrderUpkeep } from '../checkout/checkout.service.ts'
import type { OrderBook } from './shop.orders.ts'
import { expiredOrders, reportedOrders } from './shop.repository.ts'

export interface UpkeepDeps {
  readonly orderBook: OrderBook
  readonly checkout: CheckoutService
  readonly progress: ChainProgress
}

export type ShopUpkeep = ReturnType<typeof createShopUpkeep>

/** What orders of packages need without anybody asking. */
export function createShopUpkeep({ orderBook, checkout, progress }: UpkeepDeps) {
  const orders = { ...orderBook, expired: expiredOrders, reported: reportedOrders }
  return createOrderUpkeep({ orders, checkout, progress })
}
