import { floorDiv, type Micros } from './money.ts'

/**
 * Returns a holder's part of one asset of a pool: floor(pool x own DIV / all DIV), with the DIV in `available` at the end of the
 * day. The remainders stay in the pool. Rules, section 11.
 */
export function dividendOf(poolMicros: Micros, ownMicros: Micros, allMicros: Micros): Micros {
  return allMicros === 0n ? 0n : floorDiv(poolMicros * ownMicros, allMicros)
}
