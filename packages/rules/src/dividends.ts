import { floorDiv, type Micros } from './money.ts'

/**
 * A holder's part of a pool's asset on a day: floor(pool x own DIV / all DIV), where `own` and `all` are what stood in
 * `available` at the end of the day. The remainders stay in the pool. Rules, section 11.
 */
export function dividendOf(poolMicros: Micros, ownMicros: Micros, allMicros: Micros): Micros {
  return allMicros === 0n ? 0n : floorDiv(poolMicros * ownMicros, allMicros)
}
