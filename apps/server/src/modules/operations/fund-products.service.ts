import type { FundProductOperated } from '@rif/api-schema'
import { dayOf, formatMicros, isNavStale } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Fund } from '../fund/fund.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import { fundProductSubject, type ProposalsService } from '../proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: PlansService
  readonly fund: Pick<Fund, 'products' | 'navs'>
  readonly proposals: Pick<ProposalsService, 'openBySubject'>
}

export type FundProductsOperated = ReturnType<typeof createFundProductsOperated>

/** The fund's products as operators see them: what backs their units, and what is proposed about them. Rules, section 8. */
export function createFundProductsOperated({ db, now, plans, fund, proposals }: Deps) {
  return {
    /** All approved products, oldest first. */
    async list(): Promise<{ items: FundProductOperated[] }> {
      const at = now().getTime()
      const [plan, products, navs] = await Promise.all([
        plans.planAt(db, dayOf(at)),
        fund.products.all(db),
        fund.navs.last(db),
      ])
      const subjects = [...products.keys()].map(fundProductSubject)
      const [aboutNav, aboutState] = await Promise.all([
        proposals.openBySubject(db, 'nav', subjects),
        proposals.openBySubject(db, 'fund_product_state', subjects),
      ])
      const items = [...products.values()].map((product): FundProductOperated => {
        const { product_id: productId, units_outstanding: units } = product
        const nav = navs.get(productId)
        const assets = nav?.assets_micros ?? null
        return {
          ...{ product_id: `${productId}`, name: product.name, units: `${units}` },
          state: product.state === 'open' ? 'open' : 'closed',
          ...{ risk_level: product.risk_level, lock_days: product.lock_days },
          minimum_usd: formatMicros(product.minimum_micros),
          redeemable_weekdays: product.redeemable_weekdays,
          subscription_ppm: product.subscription_ppm,
          redemption_ppm: product.redemption_ppm,
          management_ppm: product.management_ppm,
          nav: nav === undefined ? null : formatMicros(nav.nav_micros),
          published_at: nav?.published_at.toISOString() ?? null,
          stale: nav === undefined || isNavStale(nav.published_at.getTime(), at, plan),
          units_worth: formatMicros(units * (nav?.nav_micros ?? 0n)),
          assets: assets === null ? null : formatMicros(assets),
          backing: assets === null || units === 0n ? null : formatMicros(assets / units),
          nav_proposal_id: textOf(aboutNav.get(fundProductSubject(productId))),
          state_proposal_id: textOf(aboutState.get(fundProductSubject(productId))),
        }
      })
      return { items }
    },
  }
}

const textOf = (id: bigint | undefined) => (id === undefined ? null : `${id}`)
