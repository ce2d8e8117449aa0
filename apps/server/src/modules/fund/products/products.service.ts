import type { FileData, FundNav, FundProduct, FundProductDetail, Locale } from '@rif/api-schema'
import {
  changePpm,
  type Day,
  DEFAULT_SOLD_PPM,
  dayOf,
  type FundTerms,
  formatMicros,
  isAmount,
  isNavStale,
  LOWEST_NAV_MICROS,
  MAX_MICROS,
  type Micros,
  minimumUnits,
  nextRedeemableDay,
  ONE_PPM,
  type Plan,
  type Ppm,
  type UnitLimits,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import { type DocumentDraft, storeDocument } from '../investing/evidence.ts'
import { stoppedProducts } from '../investing/valuations.repository.ts'
import type { NavRow, ProductRow, Texts } from './products.repository.ts'
import * as repository from './products.repository.ts'

/** A product as prepared by an admin. Its terms never change afterwards. */
export interface ProductDraft {
  readonly name: string
  readonly introduction: Texts
  readonly riskLevel: number
  readonly estimatedAnnualReturnPpm: Ppm
  readonly terms: FundTerms
  /** The price of the first units. */
  readonly openingMicros: Micros
  readonly limits?: UnitLimits | undefined
  readonly documents: readonly DocumentDraft[]
  readonly actor: string
}

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly adminLog: AdminLogService
}

export type FundProducts = ReturnType<typeof createFundProducts>

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const DEFAULT_LIMITS: UnitLimits = { maxMemberUnits: null, maxUnits: null, soldPpm: DEFAULT_SOLD_PPM }

