import { createHash } from 'node:crypto'
import type { FileData, FundNav, FundProduct, FundProductDetail, Locale } from '@rif/api-schema'
import {
  changePpm,
  type Day,
  dayOf,
  type FundTerms,
  formatMicros,
  isAmount,
  isNavStale,
  MAX_MICROS,
  minimumUnits,
  nextRedeemableDay,
  ONE_PPM,
  type Plan,
  type Ppm,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../admin-log/admin-log.service.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { NavRow, ProductRow, Texts } from './products.repository.ts'
import * as repository from './products.repository.ts'

/** A product as an admin prepares it. Its terms never change afterwards. */
export interface ProductDraft {
  readonly name: string
  readonly introduction: Texts
  readonly riskLevel: number
  readonly estimatedAnnualReturnPpm: Ppm
  readonly terms: FundTerms
  readonly documents: readonly {
    readonly title: string
    readonly mediaType: string
    readonly content: Buffer
  }[]
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

/** The products of the fund: prepared by one admin, approved by another. Rules, section 8. */
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
    /** Throws PRODUCT_EXISTS, INVALID_AMOUNT (the minimum) and VALIDATION_FAILED (other terms). */
    async prepare(dbTx: Db, draft: ProductDraft): Promise<{ productId: bigint }> {
      const { terms, actor, documents } = draft
      const problem = termsProblem(terms)
      const productId = await repository.insertProduct(dbTx, {
        name: draft.name,
        introduction: JSON.stringify(draft.introduction),
        risk_level: draft.riskLevel,
        estimated_annual_return_ppm: draft.estimatedAnnualReturnPpm,
        // Judged after the name: PRODUCT_EXISTS comes first.
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
      await ledger.openCustody(dbTx, productId)
      for (const [index, { title, mediaType, content }] of documents.entries()) {
        const hash = `0x${createHash('sha256').update(content).digest('hex')}`
        const document = { product_id: productId, title, media_type: mediaType, hash, content }
        await repository.insertDocument(dbTx, document, index + 1)
      }
      const { minimumMicros, ...figures } = terms
      await adminLog.record(dbTx, {
        ...{ actor, action: 'fund.product.prepare', subject: `fund/${productId}` },
        after: { name: draft.name, ...figures, minimum: formatMicros(minimumMicros) },
      })
      return { productId }
    },

    /** Opens a prepared product. Throws PRODUCT_NOT_FOUND, NOTHING_TO_REVIEW, and FORBIDDEN for the admin who prepared it. */
    async approve(dbTx: Db, { productId, actor }: { productId: bigint; actor: string }): Promise<void> {
      await lockForReview(dbTx, productId, actor, (row) => (row.state === 'draft' ? row.prepared_by : null))
      await repository.updateProduct(dbTx, productId, {
        state: 'open',
        approved_by: actor,
        approved_at: now(),
      })
      await adminLog.record(dbTx, { actor, action: 'fund.product.approve', subject: `fund/${productId}` })
    },

    /** Proposes to stop or resume selling a product; redeeming goes on in any case. Throws PRODUCT_NOT_FOUND. */
    async proposeState(
      dbTx: Db,
      { productId, state, actor }: { productId: bigint; state: 'open' | 'closed'; actor: string },
    ): Promise<void> {
      const product = await repository.lockProduct(dbTx, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      await repository.updateProduct(dbTx, productId, { proposed_state: state, proposed_by: actor })
      await adminLog.record(dbTx, {
        ...{ actor, action: 'fund.product.propose', subject: `fund/${productId}` },
        before: { state: product.state },
        after: { state },
      })
    },

    /** Carries a proposed state out. Throws as `approve` does. */
    async approveState(dbTx: Db, { productId, actor }: { productId: bigint; actor: string }): Promise<void> {
      const product = await lockForReview(dbTx, productId, actor, (row) => row.proposed_by)
      const state = product.proposed_state!
      await repository.updateProduct(dbTx, productId, { state, proposed_state: null, proposed_by: null })
      await adminLog.record(dbTx, {
        ...{ actor, action: `fund.product.${state}`, subject: `fund/${productId}` },
      })
    },

    /** An approved product. Throws PRODUCT_NOT_FOUND. */
    async get(db: Db, productId: bigint): Promise<ProductRow> {
      const product = await repository.findProduct(db, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      return product
    },

    /** The same, with the product's row locked. */
    async lock(dbTx: Db, productId: bigint): Promise<ProductRow> {
      const product = await repository.lockProduct(dbTx, productId)
      if (product === undefined || product.state === 'draft') throw new AppError('PRODUCT_NOT_FOUND')
      return product
    },

    /** Changes a locked product's counters. */
    count: (
      dbTx: Db,
      productId: bigint,
      counters: { units_outstanding?: bigint; redemptions_approved?: bigint; redemptions_paid?: bigint },
    ): Promise<void> => repository.updateProduct(dbTx, productId, counters),

    /** All approved products by id. */
    async all(db: Db): Promise<ReadonlyMap<bigint, ProductRow>> {
      const rows = await repository.approvedProducts(db)
      return new Map(rows.map((row) => [row.product_id, row]))
    },

    /** All approved products for a reader of a language. */
    async list(db: Db, locale: Locale): Promise<FundProduct[]> {
      const at = now()
      const [rows, plan, navs, yearAgo] = await Promise.all([
        repository.approvedProducts(db),
        planNow(db),
        repository.lastNavs(db),
        repository.firstNavsSince(db, new Date(at.getTime() - YEAR_MS)),
      ])
      return rows.map((row) =>
        productView(row, {
          locale,
          at,
          plan,
          nav: navs.get(row.product_id),
          first: yearAgo.get(row.product_id),
        }),
      )
    },

    /** Throws PRODUCT_NOT_FOUND. */
    async detail(db: Db, productId: bigint, locale: Locale): Promise<FundProductDetail> {
      const product = await this.get(db, productId)
      const items = await this.list(db, locale)
      const documents = await repository.documentsOf(db, productId)
      const nav = await repository.lastNav(db, productId)
      const isAttested = nav !== undefined && nav.assets_micros !== null
      return {
        ...items.find((item) => item.product_id === `${productId}`)!,
        documents: documents.map((row) => ({ ...row, document_id: `${row.document_id}` })),
        attested_assets: isAttested ? formatMicros(nav.assets_micros!) : null,
        outstanding_value: nav ? formatMicros(nav.nav_micros * product.units_outstanding) : null,
        queue_length: Number(product.redemptions_approved - product.redemptions_paid),
      }
    },

    /** A NAV per day over the last days, oldest first. Throws PRODUCT_NOT_FOUND. */
    async history(db: Db, productId: bigint, days: number): Promise<FundNav[]> {
      await this.get(db, productId)
      const rows = await repository.navHistory(db, productId, new Date(now().getTime() - days * DAY_MS))
      return rows.map((row) => ({
        nav: formatMicros(row.nav_micros),
        published_at: row.published_at.toISOString(),
      }))
    },

    /** A product's document. Throws PRODUCT_NOT_FOUND, NOT_FOUND. */
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

function termsProblem(terms: FundTerms): AppError | null {
  if (terms.minimumMicros < 0n || (terms.minimumMicros > 0n && !isAmount(terms.minimumMicros)))
    return new AppError('INVALID_AMOUNT')
  const rates = [terms.subscriptionPpm, terms.redemptionPpm, terms.managementPpm]
  if (rates.some((rate) => !Number.isInteger(rate) || rate < 0 || rate > ONE_PPM))
    return new AppError('VALIDATION_FAILED', { field: 'fees' })
  return null
}

/** Returns a product as the API writes it: its terms and the real change of its NAV. */
function productView(
  product: ProductRow,
  parts: { locale: Locale; at: Date; plan: Plan; nav: NavRow | undefined; first: NavRow | undefined },
): FundProduct {
  const { locale, at, plan, nav, first } = parts
  const terms = repository.termsOf(product)
  const today: Day = dayOf(at.getTime())
  const hasReturn = nav !== undefined && first !== undefined && first.published_at < nav.published_at
  const fewest = nav === undefined ? null : minimumUnits(nav.nav_micros, terms)
  return {
    product_id: `${product.product_id}`,
    name: product.name,
    introduction: product.introduction[locale] ?? product.introduction.en,
    state: product.state === 'open' ? 'open' : 'closed',
    risk_level: product.risk_level,
    estimated_annual_return_ppm: product.estimated_annual_return_ppm,
    return_year_ppm: hasReturn ? changePpm(first.nav_micros, nav.nav_micros) : null,
    return_since: hasReturn ? first.published_at.toISOString() : null,
    nav: nav === undefined ? null : formatMicros(nav.nav_micros),
    nav_published_at: nav?.published_at.toISOString() ?? null,
    nav_stale: nav === undefined || isNavStale(nav.published_at.getTime(), at.getTime(), plan),
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
