import type { FundAssets, FundTerms, Micros, UnitLimits } from '@rif/rules'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { bigint, plain, rowsJson } from '../../../db/read.ts'
import type { FundDocuments, FundNavs, FundProducts } from '../../../db/types.gen.ts'

/** Texts by language; English is always present. */
export type Texts = { readonly en: string } & Readonly<Partial<Record<'zh-Hans' | 'ja' | 'ko', string>>>

export type ProductRow = Omit<Selectable<FundProducts>, 'introduction'> & { readonly introduction: Texts }

/** A NAV of a product's history. */
export interface NavRow {
  readonly product_id: bigint
  readonly nav_micros: bigint
  readonly published_at: Date
}

/** The event for which a NAV was computed. */
export type NavCause = FundNavs['cause']

export interface DocumentRow {
  readonly document_id: number
  readonly title: string
  readonly media_type: string
  readonly hash: string
  readonly bytes: number
}

/** Returns the terms from a product's row in the form that the rules use. */
export function productTermsOf(product: ProductRow): FundTerms {
  return {
    minimumMicros: product.minimum_micros,
    lockDays: product.lock_days,
    redeemableWeekdays: product.redeemable_weekdays,
    subscriptionPpm: product.subscription_ppm,
    redemptionPpm: product.redemption_ppm,
    managementPpm: product.management_ppm,
  }
}

/** Returns the limits from a product's row in the form that the rules use. */
export function limitsOf(product: ProductRow): UnitLimits {
  return {
    maxMemberUnits: product.max_member_units,
    maxUnits: product.max_units,
    soldPpm: product.sold_ppm,
  }
}

/** Returns the assets from a product's row and its cash in the form that the rules use. */
export function assetsOf(product: ProductRow, cashMicros: Micros): FundAssets {
  return {
    cashMicros,
    announcedMicros: product.announced_micros,
    investedMicros: product.invested_micros,
    isInvested: product.is_invested,
    beganNavMicros: product.began_nav_micros,
    units: product.units_outstanding,
    approvedUnits: product.units_approved,
    navMicros: product.nav_micros,
    openingMicros: product.opening_micros,
    isClosed: product.closed_reason === 'loss' || product.closed_reason === 'empty',
  }
}

/** Returns the columns that hold assets, except the cash, which the ledger has. */
export function columnsOf(assets: FundAssets) {
  return {
    announced_micros: assets.announcedMicros,
    invested_micros: assets.investedMicros,
    is_invested: assets.isInvested,
    began_nav_micros: assets.beganNavMicros,
    units_outstanding: assets.units,
    units_approved: assets.approvedUnits,
    nav_micros: assets.navMicros,
  }
}

/** Returns the approved products, oldest first. */
export async function approvedProducts(db: Db): Promise<ProductRow[]> {
  const rows = await db
    .selectFrom('fund_products')
    .selectAll()
    .where('state', '<>', 'draft')
    .orderBy('product_id')
    .execute()
  return rows as ProductRow[]
}

export async function findProduct(db: Db, productId: bigint): Promise<ProductRow | undefined> {
  const row = await db
    .selectFrom('fund_products')
    .selectAll()
    .where('product_id', '=', productId)
    .executeTakeFirst()
  return row as ProductRow | undefined
}

/** Locks a product, after the lock of volumes and before any pool. */
export async function lockProduct(dbTx: Db, productId: bigint): Promise<ProductRow | undefined> {
  const row = await dbTx
    .selectFrom('fund_products')
    .selectAll()
    .where('product_id', '=', productId)
    .forUpdate()
    .executeTakeFirst()
  return row as ProductRow | undefined
}

/** Inserts a product. Returns null if the name exists. */
export async function insertProduct(dbTx: Db, product: Insertable<FundProducts>): Promise<bigint | null> {
  const row = await dbTx
    .insertInto('fund_products')
    .values(product)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('product_id')
    .executeTakeFirst()
  return row?.product_id ?? null
}

/** Changes a product; the caller has locked it. */
export async function updateProduct(
  dbTx: Db,
  productId: bigint,
  changes: Updateable<FundProducts>,
): Promise<void> {
  await dbTx.updateTable('fund_products').set(changes).where('product_id', '=', productId).execute()
}

