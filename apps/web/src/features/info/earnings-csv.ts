import type { EarningsData } from '@rif/api-schema'

type Published = NonNullable<EarningsData['published']>

const COLUMNS = ['day', 'figure', 'level', 'days', 'from_ppm', 'members', 'value'] as const

/**
 * Returns the published figures as CSV (RFC 4180), a row for each, with the number of members behind it. A figure of too few
 * members has no value. All are numbers, days and names of this file, so no cell needs quotes.
 */
export function earningsCsv({ day, figures }: Published): string {
  const { members, without_package, levels, all } = figures
  const rows: (string | number | null)[][] = [
    [day, 'members', null, null, null, members, members],
    [day, 'without_package', null, null, null, without_package, without_package],
    ...levels.flatMap(({ level, members: ofLevel, whole, ages }) => [
      [day, 'got_back_what_was_paid', level, null, null, ofLevel, whole],
      ...ages.map((age) => [day, 'median_ppm', level, age.days, null, age.members, age.median_ppm]),
    ]),
  ]
  if (all !== null) {
    rows.push(
      [day, 'got_back_what_was_paid', null, null, null, members, all.whole],
      [day, 'of_these_mostly_by_commission', null, null, null, all.whole, all.whole_by_commission],
      [day, 'without_commission', null, null, null, members, all.without_commission],
      ...all.spread.map((part) => [day, 'spread', null, null, part.from_ppm, members, part.members]),
    )
  }
  return `${[COLUMNS, ...rows].map((cells) => cells.join(',')).join('\r\n')}\r\n`
}
