/** Readers of the pages' query strings. A query string is plain text; a reader throws where a page requires a value. */
export type RawSearch = Readonly<Record<string, string | undefined>>

type Reader = (value: string | undefined) => string | undefined
type Readers = Readonly<Record<string, Reader>>
type Given<R extends Reader> = Exclude<ReturnType<R>, undefined>
type Query<R extends Readers> = {
  [K in keyof R as undefined extends ReturnType<R[K]> ? never : K]: Given<R[K]>
} & { [K in keyof R as undefined extends ReturnType<R[K]> ? K : never]?: Given<R[K]> }

/** Creates a reader of a whole query string; absent, unknown or invalid parameters are left out. */
export const query =
  <R extends Readers>(readers: R) =>
  (raw: RawSearch): Query<R> =>
    Object.fromEntries(
      Object.entries(readers).flatMap(([name, read]) => {
        const value = read(raw[name])
        return value === undefined ? [] : [[name, value]]
      }),
    ) as Query<R>

/** Creates a reader that accepts one of the given words. */
export const oneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: string | undefined): T | undefined =>
    words.find((word) => word === value)

/** Creates a reader of free text, trimmed and cut to `length` characters. */
export const text = (length: number) => (value: string | undefined) =>
  value?.trim().slice(0, length) || undefined

const required = (pattern: RegExp, name: string) => (value: string | undefined) => {
  if (value === undefined || !pattern.test(value)) throw new Error(`the address lacks ${name}`)
  return value
}

export const id = required(/^[1-9][0-9]{0,18}$/, 'an id')
export const txHash = required(/^0x[0-9a-fA-F]{64}$/, 'a hash')
/** The token of a link in a mail. */
export const linkToken = required(/^[A-Za-z0-9_-]{20,400}$/, 'a token')
/** A month such as 2026-01. */
export const month = required(/^[0-9]{4}-(0[1-9]|1[0-2])$/, 'a month')

/** Makes a required value optional; one that is present must still be valid. */
export const maybe = (read: (value: string | undefined) => string) => (value: string | undefined) =>
  value === undefined ? undefined : read(value)

const matching = (pattern: RegExp) => (value: string | undefined) =>
  value !== undefined && pattern.test(value) ? value : undefined

/** A positive whole number of units; the page checks that it is within the limits. */
export const wholeUnits = matching(/^[1-9][0-9]{0,17}$/)

/** A day such as 2026-01-31. */
export const isoDay = matching(/^\d{4}-\d{2}-\d{2}$/)

const readDays = query({ from: isoDay, to: isoDay })

/** Reads both days of a range or none. */
export function dayRange(raw: RawSearch) {
  const days = readDays(raw)
  return days.from === undefined || days.to === undefined ? {} : days
}
