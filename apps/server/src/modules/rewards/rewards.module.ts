import type { DepsOf } from '../../lib/deps.ts'
import { createAwardService } from './rewards.award.service.ts'
import { createBulkRewards } from './rewards.bulk.service.ts'
import { createDayCapsService } from './rewards.day-caps.service.ts'
import { createRewardFigures } from './rewards.figures.service.ts'
import { createManagementService } from './rewards.management.service.ts'
import { createRewardsService } from './rewards.service.ts'

type Deps = DepsOf<typeof createRewardsService> &
  DepsOf<typeof createDayCapsService> &
  Omit<DepsOf<typeof createRewardFigures>, 'dayCaps'> &
  Omit<DepsOf<typeof createAwardService>, 'management'>

/** Creates the services of rewards. Rules, sections 5 and 6. */
export function createRewards(deps: Deps) {
  const dayCaps = createDayCapsService(deps)
  const management = createManagementService(deps)
  return {
    rewards: createRewardsService(deps),
    dayCaps,
    management,
    rewardFigures: createRewardFigures({ ...deps, dayCaps }),
    awards: createAwardService({ ...deps, management }),
    bulkRewards: createBulkRewards(),
  }
}
