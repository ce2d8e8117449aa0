import type { Locale } from '@rif/api-schema'
import { nextDay, startOfDay } from '@rif/rules'
import { currentLocale } from './language.ts'

const SECONDS_DIGITS = 10

/**
 * Returns a point in time from ISO text or a Unix time; as in the specification, numbers of up to ten digits
 * are seconds. Null if it is invalid.
 */
export function parseTime(value: string | number): Date | null {
  const date =
    typeof value === 'number' && String(Math.trunc(value)).length <= SECONDS_DIGITS
      ? new Date(value * 1000)
      : new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

const DEFAULT_TAGS: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  ja: 'ja',
  ko: 'ko',
  'zh-Hans': 'zh-Hans',
}

/** Returns the locale tag for dates: the chosen language, with the browser's region for it. */
export function localeTag(): string {
  const locale = currentLocale()
  const language = locale.split('-')[0]!
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? DEFAULT_TAGS[locale]
}

type Options = Intl.DateTimeFormatOptions
const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a date in the member's language. Creating a formatter is slow on a phone, so each is cached. */
function write(date: Date, options: Options): string {
  const tag = localeTag()
  const key = `${tag} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(tag, options)
  formats.set(key, format)
  const parts = format.formatToParts(date)
  return parts
    .map(({ value }, place) => (isInClock(parts, place) ? value.replace(/\s/, NO_BREAK) : value))
    .join('')
}

/** A non-breaking space. */
const NO_BREAK = '\u00a0'
const CLOCK_PARTS: readonly (string | undefined)[] = ['hour', 'minute', 'second', 'dayPeriod']

/**
 * Reports whether a part is within the time of day: "PM" must not begin a line, and some fonts lack the
 * narrow space before it.
 */
const isInClock = (parts: readonly Intl.DateTimeFormatPart[], place: number) =>
  [place - 1, place + 1].every((beside) => CLOCK_PARTS.includes(parts[beside]?.type))

const CLOCK: Options = { hour: '2-digit', minute: '2-digit' }
const DAY: Options = { day: 'numeric', month: 'short' }
const UTC: Options = { timeZone: 'UTC' }

/** Returns the year as an option if it is not the current one. */
const yearOf = (date: Date, now: Date): Options =>
  date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }

/**
 * Returns a time in the member's language and zone, such as "22 Nov, 09:05", with the year if it is another
 * one; null if it is invalid.
 */
export function formatTime(value: string | number, now = new Date()): string | null {
  const date = parseTime(value)
  return date && write(date, { ...DAY, ...yearOf(date, now), ...CLOCK })
}

/** Returns the same with year, seconds and zone: "22 Nov 2026, 09:05:07 GMT+1". */
export function formatTimeExact(value: string | number): string | null {
  const date = parseTime(value)
  const exact: Options = { year: 'numeric', second: '2-digit', timeZoneName: 'shortOffset' }
  return date && write(date, { ...DAY, ...CLOCK, ...exact })
}

/** Returns the same in UTC: "22 Nov 2026, 08:05:07 UTC". */
export function formatTimeUtc(value: string | number): string | null {
  const date = parseTime(value)
  return date && `${write(date, { ...DAY, ...CLOCK, year: 'numeric', second: '2-digit', ...UTC })} UTC`
}

/** Returns the time of day in the member's zone: "09:05". */
export const formatClock = (value: string | number): string => {
  const date = parseTime(value)
  return date === null ? '' : write(date, CLOCK)
}

/** Returns a time of today as "09:05", of another day with the day. Empty if it is invalid. */
export function formatSince(value: string | number, now = new Date()): string {
  const isToday = parseTime(value)?.toDateString() === now.toDateString()
  return isToday ? formatClock(value) : (formatTime(value, now) ?? '')
}

/** Returns the day of a time in the member's zone: "22 Nov 2026". Empty if it is invalid. */
export function formatDate(value: string | number): string {
  const date = parseTime(value)
  return date === null ? '' : write(date, { ...DAY, year: 'numeric' })
}

/** Returns an accounting day of the wire, "2026-11-22", which is a UTC day in every zone: "22 Nov 2026". */
export function formatDay(day: string): string {
  const date = parseTime(day)
  return date === null ? day : write(date, { ...DAY, year: 'numeric', ...UTC })
}

/** Returns the same without the year, for the axis of a chart: "22 Nov". */
export function formatDayShort(day: string): string {
  const date = parseTime(day)
  return date === null ? day : write(date, { ...DAY, ...UTC })
}

/** Returns a month of the wire, "2026-11": "November 2026". */
export function formatMonth(month: string): string {
  const date = parseTime(month)
  return date === null ? month : write(date, { month: 'long', year: 'numeric', ...UTC })
}

/** Returns the last moment of a UTC accounting day, as on the wire. */
export const endOfDay = (day: string) => new Date(startOfDay(nextDay(day)) - 1).toISOString()

/** The groups of a list by days, newest first. Specification section 9. */
export type DayGroup = 'today' | 'yesterday' | 'older'

/**
 * Returns the group of a time by the days of the member's zone, in which the times beside it are shown. A time
 * ahead of this device's clock is today.
 */
export function dayGroup(value: string, now: Date): DayGroup {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  const date = new Date(value)
  if (date >= midnight) return 'today'
  midnight.setDate(midnight.getDate() - 1)
  return date >= midnight ? 'yesterday' : 'older'
}

/** Returns a day in words in the member's zone, such as "Sunday 22 November", with its group. */
export function dayWords(value: string, now: Date): { words: string; group: DayGroup } {
  const date = new Date(value)
  const words = write(date, { weekday: 'long', day: 'numeric', month: 'long', ...yearOf(date, now) })
  return { words, group: dayGroup(value, now) }
}

/** Returns the name of this device's time zone, such as "Europe/Paris". */
export const timeZoneName = () => Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
