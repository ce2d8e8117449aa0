import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Exchange } from '../exchange/index.ts'
import type { Ground } from '../ground.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import type { Savings } from '../savings/index.ts'
import type { ShopServices } from '../shop/index.ts'
import { SETTLEMENT_CHECKS } from './audit.ts'
import { createSettlementDays } from './days/days.service.ts'
import { createSettlementRerun } from './days/rerun.service.ts'
import { SETTLEMENT_MESSAGES } from './messages.ts'
import { planComparisonRoutes } from './plan-comparison/plan-comparison.routes.ts'
import { createPlanComparisons } from './plan-comparison/plan-comparison.service.ts'
import { planKind, priceKind } from './proposal-kinds.ts'
import { createSettlementReplays } from './replay/replay.service.ts'
import { settlementRoutes } from './settlement.routes.ts'
import { createSettlement } from './settlement.service.ts'
import { settlementJobs } from './settlement.worker.ts'

export type Settlement = ServicesOf<typeof settlement>

/** The settlement of a day, its repetition, and the comparison of a plan with the books. Rules, section 6. */
export const settlement = capability({
  create(
    needs: Ground &
      Books &
      Operators &
      Prices &
      Members &
      Access &
      Rewards &
      ShopServices &
      Savings &
      Exchange,
  ) {
    const settlement = createSettlement(needs)
    const settlementDays = createSettlementDays(needs)
    const settlementReplays = createSettlementReplays(needs)
    return {
      settlement,
      settlementDays,
      settlementRerun: createSettlementRerun({ ...needs, settlement, days: settlementDays }),
      settlementReplays,
      planComparisons: createPlanComparisons({ ...needs, settlementReplays }),
    }
  },
  routes(app, services) {
    settlementRoutes(app, services)
    planComparisonRoutes(app, services)
  },
  jobs: ({ settlement, settlementDays, settlementRerun, planComparisons }, { runComparison }) => ({
    money: settlementJobs(settlement),
    queued: [settlementDays.dryRuns, settlementRerun.reruns, planComparisons.handler(runComparison)],
  }),
  proposalKinds: (services) => ({ plan: planKind(services), price: priceKind(services) }),
  audits: SETTLEMENT_CHECKS,
  messages: SETTLEMENT_MESSAGES,
})
