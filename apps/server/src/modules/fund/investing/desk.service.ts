import type { FundBooks, FundDesk, FundInvestment, FundValuation } from '@rif/api-schema'
import {
  dayOf,
  type FundAssets,
  formatMicros,
  freeCash,
  investable,
  isNavStale,
  type Micros,
  max,
  netAssets,
} from '@rif/rules'
import { getAddress } from 'viem'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { MembersService } from '../../members/members.service.ts'
import { actorText } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import { evidenceTitles, type ProductRow } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import { pendingOf, queueOf, type RedemptionRow } from '../redemptions/redemptions.repository.ts'
import type { InvestmentRow } from './investments.repository.ts'
import type { FundInvestments } from './investments.service.ts'
import type { ValuationRow } from './valuations.repository.ts'
import type { FundValuationsService } from './valuations.service.ts'

interface Deps {
  readonly now: Now
  readonly members: MembersService
  readonly plans: PlansService
  readonly assets: FundAssetsService
  readonly products: FundProducts
  readonly investments: FundInvestments
  readonly valuations: FundValuationsService
}

/** The maximum length of the queue and of the history shown. */
const SHOWN = 100
const SHOWN_PUBLICLY = 20

/** A product's desk without the open proposals, which a higher module adds. */
export type FundDeskParts = Omit<FundDesk, 'proposals'>

/**
 * Creates the views of a product's books: the public one, and the one for operators who invest its money.
 * Rules, section 8.
 */
