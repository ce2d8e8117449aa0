import type { Chain } from '../../chain/client.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import type { Now } from '../../lib/clock.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { CheckoutService } from '../checkout/checkout.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import { createFundBills } from './bills/bills.service.ts'
import { createFundIncome } from './income/income.service.ts'
import { createFundOrderBook } from './orders/order-book.service.ts'
import { createFundPurchases } from './orders/orders.service.ts'
import { createFundPaymentHandler } from './orders/payments.service.ts'
import { createFundUpkeep } from './orders/upkeep.service.ts'
import { createFundOverview } from './overview/overview.service.ts'
import { createFundNavs } from './products/navs.service.ts'
import { createFundProducts } from './products/products.service.ts'
import { createFundPayouts } from './redemptions/payouts.service.ts'
import { createFundRedemptions } from './redemptions/redemptions.service.ts'
import { createFundReview } from './redemptions/review.service.ts'

export type { FundTerms } from './overview/overview.service.ts'
export type { Texts } from './products/products.repository.ts'

export interface FundDeps {
  readonly now: Now
  readonly chain: Pick<Chain, 'decimals'>
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly adminLog: AdminLogService
  readonly checkout: CheckoutService
  readonly progress: ChainProgress
  /** False in a simulation. */
  readonly navsGoStale: boolean
}

export type FundService = ReturnType<typeof createFundService>

/** The fund, part by part. Rules, section 8. */
export function createFundService(deps: FundDeps) {
  const { now, ledger, members, plans, adminLog, checkout, progress } = deps
  const products = createFundProducts({ now, ledger, plans, adminLog })
  const navs = createFundNavs({ now, products, plans, adminLog, navsGoStale: deps.navsGoStale })
  const orderBook = createFundOrderBook({ ledger, products, now })
  const redemptions = createFundRedemptions({ now, ledger, plans, products, navs })
  const usdtDecimals = deps.chain.decimals.USDT
  return {
    products,
    navs,
    purchases: createFundPurchases({ now, ledger, plans, products, navs, orderBook, checkout, progress }),
    upkeep: createFundUpkeep({ orderBook, checkout, progress }),
    /** What a payment on chain does to its purchase. */
    payments: createFundPaymentHandler({ now, ledger, products, orderBook, checkout, usdtDecimals }),
    redemptions,
    review: createFundReview({ now, plans, products, navs, redemptions, adminLog }),
    payouts: createFundPayouts({ now, ledger, members, plans, products, redemptions }),
    bills: createFundBills({ now, ledger, members, products, navs }),
    income: createFundIncome({ now, ledger, plans, members, products }),
    overview: createFundOverview({ now, ledger, plans, products, navs }),
  }
}
