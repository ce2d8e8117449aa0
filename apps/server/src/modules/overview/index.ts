import { schemaProblem } from '../../db/migrate.ts'
import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Exchange } from '../exchange/index.ts'
import type { FundServices } from '../fund/index.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Messages } from '../messages/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import type { Savings } from '../savings/index.ts'
import type { ShopServices } from '../shop/index.ts'
import { activityRoutes } from './activity/activity.routes.ts'
import { createActivityService } from './activity/activity.service.ts'
import { meRoutes } from './me/me.routes.ts'
import { createMeService } from './me/me.service.ts'
import { memberSearchRoutes } from './member-search/member-search.routes.ts'
import { createMemberSearch } from './member-search/member-search.service.ts'
import { portfolioRoutes } from './portfolio/portfolio.routes.ts'
import { createPortfolioService } from './portfolio/portfolio.service.ts'
import { systemRoutes } from './system/system.routes.ts'
import { createSystemService } from './system/system.service.ts'
import { transactionRoutes } from './transactions/transactions.routes.ts'
import { createTransactionsService } from './transactions/transactions.service.ts'

export type Overview = ServicesOf<typeof overview>

/** Pages that show a member several capabilities, and the settings and the health of the whole product. */
export const overview = capability({
  create(
    needs: Ground &
      Books &
      Operators &
      Messages &
      Prices &
      Members &
      Access &
      Rewards &
      ShopServices &
      Leaving &
      Savings &
      Exchange &
      FundServices,
  ) {
    const { untrustedClient, chainId } = needs.chain
    const activity = createActivityService(needs)
    return {
      activity,
      me: createMeService(needs),
      memberSearch: createMemberSearch({ ...needs, activity }),
      portfolio: createPortfolioService(needs),
      transactions: createTransactionsService({
        ...needs,
        untrustedClient,
        chainId,
        fund: needs.fund.orders,
      }),
      system: createSystemService({ ...needs, schemaProblem }),
    }
  },
  routes(app, services, { log, clock, contracts }) {
    systemRoutes(app, { ...services, log, clock, contracts })
    meRoutes(app, services)
    activityRoutes(app, services)
    memberSearchRoutes(app, services)
    portfolioRoutes(app, services)
    transactionRoutes(app, services)
  },
})
