import type { FundDesk, FundProductOperated, ProposalKind } from '@rif/api-schema'
import { dayOf, formatMicros, isNavStale } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import {
  fundProductSubject,
  type ProposalsService,
  redemptionSubject,
  valuationSubject,
} from '../proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: PlansService
  readonly fund: Pick<Fund, 'products' | 'assets' | 'desk'>
  readonly proposals: Pick<ProposalsService, 'openBySubject'>
}

export type FundProductsOperated = ReturnType<typeof createFundProductsOperated>

/**
 * Creates the operators' view of fund products: the assets behind their units, and the open proposals about
 * them. Rules, section 8.
 */
export function createFundProductsOperated({ db, now, plans, fund, proposals }: Deps) {
  return {
    /** Returns a product as seen by those who invest its money. Throws PRODUCT_NOT_FOUND. */
    async desk(productId: bigint): Promise<FundDesk> {
      const desk = await fund.desk.desk(db, productId)
      const [first] = desk.pending.items
      const open = async (kind: ProposalKind, subject: string | undefined) =>
        subject === undefined
          ? null
          : textOf((await proposals.openBySubject(db, kind, [subject])).get(subject))
      const [valued, divested, invest, redemption] = await Promise.all([
        open('fund_valuation', valuationSubject(productId)),
        open('fund_divest', valuationSubject(productId)),
        open('fund_invest', fundProductSubject(productId)),
        open('fund_redemption', first && redemptionSubject(first.member_id, first.redemption_id)),
      ])
      return { ...desk, proposals: { valuation: valued ?? divested, invest, redemption } }
    },

    /** Returns all approved products, oldest first. */
    async list(): Promise<{ items: FundProductOperated[] }> {
      const at = now().getTime()
      const [plan, products] = await Promise.all([plans.planAt(db, dayOf(at)), fund.products.all(db)])
      const assetsById = new Map(
        await Promise.all(
          [...products].map(async ([id, product]) => [id, await fund.assets.read(db, product)] as const),
        ),
      )
      const subjects = [...products.keys()].map(fundProductSubject)
      const valuations = [...products.keys()].map(valuationSubject)
      const [valued, divested, aboutState] = await Promise.all([
        proposals.openBySubject(db, 'fund_valuation', valuations),
        proposals.openBySubject(db, 'fund_divest', valuations),
        proposals.openBySubject(db, 'fund_product_state', subjects),
      ])
      const items = [...products.values()].map((product): FundProductOperated => {
        const { product_id: productId, units_outstanding: units } = product
        const { cashMicros, investedMicros } = assetsById.get(productId)!
        const valuation = valuationSubject(productId)
        return {
          product_id: `${productId}`,
          name: product.name,
          units: `${units}`,
          state: product.state === 'open' ? 'open' : 'closed',
          risk_level: product.risk_level,
          lock_days: product.lock_days,
          minimum_usd: formatMicros(product.minimum_micros),
          redeemable_weekdays: product.redeemable_weekdays,
          subscription_ppm: product.subscription_ppm,
          redemption_ppm: product.redemption_ppm,
          management_ppm: product.management_ppm,
          nav: formatMicros(product.nav_micros),
          valued_at: product.valued_at?.toISOString() ?? null,
          stale: isNavStale(
            { isInvested: product.is_invested, valuedAtMs: product.valued_at?.getTime() ?? null },
            at,
            plan,
          ),
          units_worth: formatMicros(units * product.nav_micros),
          cash: formatMicros(cashMicros),
          invested: formatMicros(investedMicros),
          valuation_proposal_id: textOf(valued.get(valuation) ?? divested.get(valuation)),
          state_proposal_id: textOf(aboutState.get(fundProductSubject(productId))),
        }
      })
      return { items }
    },
  }
}

const textOf = (id: bigint | undefined) => (id === undefined ? null : `${id}`)
