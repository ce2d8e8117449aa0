import { dividendOf, type Micros } from '@rif/rules'
import { createRows, type DayColumn, firstOf, type Rows } from './columns.ts'

/** The dividend rights that members had in `available` at the end of the day, in the order of joining. */
export type Holdings = Rows<{ member: Int32Array; div: BigInt64Array }>

export function createDividendHoldings(): Holdings {
  return createRows({ member: new Int32Array(), div: new BigInt64Array() })
}

/** The dividends of a day as columns; each place is a member who receives an amount. */
export interface DividendWork {
  readonly member: Int32Array
  readonly div: BigInt64Array
  readonly usdt: BigInt64Array
  readonly amc: BigInt64Array
  /** All rights, including those of members whose part is zero, and the number of members with rights. */
  readonly allDivMicros: Micros
  readonly holders: number
}

/** The shared pool at the end of the day. */
export interface DividendPool {
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/**
 * Computes a day's dividends; null if there is nothing to share, or nobody to share it with. Rules, section
 * 11.
 */
export function dividendsOf(holdings: Holdings, pool: DividendPool): DividendWork | null {
  const { count: holders, div } = holdings
  let allDivMicros = 0n
  for (let place = 0; place < holders; place++) allDivMicros += div[place]!
  if (holders === 0 || (pool.usdtMicros === 0n && pool.amcMicros === 0n)) return null
  const column = () => new BigInt64Array(holders)
  const paid = { member: new Int32Array(holders), div: column(), usdt: column(), amc: column() }
  let count = 0
  for (let place = 0; place < holders; place++) {
    const usdtMicros = dividendOf(pool.usdtMicros, div[place]!, allDivMicros)
    const amcMicros = dividendOf(pool.amcMicros, div[place]!, allDivMicros)
    if (usdtMicros === 0n && amcMicros === 0n) continue
    paid.member[count] = holdings.member[place]!
    paid.div[count] = div[place]!
    paid.usdt[count] = usdtMicros
    paid.amc[count++] = amcMicros
  }
  const used = <C extends DayColumn>(column: C) => firstOf(column, count)
  return {
    member: used(paid.member),
    div: used(paid.div),
    usdt: used(paid.usdt),
    amc: used(paid.amc),
    allDivMicros,
    holders,
  }
}
