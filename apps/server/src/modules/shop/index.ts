import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Members } from '../members/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import { SHOP_CHECKS } from './audit.ts'
import { createCheckout } from './checkout/checkout.service.ts'
import { SHOP_MESSAGES } from './messages.ts'
import { suspenseKind } from './proposal-kind.ts'
import { createRefunds } from './refunds/refunds.service.ts'
import { shopRoutes } from './shop.routes.ts'
import { createShop } from './shop.service.ts'
import { shopJobs } from './shop.worker.ts'

export type ShopServices = ServicesOf<typeof shop>

/** The packages and their orders, the payment of orders on chain, and what could not be assigned. Rules, sections 4 and 7. */
export const shop = capability({
  create(needs: Ground & Books & Prices & Members & Access & Rewards) {
    const refunds = createRefunds(needs)
    const checkout = createCheckout({ ...needs, refunds })
    return { refunds, checkout, shop: createShop({ ...needs, checkout }) }
  },
  routes: shopRoutes,
  jobs: (services) => ({ money: shopJobs(services) }),
  finalBatch: (services) => [services.shop.finalPayments],
  proposalKinds: (services) => ({ suspense: suspenseKind(services) }),
  audits: SHOP_CHECKS,
  messages: SHOP_MESSAGES,
})
