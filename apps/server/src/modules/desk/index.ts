import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability } from '../capability.ts'
import type { FundServices } from '../fund/index.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Overview } from '../overview/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import type { Settlement } from '../settlement/index.ts'
import type { ShopServices } from '../shop/index.ts'
import type { Trust } from '../trust/index.ts'
import { analyticsRoutes } from './analytics/analytics.routes.ts'
import { createAnalyticsService } from './analytics/analytics.service.ts'
import { ANALYTICS_CHECKS } from './analytics/audit.ts'
import { deskRoutes } from './desk.routes.ts'
import { createDesk } from './desk.service.ts'
import { createDeparturesOperated } from './operations/departures.service.ts'
import { createFundProductsOperated } from './operations/fund-products.service.ts'
import { operationRoutes } from './operations/operations.routes.ts'
import { createOperations } from './operations/operations.service.ts'
import { createOrderAudit } from './operations/order-audit.service.ts'
import { recoveryKind, setAsideKind } from './operations/proposal-kinds.ts'
import { createReorganisation } from './operations/reorganisation.service.ts'
import { createRevenueDeposits } from './operations/revenue-deposits.service.ts'
import { priceIntakeRoutes } from './price-intake/price-intake.routes.ts'
import { createPriceIntake } from './price-intake/price-intake.service.ts'
import { priceIntakeJobs } from './price-intake/price-intake.worker.ts'
import { PROPOSAL_MESSAGES } from './proposals/messages.ts'
import { proposalRoutes } from './proposals/proposals.routes.ts'
import { createProposals } from './proposals/proposals.service.ts'
import { proposalJobs } from './proposals/proposals.worker.ts'
import { searchRoutes } from './search/search.routes.ts'
import { createSearchService } from './search/search.service.ts'

/** The operators' pages: decisions by two people, their queues, search and analytics. Rules, section 12. */
export const desk = capability({
  create(
    needs: Ground &
      Books &
      Operators &
      Prices &
      Members &
      Access &
      Rewards &
      ShopServices &
      Leaving &
      Settlement &
      FundServices &
      Trust &
      Overview,
  ) {
    const proposals = createProposals({ ...needs, kinds: () => needs.declared().kinds })
    const parts = { ...needs, proposals }
    return {
      proposals,
      priceIntake: createPriceIntake({ ...parts, prices: needs.outsidePrices }),
      operations: createOperations(parts),
      departures: createDeparturesOperated(parts),
      orderAudit: createOrderAudit(parts),
      revenueDeposits: createRevenueDeposits(parts),
      fundProducts: createFundProductsOperated(parts),
      reorganisation: createReorganisation(parts),
      search: createSearchService(needs),
      analytics: createAnalyticsService(needs),
      desk: createDesk(parts),
    }
  },
  async routes(app, services) {
    await priceIntakeRoutes(app, services)
    analyticsRoutes(app, services)
    searchRoutes(app, services)
    proposalRoutes(app, services)
    operationRoutes(app, services)
    deskRoutes(app, services)
  },
  jobs: (services) => ({ money: [...proposalJobs(services.proposals), ...priceIntakeJobs(services)] }),
  proposalKinds: (services) => ({
    recovery: recoveryKind(services),
    event_set_aside: setAsideKind({ ...services, eventHandlers: () => services.declared().eventHandlers }),
  }),
  audits: ANALYTICS_CHECKS,
  messages: PROPOSAL_MESSAGES,
})
