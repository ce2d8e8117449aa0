import { type Day, formatMicros } from '@rif/rules'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import { createAttestedRevenue } from './attested-revenue/attested-revenue.service.ts'
import { ATTESTED_REVENUE_MESSAGES } from './attested-revenue/messages.ts'
import { REWARD_CHECKS } from './audit.ts'
import { dayCapKind } from './proposal-kinds.ts'
import { createAwardService } from './rewards.award.service.ts'
import { createBulkRewards } from './rewards.bulk.service.ts'
import { createDayCapsService } from './rewards.day-caps.service.ts'
import { createRewardFigures } from './rewards.figures.service.ts'
import { createManagementService } from './rewards.management.service.ts'
import { rewardRoutes } from './rewards.routes.ts'
import { createRewardsService } from './rewards.service.ts'

export type Rewards = ServicesOf<typeof rewards>

/** The rewards of members, and the attested revenue that funds them. Rules, sections 2, 5 and 6. */
export const rewards = capability({
  create(needs: Ground & Books & Operators & Prices & Members) {
    const attestedRevenue = createAttestedRevenue(needs)
    const dayCaps = createDayCapsService(needs)
    const management = createManagementService(needs)
    return {
      attestedRevenue,
      dayCaps,
      management,
      rewards: createRewardsService(needs),
      rewardFigures: createRewardFigures({ ...needs, dayCaps, attestedRevenue }),
      awards: createAwardService({ ...needs, management }),
      bulkRewards: createBulkRewards(),
    }
  },
  routes: rewardRoutes,
  proposalKinds: (services) => ({ day_cap: dayCapKind(services) }),
  audiences: (services) => ({
    async rewards_paid(db, memberIds, { day }) {
      const paid = await services.rewards.paidOn(db, memberIds, day as Day)
      return paid.map(({ memberId, usdtMicros, amcMicros }) => ({
        memberId,
        facts: { day: day!, usdt: formatMicros(usdtMicros), amc: formatMicros(amcMicros) },
      }))
    },
  }),
  audits: REWARD_CHECKS,
  messages: ATTESTED_REVENUE_MESSAGES,
})
