import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Prices } from '../prices/index.ts'
import { SAVINGS_CHECKS } from './audit.ts'
import { createSavingsAccounts } from './savings.account.service.ts'
import { createSavingsInterestBook } from './savings.interest.service.ts'
import { savingsRoutes } from './savings.routes.ts'
import { createSavingsService } from './savings.service.ts'
import { createStandingSavings } from './savings.standing.service.ts'
import { savingsJobs } from './savings.worker.ts'

export type Savings = ServicesOf<typeof savings>

/** Savings and their interest. Rules, section 9. */
export const savings = capability({
  create(needs: Ground & Books & Prices & Members & Access & Leaving) {
    const savings = createSavingsService(needs)
    return {
      savings,
      standingSavings: createStandingSavings({ ...needs, savings }),
      savingsAccounts: createSavingsAccounts(needs),
      savingsInterest: createSavingsInterestBook(),
    }
  },
  routes: savingsRoutes,
  jobs: ({ savings, standingSavings }) => ({ money: savingsJobs(savings, standingSavings) }),
  audits: SAVINGS_CHECKS,
})
