import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import { EXCHANGE_CHECKS } from './audit.ts'
import { createAllocation } from './exchange.allocation.service.ts'
import { createConversions } from './exchange.conversions.service.ts'
import { createDividends } from './exchange.dividends.service.ts'
import { createLaunchReview } from './exchange.launch-review.service.ts'
import { createLaunches } from './exchange.launches.service.ts'
import { exchangeRoutes } from './exchange.routes.ts'
import { createExchangeService } from './exchange.service.ts'
import { createExchangeTerms } from './exchange.terms.service.ts'
import { exchangeJobs } from './exchange.worker.ts'
import { createHashPowerGrants } from './hash-power/hash-power.grants.service.ts'
import { hashPowerRoutes } from './hash-power/hash-power.routes.ts'
import { createHashPowerService } from './hash-power/hash-power.service.ts'
import { EXCHANGE_MESSAGES } from './messages.ts'
import { exchangeTermsKind, hashPowerKind, launchKind } from './proposal-kinds.ts'

export type Exchange = ServicesOf<typeof exchange>

/** The exchange centre: conversions, launches of VC, dividends of DIV, and hash power. Rules, section 11. */
export const exchange = capability({
  create(needs: Ground & Books & Operators & Prices & Members & Access & Leaving) {
    const conversions = createConversions(needs)
    const exchangeTerms = createExchangeTerms(needs)
    const dividends = createDividends()
    return {
      conversions,
      exchangeTerms,
      dividends,
      exchange: createExchangeService({ ...needs, terms: exchangeTerms, conversions, dividends }),
      launches: createLaunches(needs),
      launchReview: createLaunchReview(needs),
      allocation: createAllocation(needs),
      hashPower: createHashPowerService({ ...needs, conversions }),
      hashPowerGrants: createHashPowerGrants(needs),
    }
  },
  routes(app, services) {
    exchangeRoutes(app, services)
    hashPowerRoutes(app, services)
  },
  jobs: ({ allocation }) => ({ money: exchangeJobs(allocation) }),
  proposalKinds: (services) => ({
    launch: launchKind({ review: services.launchReview }),
    exchange_terms: exchangeTermsKind({ now: services.now, terms: services.exchangeTerms }),
    hash_power: hashPowerKind({ ...services, grants: services.hashPowerGrants }),
  }),
  audits: EXCHANGE_CHECKS,
  messages: EXCHANGE_MESSAGES,
})
