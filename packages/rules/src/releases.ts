import type { Micros } from './money.ts'

/**
 * The part of a reward's locked AMC that is released at the settlement of the `part`-th day after the record's day
 * (1 to `parts`; outside that, 0). All parts together are the amount: the last one is the rest. Rules, section 6.
 */
export function releasePart(amountMicros: Micros, part: number, parts: number): Micros {
  if (part < 1 || part > parts) return 0n
  const evenMicros = amountMicros / BigInt(parts)
  return part < parts ? evenMicros : amountMicros - evenMicros * BigInt(parts - 1)
}
