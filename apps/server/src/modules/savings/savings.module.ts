import type { DepsOf } from '../../lib/deps.ts'
import { createSavingsAccounts } from './savings.account.service.ts'
import { createSavingsInterestBook } from './savings.interest.service.ts'
import { createSavingsService } from './savings.service.ts'
import { createStandingSavings } from './savings.standing.service.ts'

/** Creates the services of savings. Rules, section 9. */
export function createSavings(
  deps: DepsOf<typeof createSavingsService> & DepsOf<typeof createSavingsAccounts>,
) {
  const savings = createSavingsService(deps)
  return {
    savings,
    standingSavings: createStandingSavings({ db: deps.db, now: deps.now, oneWay: deps.oneWay, savings }),
    savingsAccounts: createSavingsAccounts(deps),
    savingsInterest: createSavingsInterestBook(),
  }
}
