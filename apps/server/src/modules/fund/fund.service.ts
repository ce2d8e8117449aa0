import type { Chain } from '../../chain/client.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Reversals } from '../books/reversals/reversals.service.ts'
import type { ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../leaving/leaving.one-way.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { Checkout } from '../shop/checkout/checkout.service.ts'
import { createFundBills } from './bills/bills.service.ts'
import { createFundIncome } from './income/income.service.ts'
import { createFundDesk } from './investing/desk.service.ts'
import { createFundInvestments } from './investing/investments.service.ts'
import { createFundValuations } from './investing/valuations.service.ts'
import { createFundOrderSteps } from './orders/order-steps.service.ts'
import { createFundOrders } from './orders/orders.service.ts'
import { createFundPayments } from './orders/payments.service.ts'
import { createFundOverview } from './overview/overview.service.ts'
import { createFundAssets } from './products/assets.service.ts'
import { createFundProducts } from './products/products.service.ts'
import { createFundPayouts } from './redemptions/payouts.service.ts'
import { createFundRedemptions } from './redemptions/redemptions.service.ts'
import { createFundReview } from './redemptions/review.service.ts'

export type { Evidence } from './investing/evidence.ts'
export type { ValuationDraft, ValuationTerms } from './investing/valuations.service.ts'
export type { FundTerms } from './overview/overview.service.ts'
export type { Texts } from './products/products.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Pick<Chain, 'decimals'>
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly adminLog: AdminLogService
  readonly checkout: Checkout
  readonly progress: ChainProgress
  readonly reversals: Reversals
  readonly consents: ConsentsService
  readonly oneWay: OneWayService
  /** False in a simulation, where no valuation is too old. */
  readonly navsGoStale: boolean
}

export type Fund = ReturnType<typeof createFund>

/** Creates the parts of the fund. Rules, section 8. */
export function createFund(deps: Deps) {
  const { db, now, ledger, reversals, members, plans, adminLog, checkout, progress } = deps
  const products = createFundProducts({ now, ledger, plans, adminLog })
  const assets = createFundAssets({ now, ledger, plans, products, navsGoStale: deps.navsGoStale })
  const orders = createFundOrderSteps({ db, now, ledger, assets, checkout, progress, reversals })
  const redemptions = createFundRedemptions({ now, ledger, plans, products, assets, progress })
  const investments = createFundInvestments({ now, ledger, assets, adminLog, reversals })
  const valuations = createFundValuations({ now, ledger, assets, adminLog, reversals })
  const { decimals } = deps.chain
  return {
    products,
    assets,
    investments,
    valuations,
    desk: createFundDesk({ now, members, plans, assets, products, investments, valuations }),
    expire: orders.expire,
    followReported: orders.followReported,
    orders: createFundOrders({
      now,
      ledger,
      plans,
      products,
      assets,
      orders,
      checkout,
      progress,
      consents: deps.consents,
      oneWay: deps.oneWay,
    }),
    ...createFundPayments({ now, ledger, assets, orders, checkout, decimals }),
    redemptions,
    review: createFundReview({ now, plans, products, assets, redemptions, adminLog }),
    payouts: createFundPayouts({ now, ledger, members, plans, products, assets, redemptions }),
    bills: createFundBills({ now, ledger, members, products, assets }),
    income: createFundIncome({ now, ledger, plans, members, products }),
    overview: createFundOverview({ now, ledger, plans, products, assets }),
  }
}
