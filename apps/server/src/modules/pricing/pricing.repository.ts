import type { Day, Micros } from '@rif/rules'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Prices } from '../../db/types.gen.ts'

/** The assets that have a price in USDT. */
export type PricedAsset = 'AMC' | 'RIF'

/** A published price in USDT micro-units per whole unit. */
export interface Price {
  readonly priceMicros: Micros
  readonly validFrom: Date
}

/** Returns the last price valid at a time, or null when none was published. */
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

/** Returns the last price valid before the end of each day, without days that have none. */
export async function dailyPrices(
  db: Db,
  asset: PricedAsset,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, Micros>> {
  const { rows } = await sql<{ day: Day; price: Micros }>`
    select wanted.day, last.price_micros as price
    from unnest(${days}::date[]) as wanted (day)
    cross join lateral (
      select price_micros from prices
      where asset = ${asset} and valid_from < (wanted.day + 1)::timestamp at time zone 'UTC'
      order by valid_from desc, price_id desc limit 1
    ) as last`.execute(db)
  return new Map(rows.map((row) => [row.day, row.price]))
}

export async function insert(db: Db, price: Insertable<Prices>): Promise<void> {
  await db.insertInto('prices').values(price).execute()
}
