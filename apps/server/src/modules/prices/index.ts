import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Operators } from '../operators/index.ts'
import { planRoutes } from './plans/plans.routes.ts'
import { createPlansService } from './plans/plans.service.ts'
import { createDisplayRates } from './pricing/pricing.rates.service.ts'
import { pricingRoutes } from './pricing/pricing.routes.ts'
import { createPricingService } from './pricing/pricing.service.ts'
import { createPriceSources } from './pricing/pricing.sources.service.ts'
import { displayRateKind, outsidePriceKind } from './proposal-kinds.ts'

export type Prices = ServicesOf<typeof prices>

/** The figures in force: the versions of the plan, the prices of assets and the rates of display. Rules, sections 1 and 4. */
export const prices = capability({
  create(needs: Ground & Operators) {
    const { jumpPpm } = needs.outsidePrices
    const pricing = createPricingService(needs)
    return {
      plans: createPlansService(needs),
      pricing,
      priceSources: createPriceSources({ now: needs.now, pricing, jumpPpm }),
      displayRates: createDisplayRates({ ...needs, jumpPpm }),
    }
  },
  routes(app, services) {
    planRoutes(app, services)
    pricingRoutes(app, services)
  },
  proposalKinds: (services) => ({
    outside_price: outsidePriceKind(services),
    display_rate: displayRateKind(services),
  }),
})
