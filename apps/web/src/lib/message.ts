import type { Locale } from '@rif/api-schema'
import { formatCount } from './format.ts'

export type Values = Readonly<Record<string, unknown>>

/** A text as the build makes it of an ICU message (vite/message.ts): plain, or made of values. */
export type Message = string | ((values: Values, words: Words) => string)

/** How a language writes what stands in its texts. */
export interface Words {
  text(value: unknown): string
  number(value: unknown): string
  /** The case of exactly this number, `=0`, else that of the language's rules, else `other`. */
  plural(count: unknown, cases: Cases): string
  /** The case of that name, else `other`. */
  select(value: unknown, cases: Cases): string
}

type Cases = Readonly<Record<string, string>>

/**
 * The words of a language. The four languages all separate thousands with commas, and only English has a singular, so
 * nothing of `Intl` is needed, whose first formatter takes a phone a tenth of a second to make.
 */
export function wordsOf(locale: Locale): Words {
  const caseOf = (cases: Cases, name: string) => cases[name] ?? cases.other ?? ''
  return {
    text: (value) => (value === undefined || value === null ? '' : String(value)),
    number: (value) => formatCount(Number(value)),
    plural: (count, cases) =>
      cases[`=${count}`] ?? caseOf(cases, locale === 'en' && Number(count) === 1 ? 'one' : 'other'),
    select: (value, cases) => caseOf(cases, String(value)),
  }
}