export async function insertDocument(
  dbTx: Db,
  document: Omit<Insertable<FundDocuments>, 'document_id'>,
  documentId: number,
): Promise<void> {
  await dbTx
    .insertInto('fund_documents')
    .values({ ...document, document_id: documentId })
    .execute()
}

/** Returns the number of a product's next document. The product is locked. */
export async function nextDocumentId(dbTx: Db, productId: bigint): Promise<number> {
  const row = await dbTx
    .selectFrom('fund_documents')
    .select((eb) => eb.fn.max('document_id').as('last'))
    .where('product_id', '=', productId)
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

export async function documentsOf(db: Db, productId: bigint): Promise<DocumentRow[]> {
  return db
    .selectFrom('fund_documents')
    .select(['document_id', 'title', 'media_type', 'hash', sql<number>`length(content)`.as('bytes')])
    .where('product_id', '=', productId)
    .where('purpose', '=', 'terms')
    .orderBy('document_id')
    .execute()
}

/** Returns the titles of the documents that show a product's investments and values, by number. */
export async function evidenceTitles(db: Db, productId: bigint): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('fund_documents')
    .select(['document_id', 'title'])
    .where('product_id', '=', productId)
    .where('purpose', '=', 'evidence')
    .execute()
  return new Map(rows.map(({ document_id, title }) => [document_id, title]))
}

export async function findDocument(
  db: Db,
  productId: bigint,
  documentId: number,
): Promise<{ title: string; media_type: string; hash: string; content: Buffer } | undefined> {
  return db
    .selectFrom('fund_documents')
    .select(['title', 'media_type', 'hash', 'content'])
    .where('product_id', '=', productId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()
}

export async function insertNav(dbTx: Db, nav: Insertable<FundNavs>): Promise<bigint> {
  const row = await dbTx.insertInto('fund_navs').values(nav).returning('nav_id').executeTakeFirstOrThrow()
  return row.nav_id
}

/** Returns the last NAV of each product, optionally before a time. One index look-up per product. */
export async function lastNavs(db: Db, before?: Date): Promise<ReadonlyMap<bigint, NavRow>> {
  const limit = before === undefined ? sql`true` : sql`published_at < ${before}`
  const { rows } = await sql<NavRow>`
    select nav.* from fund_products as p cross join lateral (
      select product_id, nav_micros, published_at from fund_navs
      where product_id = p.product_id and ${limit}
      order by published_at desc, nav_id desc limit 1) as nav`.execute(db)
  return new Map(rows.map((row) => [row.product_id, row]))
}

/** An approved product with its current quote. */
export const QUOTED = {
  productId: plain('p.product_id::text'),
  state: plain('p.state'),
  redemptionPpm: plain<number>('p.redemption_ppm'),
  navMicros: bigint('p.nav_micros'),
}

/** Returns all approved products with their current quotes, which are the same for every member. */
export const quotedForAll = (): RawBuilder<unknown> => sql`
  select null::bigint as member_id, ${rowsJson(QUOTED)} as value
  from fund_products as p where p.state <> 'draft'`

/** Returns the last NAV of a product. */
export async function lastNav(db: Db, productId: bigint): Promise<NavRow | undefined> {
  return db
    .selectFrom('fund_navs')
    .select(['product_id', 'nav_micros', 'published_at'])
    .where('product_id', '=', productId)
    .orderBy('published_at', 'desc')
    .orderBy('nav_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the first NAV of each product at or after a time, the start of a year's return. */
export async function firstNavsSince(db: Db, since: Date): Promise<ReadonlyMap<bigint, NavRow>> {
  const { rows } = await sql<NavRow>`
    select nav.* from fund_products as p cross join lateral (
      select product_id, nav_micros, published_at from fund_navs
      where product_id = p.product_id and published_at >= ${since}
      order by published_at, nav_id limit 1) as nav`.execute(db)
  return new Map(rows.map((row) => [row.product_id, row]))
}

/** Returns the last NAV of each UTC day since a time, oldest first. */
export async function navHistory(
  db: Db,
  productId: bigint,
  since: Date,
): Promise<{ nav_micros: bigint; published_at: Date }[]> {
  const { rows } = await sql<{ nav_micros: bigint; published_at: Date }>`
    select distinct on ((published_at at time zone 'UTC')::date) nav_micros, published_at from fund_navs
    where product_id = ${productId} and published_at >= ${since}
    order by (published_at at time zone 'UTC')::date, published_at desc, nav_id desc`.execute(db)
  return rows
}
