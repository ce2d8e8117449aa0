import type { Micros } from '@rif/rules'
import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Prices } from '../../db/types.gen.ts'

/** The assets that have a price in USDT. */
export type PricedAsset = 'AMC' | 'RIF'

/** A published price in USDT micro-units per whole unit. */
export interface Price {
  readonly priceMicros: Micros
  readonly validFrom: Date
}

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

export async function insert(db: Db, price: Insertable<Prices>): Promise<void> {
  await db.insertInto('prices').values(price).execute()
}
