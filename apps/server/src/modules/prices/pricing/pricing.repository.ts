import type { Day, Micros } from '@rif/rules'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { bigint, plain, rowsJson } from '../../../db/read.ts'
import type { Prices } from '../../../db/types.gen.ts'

/** The assets that have a price in USDT. */
export type PricedAsset = 'AMC' | 'RIF'

/** A published price in USDT micro-units per whole unit. */
export interface Price {
  readonly priceMicros: Micros
  readonly validFrom: Date
}

/** A published price with its source. */
export interface PublishedPrice extends Price {
  readonly priceId: bigint
  readonly source: 'operator' | 'feed' | 'oracle'
  /** The feed's name, or the address of the oracle; null for an operator. */
  readonly sourceName: string | null
  readonly observedAt: Date | null
  readonly approvedBy: string | null
}

const PUBLISHED = sql`price_id as "priceId", price_micros as "priceMicros", valid_from as "validFrom", source,
  source_name as "sourceName", observed_at as "observedAt", approved_by as "approvedBy"`

/** Returns the last price valid at a time, or null if none was published. */
export async function priceAt(db: Db, asset: PricedAsset, at: Date): Promise<Price | null> {
  const row = await db
    .selectFrom('prices')
    .select(['price_micros', 'valid_from'])
    .where('asset', '=', asset)
    .where('valid_from', '<=', at)
    .orderBy('valid_from', 'desc')
    .orderBy('price_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { priceMicros: row.price_micros, validFrom: row.valid_from }
}

/** The columns of `pricesAt`. */
export const LAST_PRICE = { asset: plain<PricedAsset>('asset'), priceMicros: bigint('price_micros') }

/** Returns the rows of the last prices of assets valid at a time, which are the same for all members. */
export const pricesAt = (assets: readonly PricedAsset[], at: Date): RawBuilder<unknown> => sql`
  select null::bigint as member_id, ${rowsJson(LAST_PRICE)} as value
  from unnest(${assets}::text[]) as asked (asset) cross join lateral (
    select price_micros from prices where prices.asset = asked.asset and valid_from <= ${at}
    order by valid_from desc, price_id desc limit 1
  ) as last`

/**
 * Returns the last price valid at a time that persons have approved, if it is valid from `since` or later.
 */
export async function approvedAt(
  db: Db,
  asset: PricedAsset,
  { since, at }: { since: Date; at: Date },
): Promise<Micros | null> {
  const { rows } = await sql<{ price: Micros }>`
    select price_micros as price from prices
    where asset = ${asset} and approved_by is not null and valid_from > ${since} and valid_from <= ${at}
    order by valid_from desc, price_id desc limit 1`.execute(db)
  return rows[0]?.price ?? null
}

/**
 * Returns the prices of an asset that were valid by a time, newest first, before the cursor (`valid_from` in
 * microseconds since the epoch, and the id).
 */
export async function publishedPrices(
  db: Db,
  asset: PricedAsset,
  { at, before, limit }: { at: Date; before?: readonly bigint[] | undefined; limit: number },
): Promise<(PublishedPrice & { validMicros: bigint })[]> {
  const older =
    before === undefined
      ? sql`true`
      : sql`(valid_from, price_id) < (timestamptz 'epoch' + ${`${before[0]}`}::bigint * interval '1 microsecond', ${before[1]!})`
  const { rows } = await sql<PublishedPrice & { validMicros: bigint }>`
    select ${PUBLISHED}, (extract(epoch from valid_from) * 1000000)::bigint as "validMicros" from prices
    where asset = ${asset} and valid_from <= ${at} and ${older}
    order by valid_from desc, price_id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the last price valid before the end of each day with its source, without days that have none. */
export async function dailyPrices(
  db: Db,
  asset: PricedAsset,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, PublishedPrice>> {
  const { rows } = await sql<PublishedPrice & { day: Day }>`
    select wanted.day, last.* from unnest(${days}::date[]) as wanted (day)
    cross join lateral (
      select ${PUBLISHED} from prices
      where asset = ${asset} and valid_from < (wanted.day + 1)::timestamp at time zone 'UTC'
      order by valid_from desc, price_id desc limit 1
    ) as last`.execute(db)
  return new Map(rows.map((row) => [row.day, row]))
}

/** Makes other publications of prices of the asset wait until the transaction ends. */
export async function lockAsset(dbTx: Db, asset: PricedAsset): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`price/${asset}`}, 0))`.execute(dbTx)
}

export async function insertPrice(db: Db, price: Insertable<Prices>): Promise<void> {
  await db.insertInto('prices').values(price).execute()
}
