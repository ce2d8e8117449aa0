import { addDays, type Day, dayOf, floorDiv, MICRO, type Micros, nextDay, type Ppm } from '@rif/rules'

/** UTC days, both included. */
export interface Range {
  readonly from: Day
  readonly to: Day
}

/** How many days are meant when none are named. */
const DEFAULT_DAYS = 30

/** The days that were asked for; without any the last thirty, up to today. */
export function rangeOf(query: { from?: Day | undefined; to?: Day | undefined }, now: Date): Range {
  if (query.from !== undefined && query.to !== undefined) return { from: query.from, to: query.to }
  const to = dayOf(now.getTime())
  return { from: addDays(to, 1 - DEFAULT_DAYS), to }
}

/** Every day of a range, oldest first. */
export function daysOf({ from, to }: Range): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = nextDay(day)) days.push(day)
  return days
}

/** What was paid of what was due; 0 when nothing was. */
export function coverageOf(dueMicros: Micros, paidMicros: Micros): Ppm {
  return dueMicros === 0n ? 0 : Number(floorDiv(paidMicros * MICRO, dueMicros))
}

/** Adds up the same columns of many rows. */
export function sumColumns<Key extends string>(
  rows: readonly Readonly<Record<Key, number | bigint>>[],
  keys: readonly Key[],
): Record<Key, bigint> {
  const sums = Object.fromEntries(keys.map((key) => [key, 0n])) as Record<Key, bigint>
  for (const row of rows) for (const key of keys) sums[key] += BigInt(row[key])
  return sums
}

/** Rows by a key, in the order in which keys first appear. */
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
