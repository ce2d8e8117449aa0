/** A UTC calendar day as "YYYY-MM-DD"; such texts sort as their days do. Rules, section 1. */
export type Day = string

/** A UTC calendar month as "YYYY-MM". */
export type Month = string

const DAY_MS = 86_400_000
const DAY_TEXT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** The UTC day of a time in milliseconds since the epoch. */
export function dayOf(epochMs: number): Day {
  return new Date(epochMs).toISOString().slice(0, 10)
}

/** The first millisecond of a day, since the epoch. A day ends just before the start of the next one. */
export function startOfDay(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** Whether a text names a day that exists. */
export function isDay(text: string): boolean {
  if (!DAY_TEXT.test(text)) return false
  const start = startOfDay(text)
  return !Number.isNaN(start) && dayOf(start) === text
}

/** The day `count` days later; earlier when `count` is negative. */
export function addDays(day: Day, count: number): Day {
  return dayOf(startOfDay(day) + count * DAY_MS)
}

/** The day after. */
export function nextDay(day: Day): Day {
  return addDays(day, 1)
}

/** The day before. */
export function previousDay(day: Day): Day {
  return addDays(day, -1)
}

/** How many days `to` lies after `from`; negative when before. */
export function daysBetween(from: Day, to: Day): number {
  return (startOfDay(to) - startOfDay(from)) / DAY_MS
}

/** The month that a day lies in. */
export function monthOf(day: Day): Month {
  return day.slice(0, 7)
}

/** Whether a day ends its month, which is when management rewards are settled. Rules, section 5.5. */
export function isLastDayOfMonth(day: Day): boolean {
  return monthOf(nextDay(day)) !== monthOf(day)
}