/** Creates the products of the fund: prepared by one admin, approved by another. Rules, section 8. */
export function createFundProducts({ now, ledger, plans, adminLog }: Deps) {
  async function planNow(db: Db): Promise<Plan> {
    return plans.planAt(db, dayOf(now().getTime()))
  }

  /** Locks a product that must be in a given state of approval. */
  async function lockForReview(
    dbTx: Db,
    productId: bigint,
    actor: string,
    preparedBy: (row: ProductRow) => string | null,
  ) {
    const product = await repository.lockProduct(dbTx, productId)
    if (product === undefined) throw new AppError('PRODUCT_NOT_FOUND')
    const first = preparedBy(product)
    if (first === null) throw new AppError('NOTHING_TO_REVIEW')
    if (first === actor) throw new AppError('FORBIDDEN')
    return product
  }

  return {
    /**
     * Prepares a product. Throws PRODUCT_EXISTS, INVALID_AMOUNT (minimum, opening price, limits) and
     * VALIDATION_FAILED (other terms).
     */
    async prepare(dbTx: Db, draft: ProductDraft): Promise<{ productId: bigint }> {
      const { terms, actor, documents, limits = DEFAULT_LIMITS } = draft
      const problem = termsProblem(draft)
      // Checked after the name, because PRODUCT_EXISTS comes first.
      const openingMicros = problem === null ? draft.openingMicros : LOWEST_NAV_MICROS
      const productId = await repository.insertProduct(dbTx, {
        name: draft.name,
        introduction: JSON.stringify(draft.introduction),
        risk_level: draft.riskLevel,
        estimated_annual_return_ppm: draft.estimatedAnnualReturnPpm,
        opening_micros: openingMicros,
        nav_micros: openingMicros,
        ...(problem === null && {
          max_member_units: limits.maxMemberUnits,
          max_units: limits.maxUnits,
          sold_ppm: limits.soldPpm,
        }),
        minimum_micros: problem === null ? terms.minimumMicros : 0n,
        lock_days: terms.lockDays,
        redeemable_weekdays: [...terms.redeemableWeekdays],
        subscription_ppm: terms.subscriptionPpm,
        redemption_ppm: terms.redemptionPpm,
        management_ppm: terms.managementPpm,
        prepared_by: actor,
        prepared_at: now(),
      })
      if (productId === null) throw new AppError('PRODUCT_EXISTS')
      if (problem !== null) throw problem
      await ledger.pools.openCustody(dbTx, productId)
      for (const document of documents) await storeDocument(dbTx, productId, document, 'terms')
      const { minimumMicros, ...figures } = terms
      await adminLog.record(dbTx, {
        actor,
        action: 'fund.product.prepare',
        subject: `fund/${productId}`,
        after: {
          name: draft.name,
          ...figures,
          minimum: formatMicros(minimumMicros),
          opening: formatMicros(openingMicros),
        },
      })
      return { productId }
    },

    /** Opens a prepared product. Throws PRODUCT_NOT_FOUND, NOTHING_TO_REVIEW, and FORBIDDEN for the admin who prepared it. */
    async approve(dbTx: Db, { productId, actor }: { productId: bigint; actor: string }): Promise<void> {
      const { nav_micros } = await lockForReview(dbTx, productId, actor, (row) =>
        row.state === 'draft' ? row.prepared_by : null,
      )
      const at = now()
      await repository.updateProduct(dbTx, productId, { state: 'open', approved_by: actor, approved_at: at })
      await repository.insertNav(dbTx, {
        product_id: productId,
        nav_micros,
        cause: 'opening',
        published_at: at,
        cash_micros: 0n,
        invested_micros: 0n,
        units: 0n,
      })
      await adminLog.record(dbTx, { actor, action: 'fund.product.approve', subject: `fund/${productId}` })
    },

    /**
     * Proposes to stop or resume selling a product; redeeming continues in both cases. Throws
     * PRODUCT_NOT_FOUND, and PRODUCT_CLOSED if it is closed for good.
     */
    async proposeState(
      dbTx: Db,
      { productId, state, actor }: { productId: bigint; state: 'open' | 'closed'; actor: string },
    ): Promise<void> {
      const product = await repository.lockProduct(dbTx, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      if (isClosedForGood(product)) throw new AppError('PRODUCT_CLOSED')
      await repository.updateProduct(dbTx, productId, { proposed_state: state, proposed_by: actor })
      await adminLog.record(dbTx, {
        actor,
        action: 'fund.product.propose',
        subject: `fund/${productId}`,
        before: { state: product.state },
        after: { state },
      })
    },

    /** Applies a proposed state. Throws as `approve` does. */
    async approveState(dbTx: Db, { productId, actor }: { productId: bigint; actor: string }): Promise<void> {
      const product = await lockForReview(dbTx, productId, actor, (row) => row.proposed_by)
      const state = product.proposed_state!
      await repository.updateProduct(dbTx, productId, {
        state,
        closed_reason: state === 'closed' ? 'operator' : null,
        proposed_state: null,
        proposed_by: null,
      })
      await adminLog.record(dbTx, {
        actor,
        action: `fund.product.${state}`,
        subject: `fund/${productId}`,
      })
    },

    /** Returns an approved product. Throws PRODUCT_NOT_FOUND. */
    async get(db: Db, productId: bigint): Promise<ProductRow> {
      const product = await repository.findProduct(db, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      return product
    },

    /** Does the same with the product's row locked. */
    async lock(dbTx: Db, productId: bigint): Promise<ProductRow> {
      const product = await repository.lockProduct(dbTx, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      return product
    },

    /** Changes the queue of a locked product. */
    queue: (
      dbTx: Db,
      productId: bigint,
      counters: Partial<Pick<ProductRow, 'units_approved' | 'redemptions_approved' | 'redemptions_waiting'>>,
    ): Promise<void> => repository.updateProduct(dbTx, productId, counters),

    /** Returns all approved products by id. */
    async all(db: Db): Promise<ReadonlyMap<bigint, ProductRow>> {
      const rows = await repository.approvedProducts(db)
      return new Map(rows.map((row) => [row.product_id, row]))
    },

    /** Returns all approved products in a language. */
    async list(db: Db, locale: Locale): Promise<FundProduct[]> {
      const at = now()
      const [rows, plan, navs, yearAgo, stopped] = await Promise.all([
        repository.approvedProducts(db),
        planNow(db),
        repository.lastNavs(db),
        repository.firstNavsSince(db, new Date(at.getTime() - YEAR_MS)),
        stoppedProducts(db, at),
      ])
      return rows.map((row) =>
        productView(row, {
          locale,
          at,
          plan,
          nav: navs.get(row.product_id)!,
          isStopped: stopped.has(row.product_id),
          first: yearAgo.get(row.product_id),
        }),
      )
    },

    /** Returns a product with its details. Throws PRODUCT_NOT_FOUND. */
    async detail(db: Db, productId: bigint, locale: Locale): Promise<Omit<FundProductDetail, 'books'>> {
      const product = await this.get(db, productId)
      const items = await this.list(db, locale)
      const documents = await repository.documentsOf(db, productId)
      return {
        ...items.find((item) => item.product_id === `${productId}`)!,
        documents: documents.map((row) => ({ ...row, document_id: `${row.document_id}` })),
        outstanding_value: formatMicros(product.nav_micros * product.units_outstanding),
        queue_length: Number(product.redemptions_waiting),
      }
    },

    /** Returns a NAV per day over the last days, oldest first. Throws PRODUCT_NOT_FOUND. */
    async history(db: Db, productId: bigint, days: number): Promise<FundNav[]> {
      await this.get(db, productId)
      const rows = await repository.navHistory(db, productId, new Date(now().getTime() - days * DAY_MS))
      return rows.map((row) => ({
        nav: formatMicros(row.nav_micros),
        published_at: row.published_at.toISOString(),
      }))
    },

    /** Returns a product's document. Throws PRODUCT_NOT_FOUND, NOT_FOUND. */
    async document(db: Db, productId: bigint, documentId: bigint): Promise<FileData> {
      await this.get(db, productId)
      const isNumber = documentId <= BigInt(2 ** 15 - 1)
      const document = isNumber && (await repository.findDocument(db, productId, Number(documentId)))
      if (!document) throw new AppError('NOT_FOUND')
      return {
        filename: document.title,
        media_type: document.media_type,
        hash: document.hash,
        base64: document.content.toString('base64'),
      }
    },
  }
}

/** Reports whether a loss, or an investment that ended without holders, has closed a product. */
export function isClosedForGood({ closed_reason }: Pick<ProductRow, 'closed_reason'>): boolean {
  return closed_reason === 'loss' || closed_reason === 'empty'
}

function termsProblem({ terms, openingMicros, limits }: ProductDraft): AppError | null {
  const { maxMemberUnits = null, maxUnits = null } = limits ?? {}
  const caps = [maxMemberUnits, maxUnits].filter((cap) => cap !== null)
  if (!isAmount(openingMicros) || openingMicros < LOWEST_NAV_MICROS || !caps.every(isAmount))
    return new AppError('INVALID_AMOUNT')
  if (terms.minimumMicros < 0n || (terms.minimumMicros > 0n && !isAmount(terms.minimumMicros)))
    return new AppError('INVALID_AMOUNT')
  const rates = [terms.subscriptionPpm, terms.redemptionPpm, terms.managementPpm, limits?.soldPpm ?? 0]
  if (rates.some((rate) => !Number.isInteger(rate) || rate < 0 || rate > ONE_PPM))
    return new AppError('VALIDATION_FAILED', { field: 'fees' })
  return null
}

/** Returns a product in the API's format: its terms and the actual change of its NAV. */
function productView(
  product: ProductRow,
  parts: {
    locale: Locale
    at: Date
    plan: Plan
    nav: NavRow
    isStopped: boolean
    first: NavRow | undefined
  },
): FundProduct {
  const { locale, at, plan, nav, isStopped, first } = parts
  const terms = repository.productTermsOf(product)
  const today: Day = dayOf(at.getTime())
  const hasReturn = first !== undefined && first.published_at < nav.published_at
  const fewest = product.nav_micros === 0n ? null : minimumUnits(product.nav_micros, terms)
  const isStale = isNavStale(
    { isInvested: product.is_invested, valuedAtMs: product.valued_at?.getTime() ?? null },
    at.getTime(),
    plan,
  )
  return {
    product_id: `${product.product_id}`,
    name: product.name,
    introduction: product.introduction[locale] ?? product.introduction.en,
    state: product.state === 'open' ? 'open' : 'closed',
    risk_level: product.risk_level,
    estimated_annual_return_ppm: product.estimated_annual_return_ppm,
    return_year_ppm: hasReturn ? changePpm(first.nav_micros, nav.nav_micros) : null,
    return_since: hasReturn ? first.published_at.toISOString() : null,
    nav: formatMicros(product.nav_micros),
    nav_published_at: nav.published_at.toISOString(),
    nav_stale: isStale || isStopped,
    minimum_usd: formatMicros(terms.minimumMicros),
    minimum_units: fewest === null || fewest > MAX_MICROS / 10n ? null : `${fewest}`,
    lock_days: terms.lockDays,
    redeemable_weekdays: [...terms.redeemableWeekdays],
    next_redeemable_day: nextRedeemableDay(today, terms),
    subscription_fee_ppm: terms.subscriptionPpm,
    redemption_fee_ppm: terms.redemptionPpm,
    management_fee_ppm: terms.managementPpm,
  }
}
