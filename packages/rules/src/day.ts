/** A UTC calendar day as "YYYY-MM-DD", which sorts by date. Rules, section 1. */
export type Day = string

/** A UTC calendar month as "YYYY-MM". */
export type Month = string

const DAY_MS = 86_400_000
const DAY_TEXT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** Returns the UTC day of a time in milliseconds since the epoch. */
export function dayOf(epochMs: number): Day {
  return new Date(epochMs).toISOString().slice(0, 10)
}

/** Returns the start of a day in milliseconds since the epoch. A day ends just before the next one starts. */
export function startOfDay(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** Reports whether a text is an existing day. */
export function isDay(text: string): boolean {
  if (!DAY_TEXT.test(text)) return false
  const start = startOfDay(text)
  return !Number.isNaN(start) && dayOf(start) === text
}

/** Returns the day `count` days later, or earlier when `count` is negative. */
export function addDays(day: Day, count: number): Day {
  return dayOf(startOfDay(day) + count * DAY_MS)
}

export function nextDay(day: Day): Day {
  return addDays(day, 1)
}

export function previousDay(day: Day): Day {
  return addDays(day, -1)
}

/** Returns the number of days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (startOfDay(to) - startOfDay(from)) / DAY_MS
}

/** Returns the month of a day. */
export function monthOf(day: Day): Month {
  return day.slice(0, 7)
}

/** Reports whether management rewards are settled on a day. Rules, section 5.5. */
export function isLastDayOfMonth(day: Day): boolean {
  return monthOf(nextDay(day)) !== monthOf(day)
}
