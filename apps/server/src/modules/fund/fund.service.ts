import type { Chain } from '../../chain/client.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import type { Now } from '../../lib/clock.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { CheckoutService } from '../checkout/checkout.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import { createFundBills } from './fund.bills.ts'
import { createFundIncome } from './fund.income.ts'
import { createFundNavs } from './fund.navs.ts'
import { createFundOrderBook } from './fund.orders.ts'
import { createFundOverview } from './fund.overview.ts'
import { createFundPaymentHandler } from './fund.payments.ts'
import { createFundPayouts } from './fund.payouts.ts'
import { createFundProducts } from './fund.products.ts'
import { createFundPurchases } from './fund.purchases.ts'
import { createFundRedemptions } from './fund.redemptions.ts'
import { createFundReview } from './fund.review.ts'
import { createFundUpkeep } from './fund.upkeep.ts'

export type { FundTerms } from './fund.overview.ts'
export type { Texts } from './fund.products.repository.ts'

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
