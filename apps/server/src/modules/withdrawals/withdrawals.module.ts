import type { DepsOf } from '../../lib/deps.ts'
import { createWithdrawalBook } from './withdrawals.book.ts'
import { createClaims } from './withdrawals.claims.ts'
import { createWithdrawalReview } from './withdrawals.review.service.ts'
import { createWithdrawalsService } from './withdrawals.service.ts'

type Deps = Omit<
  DepsOf<typeof createWithdrawalsService> &
    DepsOf<typeof createWithdrawalReview> &
    DepsOf<typeof createClaims>,
  'book' | 'contracts'
>

/** Creates the services of withdrawals. Rules, section 7. */
export function createWithdrawals(deps: Deps) {
  const book = createWithdrawalBook(deps)
  return {
    withdrawals: createWithdrawalsService({ ...deps, book, contracts: deps.chain.contracts }),
    withdrawalReview: createWithdrawalReview({ ...deps, book }),
    claims: createClaims({ ...deps, book }),
  }
}
