import type { DepsOf } from '../../lib/deps.ts'
import { createAllocation } from './exchange.allocation.service.ts'
import { createConversions } from './exchange.conversions.service.ts'
import { createDividends } from './exchange.dividends.service.ts'
import { createLaunchReview } from './exchange.launch-review.service.ts'
import { createLaunches } from './exchange.launches.service.ts'
import { createExchangeService } from './exchange.service.ts'
import { createExchangeTerms } from './exchange.terms.service.ts'

type Deps = DepsOf<typeof createAllocation> &
  DepsOf<typeof createExchangeTerms> &
  DepsOf<typeof createConversions>

/** Creates the services of the exchange centre. Rules, section 11. */
export function createExchange(deps: Deps) {
  const conversions = createConversions(deps)
  const exchangeTerms = createExchangeTerms(deps)
  const dividends = createDividends()
  return {
    exchange: createExchangeService({ ...deps, terms: exchangeTerms, conversions, dividends }),
    conversions,
    exchangeTerms,
    dividends,
    launches: createLaunches(deps),
    launchReview: createLaunchReview(deps),
    allocation: createAllocation(deps),
  }
}
