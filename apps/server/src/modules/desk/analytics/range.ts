import { addDays, type Day, dayOf, floorDiv, MICRO, type Micros, nextDay, type Ppm } from '@rif/rules'

/** UTC days, both included. */
export interface Range {
  readonly from: Day
  readonly to: Day
}

/** The default number of days. */
const DEFAULT_DAYS = 30

/** Returns the requested days, by default the last thirty up to today. */
export function rangeOf(query: { from?: Day | undefined; to?: Day | undefined }, now: Date): Range {
  if (query.from !== undefined && query.to !== undefined) return { from: query.from, to: query.to }
  const to = dayOf(now.getTime())
  return { from: addDays(to, 1 - DEFAULT_DAYS), to }
}

/** Returns every day of a range, oldest first. */
export function daysOf({ from, to }: Range): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = nextDay(day)) days.push(day)
  return days
}

/** Returns the paid share of the amount due, or 0 when nothing was due. */
export function coverageOf(dueMicros: Micros, paidMicros: Micros): Ppm {
  return dueMicros === 0n ? 0 : Number(floorDiv(paidMicros * MICRO, dueMicros))
}

/** Sums columns over rows. */
export function sumColumns<Key extends string>(
  rows: readonly Readonly<Record<Key, number | bigint>>[],
  keys: readonly Key[],
): Record<Key, bigint> {
  const sums = Object.fromEntries(keys.map((key) => [key, 0n])) as Record<Key, bigint>
  for (const row of rows) for (const key of keys) sums[key] += BigInt(row[key])
  return sums
}

/** Groups rows by a key, in the order of the keys' first appearance. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}