export function createFundDesk({ now, members, plans, assets, products, investments, valuations }: Deps) {
  async function booksOf(db: Db, product: ProductRow): Promise<FundBooks> {
    const productId = product.product_id
    const [fundAssets, placed, applied, proposed, queue, titles] = await Promise.all([
      assets.read(db, product),
      investments.of(db, productId, ['announced', 'invested', 'ended']),
      valuations.applied(db, productId, SHOWN),
      valuations.proposed(db, productId),
      queueOf(db, productId, SHOWN_PUBLICLY),
      evidenceTitles(db, productId),
    ])
    const cost = placed
      .filter(({ state }) => state === 'invested')
      .reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
    return {
      cash: formatMicros(fundAssets.cashMicros),
      announced: formatMicros(fundAssets.announcedMicros),
      invested: formatMicros(fundAssets.investedMicros),
      cost: formatMicros(cost),
      net_assets: formatMicros(netAssets(fundAssets)),
      units: `${fundAssets.units}`,
      opening_nav: formatMicros(fundAssets.openingMicros),
      valued_at: product.valued_at?.toISOString() ?? null,
      closed_reason: product.closed_reason,
      valuation_proposed: proposed?.stops_dealing === true,
      investments: placed.map((row) => investmentView(row, titles)),
      valuations: applied.map((row) => valuationView(row, titles)),
      queue: {
        length: Number(product.redemptions_waiting),
        units: `${fundAssets.approvedUnits}`,
        value: formatMicros(fundAssets.approvedUnits * fundAssets.navMicros),
        next_due_at: queue[0]?.due_at?.toISOString() ?? null,
        items: queue.map(({ units, due_at }, index) => ({
          place: index + 1,
          units: `${units}`,
          value: formatMicros(units * fundAssets.navMicros),
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

    /** Returns a product as operators see it. Throws PRODUCT_NOT_FOUND. */
    async desk(db: Db, productId: bigint): Promise<FundDeskParts> {
      const product = await products.get(db, productId)
      const at = now()
      const [books, fundAssets, placed, applied, titles, queue, proposed, pending, plan, stop] =
        await Promise.all([
          booksOf(db, product),
          assets.read(db, product),
          investments.of(db, productId, ['announced', 'invested', 'ended', 'cancelled']),
          valuations.applied(db, productId, SHOWN),
          evidenceTitles(db, productId),
          queueOf(db, productId, SHOWN),
          valuations.proposed(db, productId),
          pendingOf(db, productId, SHOWN),
          plans.planAt(db, dayOf(at.getTime())),
          assets.stopNow(db, product),
        ])
      const waiting = [...queue, ...pending.rows].map(({ member_id }) => member_id)
      const wallets = await members.addresses(db, [...new Set(waiting)])
      const { is_invested: isInvested, valued_at: valuedAt } = product
      const { navMaxAgeMs, payoutDelayMs } = plan.fund
      const dealing = { isInvested, valuedAtMs: valuedAt?.getTime() ?? null }
      return {
        ...books,
        product_id: `${productId}`,
        name: product.name,
        nav: formatMicros(fundAssets.navMicros),
        is_invested: isInvested,
        investable: formatMicros(investable(fundAssets)),
        began_nav: fundAssets.beganNavMicros === null ? null : formatMicros(fundAssets.beganNavMicros),
        stale: isNavStale(dealing, at.getTime(), plan),
        stale_at:
          isInvested && valuedAt !== null ? new Date(valuedAt.getTime() + navMaxAgeMs).toISOString() : null,
        investments: placed.map((row) => ({
          ...investmentView(row, titles),
          prepared_by: actorText(row.prepared_by),
          approved_by: actorText(row.approved_by),
        })),
        valuations: applied.map((row) => ({
          ...valuationView(row, titles),
          prepared_by: actorText(row.prepared_by),
          decided_by: actorText(row.decided_by!),
        })),
        redemptions: queuedViews(queue, fundAssets, wallets, { at, isStopped: stop !== null }),
        pending: {
          length: pending.length,
          units: `${pending.units}`,
          value: formatMicros(pending.units * fundAssets.navMicros),
          items: pending.rows.map((row) => ({
            ...openView(row, fundAssets.navMicros, wallets),
            submitted_at: row.submitted_at.toISOString(),
          })),
        },
        next_due_at: new Date(at.getTime() + payoutDelayMs).toISOString(),
        proposed: proposed === undefined ? null : proposedView(proposed),
      }
    },
  }
}

/** Lower-case wallets by member. */
type Wallets = ReadonlyMap<bigint, string>

function openView({ redemption_id, member_id, units }: RedemptionRow, navMicros: Micros, wallets: Wallets) {
  return {
    redemption_id: `${redemption_id}`,
    member_id: `${member_id}`,
    units: `${units}`,
    address: getAddress(wallets.get(member_id)!),
    value: formatMicros(units * navMicros),
  }
}

/** Returns the approved redemptions in order, each with the cash missing for it and those before it. */
function queuedViews(
  queue: readonly RedemptionRow[],
  fundAssets: FundAssets,
  wallets: Wallets,
  { at, isStopped }: { at: Date; isStopped: boolean },
): FundDesk['redemptions'] {
  const waitsFor = ({ due_at }: RedemptionRow) => {
    if (due_at! > at) return 'time' as const
    return isStopped ? ('valuation' as const) : ('cash' as const)
  }
  let needed = 0n
  return queue.map((row, index) => {
    needed += row.units * fundAssets.navMicros
    return {
      ...openView(row, fundAssets.navMicros, wallets),
      place: index + 1,
      cash_needed: formatMicros(max(0n, needed - freeCash(fundAssets))),
      approved_at: row.audited_at!.toISOString(),
      due_at: row.due_at!.toISOString(),
      waits_for: waitsFor(row),
    }
  })
}

type Titles = ReadonlyMap<number, string>

function investmentView(row: InvestmentRow, titles: Titles): FundInvestment {
  return {
    investment_id: `${row.investment_id}`,
    state: row.state,
    destination: row.destination,
    cost: formatMicros(row.cost_micros),
    value: formatMicros(row.value_micros),
    evidence: evidenceOf(row, titles),
    announced_at: row.announced_at.toISOString(),
    invested_at: row.invested_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function valuationView(row: ValuationRow, titles: Titles): FundValuation {
  return {
    valuation_id: `${row.valuation_id}`,
    kind: row.kind,
    value: formatMicros(row.value_micros),
    amount: row.amount_micros === null ? null : formatMicros(row.amount_micros),
    held_at: row.held_at,
    evidence: evidenceOf(row, titles),
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

function evidenceOf(
  { document_id, document_hash }: Pick<ValuationRow, 'document_id' | 'document_hash'>,
  titles: Titles,
) {
  if (document_id === null) return null
  return { document_id: `${document_id}`, title: titles.get(document_id)!, hash: document_hash! }
}
