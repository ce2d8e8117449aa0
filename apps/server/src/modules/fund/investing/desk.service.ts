import type { FundBooks, FundDesk, FundInvestment, FundValuation } from '@rif/api-schema'
import { dayOf, formatMicros, freeCash, investable, isNavStale, netAssets } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import type { ProductRow } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { countPending, queueOf, type RedemptionRow } from '../redemptions/redemptions.repository.ts'
import type { InvestmentRow } from './investments.repository.ts'
import type { FundInvestments } from './investments.service.ts'
import type { ValuationRow } from './valuations.repository.ts'
import type { FundValuationsService } from './valuations.service.ts'

interface Deps {
  readonly now: Now
  readonly plans: PlansService
  readonly assets: FundAssetsService
  readonly products: FundProducts
  readonly investments: FundInvestments
  readonly valuations: FundValuationsService
}

/** The longest queue and history that are shown. */
const SHOWN = 100
const SHOWN_PUBLICLY = 20

/** Creates the views of a product's books: for everybody, and for those who invest its money. Rules, section 8. */
export function createFundDesk({ now, plans, assets, products, investments, valuations }: Deps) {
  async function booksOf(db: Db, product: ProductRow): Promise<FundBooks> {
    const productId = product.product_id
    const [held, placed, applied, proposed, queue] = await Promise.all([
      assets.read(db, product),
      investments.of(db, productId, ['announced', 'invested', 'ended']),
      valuations.applied(db, productId, SHOWN),
      valuations.proposed(db, productId),
      queueOf(db, productId, SHOWN_PUBLICLY),
    ])
    const cost = placed
      .filter(({ state }) => state === 'invested')
      .reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
    return {
      cash: formatMicros(held.cashMicros),
      announced: formatMicros(held.announcedMicros),
      invested: formatMicros(held.investedMicros),
      cost: formatMicros(cost),
      net_assets: formatMicros(netAssets(held)),
      units: `${held.units}`,
      opening_nav: formatMicros(held.openingMicros),
      valued_at: product.valued_at?.toISOString() ?? null,
      closed_reason: product.closed_reason,
      valuation_proposed: proposed?.stops_dealing === true,
      investments: placed.map(investmentView),
      valuations: applied.map(valuationView),
      queue: {
        length: Number(product.redemptions_waiting),
        units: `${held.approvedUnits}`,
        value: formatMicros(held.approvedUnits * held.navMicros),
        next_due_at: queue[0]?.due_at?.toISOString() ?? null,
        items: queue.map(({ units, due_at }, index) => ({
          ...{ place: index + 1, units: `${units}`, value: formatMicros(units * held.navMicros) },
          due_at: due_at!.toISOString(),
        })),
      },
    }
  }

  return {
    /** Returns a product's public books. Throws PRODUCT_NOT_FOUND. */
    async books(db: Db, productId: bigint): Promise<FundBooks> {
      return booksOf(db, await products.get(db, productId))
    },

    /** Returns a product as its operators see it. Throws PRODUCT_NOT_FOUND. */
    async desk(db: Db, productId: bigint): Promise<FundDesk> {
      const product = await products.get(db, productId)
      const at = now()
      const [books, held, queue, proposed, pending, plan, stop] = await Promise.all([
        booksOf(db, product),
        assets.read(db, product),
        queueOf(db, productId, SHOWN),
        valuations.proposed(db, productId),
        countPending(db, productId),
        plans.planAt(db, dayOf(at.getTime())),
        assets.stopNow(db, product),
      ])
      let needed = 0n
      const waitsFor = ({ due_at }: RedemptionRow) => {
        if (due_at! > at) return 'time' as const
        return stop === null ? ('cash' as const) : ('valuation' as const)
      }
      return {
        ...books,
        ...{ product_id: `${productId}`, name: product.name, nav: formatMicros(held.navMicros) },
        investable: formatMicros(investable(held)),
        stale: isNavStale(
          { isInvested: product.is_invested, valuedAtMs: product.valued_at?.getTime() ?? null },
          at.getTime(),
          plan,
        ),
        pending,
        redemptions: queue.map((row, index) => {
          const value = row.units * held.navMicros
          needed += value
          return {
            redemption_id: `${row.redemption_id}`,
            member_id: `${row.member_id}`,
            place: index + 1,
            units: `${row.units}`,
            value: formatMicros(value),
            cash_needed: formatMicros(needed > freeCash(held) ? needed - freeCash(held) : 0n),
            due_at: row.due_at!.toISOString(),
            waits_for: waitsFor(row),
          }
        }),
        proposed: proposed === undefined ? null : proposedView(proposed),
      }
    },
  }
}

function investmentView(row: InvestmentRow): FundInvestment {
  return {
    investment_id: `${row.investment_id}`,
    state: row.state,
    destination: row.destination,
    cost: formatMicros(row.cost_micros),
    value: formatMicros(row.value_micros),
    evidence: evidenceOf(row),
    announced_at: row.announced_at.toISOString(),
    invested_at: row.invested_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function valuationView(row: ValuationRow): FundValuation {
  return {
    valuation_id: `${row.valuation_id}`,
    kind: row.kind,
    value: formatMicros(row.value_micros),
    amount: row.amount_micros === null ? null : formatMicros(row.amount_micros),
    held_at: row.held_at,
    evidence: evidenceOf(row),
    nav: formatMicros(row.nav_micros!),
    prepared_at: row.prepared_at.toISOString(),
    decided_at: row.decided_at!.toISOString(),
  }
}

function proposedView(row: ValuationRow): NonNullable<FundDesk['proposed']> {
  return {
    valuation_id: `${row.valuation_id}`,
    kind: row.kind,
    value: formatMicros(row.value_micros),
    amount: row.amount_micros === null ? null : formatMicros(row.amount_micros),
    prepared_at: row.prepared_at.toISOString(),
    lapses_at: row.lapses_at.toISOString(),
    stops_dealing: row.stops_dealing,
  }
}

function evidenceOf({ document_id, document_hash }: Pick<ValuationRow, 'document_id' | 'document_hash'>) {
  return document_id === null ? null : { document_id: `${document_id}`, hash: document_hash! }
}
