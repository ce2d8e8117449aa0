import type { Day, Micros } from '@rif/rules'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { DisplayRates } from '../../../db/types.gen.ts'

/** A publication for a currency. Without a rate, a day and a source it is a withdrawal. */
export interface RateRow {
  readonly rateId: bigint
  readonly currency: string
  /** Micro-units of the currency for one USDT. */
  readonly rateMicros: Micros | null
  readonly rateDay: Day | null
  readonly source: string | null
  readonly publishedAt: Date
}

/** A rate that is valid: not withdrawn. */
export interface CurrentRate extends RateRow {
  readonly rateMicros: Micros
  readonly rateDay: Day
  readonly source: string
}

const COLUMNS = sql`rate_id as "rateId", currency, rate_micros as "rateMicros", rate_day::text as "rateDay", source,
  published_at as "publishedAt"`

/** Returns the last rate of each currency that is not withdrawn, by its code. */
export async function current(db: Db): Promise<CurrentRate[]> {
  const { rows } = await sql<CurrentRate>`
    select * from (
      select distinct on (currency) ${COLUMNS} from display_rates order by currency, rate_id desc
    ) as last
    where "rateMicros" is not null order by currency`.execute(db)
  return rows
}

/** Returns the last rate of a currency, even after its withdrawal; undefined if there was none. */
export async function lastRate(db: Db, currency: string): Promise<CurrentRate | undefined> {
  const { rows } = await sql<CurrentRate>`
    select ${COLUMNS} from display_rates
    where currency = ${currency} and rate_micros is not null order by rate_id desc limit 1`.execute(db)
  return rows[0]
}

/** Returns the publications for a currency, newest first, before an id. */
export async function publishedRates(
  db: Db,
  currency: string,
  { before, limit }: { before?: bigint | undefined; limit: number },
): Promise<RateRow[]> {
  const older = before === undefined ? sql`true` : sql`rate_id < ${before}`
  const { rows } = await sql<RateRow>`
    select ${COLUMNS} from display_rates
    where currency = ${currency} and ${older} order by rate_id desc limit ${limit}`.execute(db)
  return rows
}

/** Makes other publications for the currency wait until the transaction ends. */
export async function lockCurrency(dbTx: Db, currency: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`display-rate/${currency}`}, 0))`.execute(dbTx)
}

export async function insertRate(dbTx: Db, rate: Insertable<DisplayRates>): Promise<void> {
  await dbTx.insertInto('display_rates').values(rate).execute()
}
