import type { Micros } from './money.ts'

/**
 * Returns the part of a reward's locked AMC that is released `part` days after the day of the reward, 0 outside 1 to `parts`. The
 * last part includes the remainder, so that all parts add up to the amount. Rules, section 6.
 */
export function releasePart(amountMicros: Micros, part: number, parts: number): Micros {
  if (part < 1 || part > parts) return 0n
  const evenMicros = amountMicros / BigInt(parts)
  return part < parts ? evenMicros : amountMicros - evenMicros * BigInt(parts - 1)
}
