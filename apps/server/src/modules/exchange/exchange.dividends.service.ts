import type { Dividend, Exchange } from '@rif/api-schema'
import { type Day, formatMicros, type Micros } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { SETTLEMENT_DAYS } from '../settlement/settlement.relations.ts'
import { awaitExchanges } from './exchange.repository.ts'

/** The dividends of a day as its settlement fixes them, before any is paid. */
export interface DividendDay {
  readonly day: Day
  /** The balance of the pool at the end of the day. */
  readonly poolUsdtMicros: Micros
  readonly poolAmcMicros: Micros
  /** All dividend rights at the end of the day. */
  readonly divMicros: Micros
  readonly holders: number
  /** The sum of the holders' parts. */
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly fixedAt: Date
}

interface DividendRow {
  readonly day: Day
  readonly div: Micros
  /** More than 64 bits, as a text. */
  readonly allDiv: string
  readonly poolUsdt: Micros
  readonly poolAmc: Micros
  readonly usdt: Micros
  readonly amc: Micros
}

interface PaidRow {
  readonly usdt: Micros
  readonly amc: Micros
  readonly days: number
}

/** The number of settled days that the screens show. */
const LATELY_DAYS = 30

export type Dividends = ReturnType<typeof createDividends>

/**
 * Creates the records of dividends. `@rif/rules` computes the amounts due; the settlement pays them. Rules,
 * section 11.
 */
export function createDividends() {
  return {
    awaitExchanges,

    /** Stores the dividends that a day's settlement shares out. */
    async fix(dbTx: Db, fixed: DividendDay): Promise<void> {
      await sql`
        insert into dividend_days (day, pool_usdt_micros, pool_amc_micros, div_micros, holders, usdt_micros,
          amc_micros, fixed_at)
        values (${fixed.day}, ${fixed.poolUsdtMicros}, ${fixed.poolAmcMicros}, ${fixed.divMicros}, ${fixed.holders},
          ${fixed.usdtMicros}, ${fixed.amcMicros}, ${fixed.fixedAt})`.execute(dbTx)
    },

    /** Returns the dividends fixed for a day; undefined if there is nothing to share. */
    async find(dbTx: Db, day: Day): Promise<DividendDay | undefined> {
      const { rows } = await sql<Omit<DividendDay, 'divMicros'> & { divMicros: string }>`
        select day, pool_usdt_micros as "poolUsdtMicros", pool_amc_micros as "poolAmcMicros",
          div_micros::text as "divMicros", holders::integer, usdt_micros as "usdtMicros", amc_micros as "amcMicros",
          fixed_at as "fixedAt"
        from dividend_days where day = ${day}`.execute(dbTx)
      return rows[0] && { ...rows[0], divMicros: BigInt(rows[0].divMicros) }
    },

    /**
     * Stores the records of members that were just paid: a query of (member_id, div_micros, usdt_micros,
     * amc_micros).
     */
    async record(dbTx: Db, { day, at }: { day: Day; at: Date }, paid: RawBuilder<unknown>): Promise<void> {
      await sql`
        insert into dividends (member_id, day, div_micros, usdt_micros, amc_micros, paid_at)
        select member_id, ${day}::date, div_micros, usdt_micros, amc_micros, ${at}::timestamptz
        from (${paid}) as paid`.execute(dbTx)
    },

    /** Returns the total that a member was paid. */
    async received(db: Db, memberId: bigint): Promise<Exchange['received']> {
      const { rows } = await sql<PaidRow>`
        select coalesce(sum(usdt_micros), 0)::bigint as usdt, coalesce(sum(amc_micros), 0)::bigint as amc,
          count(*)::integer as days
        from dividends where member_id = ${memberId}`.execute(db)
      return paidView(rows[0]!)
    },

    /** Returns the dividends of all members over the last 30 settled days. */
    async paidLately(db: Db): Promise<Exchange['paid_30d']> {
      const { rows } = await sql<PaidRow>`
        select coalesce(sum(usdt_micros), 0)::bigint as usdt, coalesce(sum(amc_micros), 0)::bigint as amc,
          count(*)::integer as days
        from dividend_days where day > (select max(day) from ${SETTLEMENT_DAYS} as begun) - ${LATELY_DAYS}::integer`.execute(
        db,
      )
      return paidView(rows[0]!)
    },

    /** Returns a page of a member's dividends, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: Dividend[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const earlier =
        before === undefined
          ? sql``
          : sql`and day < '2000-01-01'::date + ${Number(before % MAX_DAYS)}::integer`
      const { rows } = await sql<DividendRow & { number: number }>`
        select p.*, d.div_micros::text as "allDiv", d.pool_usdt_micros as "poolUsdt", d.pool_amc_micros as "poolAmc"
        from (select day, day - '2000-01-01'::date as number, div_micros as div, usdt_micros as usdt,
            amc_micros as amc
          from dividends where member_id = ${memberId} ${earlier} order by day desc limit ${query.limit + 1}) as p
        join dividend_days as d using (day) order by day desc`.execute(db)
      return toPage(rows, query.limit, dividendView, (row) => encodeCursor(row.number))
    },
  }
}

/** The days that a cursor may name; there are no dividends outside them. */
const MAX_DAYS = 1_000_000n

const paidView = ({ usdt, amc, days }: PaidRow) => ({
  usdt: formatMicros(usdt),
  amc: formatMicros(amc),
  days,
})

function dividendView(row: DividendRow): Dividend {
  return {
    day: row.day,
    div: formatMicros(row.div),
    all_div: formatMicros(BigInt(row.allDiv)),
    pool_usdt: formatMicros(row.poolUsdt),
    pool_amc: formatMicros(row.poolAmc),
    usdt: formatMicros(row.usdt),
    amc: formatMicros(row.amc),
  }
}
