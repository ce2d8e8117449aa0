import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import { depositsWithSuspense, paymentsByOrder } from '../shop/checkout/checkout.handlers.service.ts'
import type { ShopServices } from '../shop/index.ts'
import { FUND_CHECKS } from './audit.ts'
import { createBillJobs } from './bills/bills.worker.ts'
import { fundRoutes } from './fund.routes.ts'
import { createFund } from './fund.service.ts'
import { fundJobs } from './fund.worker.ts'
import { FUND_MESSAGES } from './messages.ts'
import {
  divestKind,
  fundProductKind,
  fundRedemptionKind,
  fundStateKind,
  investKind,
  valuationKind,
} from './proposal-kinds.ts'
import { TREASURY_CHECKS } from './treasury/audit.ts'
import { TREASURY_MESSAGES } from './treasury/messages.ts'
import { attestedRevenueKind, exitDestinationKind, treasuryPayoutKind } from './treasury/proposal-kinds.ts'
import { createDepositors } from './treasury/treasury.depositors.service.ts'
import { createDepositEvents } from './treasury/treasury.deposits.service.ts'
import { createDestinations } from './treasury/treasury.destinations.service.ts'
import { createExitEvents } from './treasury/treasury.events.service.ts'
import { createExits } from './treasury/treasury.exits.service.ts'
import { treasuryRoutes } from './treasury/treasury.routes.ts'
import { createTreasuryService } from './treasury/treasury.service.ts'
import { createExitSteps } from './treasury/treasury.steps.service.ts'
import { treasuryJobs } from './treasury/treasury.worker.ts'

export type FundServices = ServicesOf<typeof fund>

/** The fund products, and the treasury: what leaves the bank to approved destinations and what comes in. Rules, sections 2 and 7. */
export const fund = capability({
  create(needs: Ground & Books & Operators & Prices & Members & Access & Rewards & ShopServices & Leaving) {
    const fund = createFund({ ...needs, navsGoStale: needs.settings.navsGoStale ?? true })
    const parts = { ...needs, fund, steps: createExitSteps({ ...needs, fund }) }
    const exitDestinations = createDestinations(needs)
    return {
      fund,
      exitDestinations,
      exits: createExits({ ...parts, destinations: exitDestinations }),
      depositEvents: createDepositEvents(parts),
      exitEvents: { ...createExitEvents(parts), ...exitDestinations.handlers },
      treasury: createTreasuryService({ ...parts, exitDestinations }),
      depositors: createDepositors(needs),
    }
  },
  routes(app, services) {
    fundRoutes(app, services)
    treasuryRoutes(app, services)
  },
  jobs(services, { log }) {
    const { db, now, fund } = services
    const bills = createBillJobs({ db, now, log, bills: fund.bills })
    return {
      money: [...fundJobs(services), bills.standing, ...treasuryJobs(services)],
      queued: [bills.handler],
    }
  },
  events: ({ shop, fund, checkout, onFinalBatch, depositEvents, exitEvents }) => ({
    ...exitEvents,
    // An order on chain is one of the shop or of the fund, which its number says.
    OrderPaid: {
      ...paymentsByOrder(checkout, { shop: shop.payments, fund: fund.payments }),
      onFinalBatch,
    },
    RevenueDeposited: depositsWithSuspense(checkout, depositEvents),
  }),
  finalBatch: (services) => [services.fund.finalPayments],
  proposalKinds: (services) => ({
    fund_product: fundProductKind(services),
    fund_product_state: fundStateKind(services),
    fund_valuation: valuationKind(services),
    fund_divest: divestKind(services),
    fund_invest: investKind(services),
    fund_redemption: fundRedemptionKind(services),
    attestation: attestedRevenueKind(services),
    treasury_payout: treasuryPayoutKind(services),
    exit_destination: exitDestinationKind(services),
  }),
  audiences: (services) => ({
    async nav_published(db, memberIds, facts) {
      const holders = await services.fund.overview.holdersAmong(db, BigInt(facts.product_id!), memberIds)
      return holders.map((memberId) => ({ memberId, facts }))
    },
  }),
  audits: [...FUND_CHECKS, ...TREASURY_CHECKS],
  messages: { ...FUND_MESSAGES, ...TREASURY_MESSAGES },
})
