import { type AnnouncementDraft, type AnnouncementTexts, LOCALES, type Locale } from '@rif/api-schema'
import { type AnnouncementProblem, announcementProblem } from '@rif/rules'
import type { Announced } from '../../../ui/announcement.tsx'
import type { Checked } from '../../../ui/index.ts'
import { utcTime } from '../exchange/exchange-draft.ts'

type Part = 'title' | 'text'
/** A typed announcement; its end is in UTC. Fields of forms have no dots in their names. */
export type AnnouncementText = Record<`${'en' | 'ja' | 'ko' | 'zh'}_${Part}` | 'expires_at', string>
export type TextProblem = AnnouncementProblem | 'missing' | 'past'

export const EMPTY_ANNOUNCEMENT: AnnouncementText = {
  en_title: '',
  en_text: '',
  ja_title: '',
  ja_text: '',
  ko_title: '',
  ko_text: '',
  zh_title: '',
  zh_text: '',
  expires_at: '',
}

const short = (locale: Locale) => (locale === 'zh-Hans' ? 'zh' : locale)

/** Returns the field of the form for a part of the text in a language. */
export const fieldOf = (locale: Locale, part: Part) => `${short(locale)}_${part}` as const

/** Returns the name of a language in itself. */
export const nameOf = (locale: Locale) => new Intl.DisplayNames([locale], { type: 'language' }).of(locale)!

const wordsIn = (values: AnnouncementText, locale: Locale) => ({
  title: values[fieldOf(locale, 'title')].trim(),
  text: values[fieldOf(locale, 'text')].trim(),
})

/** Reports whether anything is written in a language. */
export function isWritten(values: AnnouncementText, locale: Locale): boolean {
  const { title, text } = wordsIn(values, locale)
  return title !== '' || text !== ''
}

/** Returns the text that members of a language read: English if there is none in theirs. */
export function announcedIn(texts: Partial<AnnouncementTexts>, locale: Locale): Announced {
  const language = texts[locale] === undefined ? 'en' : locale
  return { title: '', text: '', ...texts[language], language }
}

/** Returns the texts that are written so far. */
export function textsOf(values: AnnouncementText): Partial<AnnouncementTexts> {
  const written = LOCALES.filter((locale) => isWritten(values, locale))
  return Object.fromEntries(written.map((locale) => [locale, wordsIn(values, locale)]))
}

/**
 * Reads the announcement to propose, or the problem of each field: English is required, another language must
 * be complete or empty.
 */
export function readAnnouncement(
  values: AnnouncementText,
  nowMs: number,
): Checked<AnnouncementText, { ok: true; payload: AnnouncementDraft }, TextProblem> {
  const problems: Partial<Record<keyof AnnouncementText, TextProblem>> = {}
  for (const locale of LOCALES) {
    if (locale !== 'en' && !isWritten(values, locale)) continue
    for (const [part, words] of Object.entries(wordsIn(values, locale)) as [Part, string][]) {
      const problem = words === '' ? 'missing' : announcementProblem(words)
      if (problem !== null) problems[fieldOf(locale, part)] = problem
    }
  }
  const expiresMs = values.expires_at === '' ? null : utcTime(values.expires_at)
  if (expiresMs !== null && !(expiresMs > nowMs)) problems.expires_at = 'past'
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  const texts = textsOf(values) as AnnouncementTexts
  const expires_at = expiresMs === null ? null : new Date(expiresMs).toISOString()
  return { ok: true, payload: { texts, expires_at } }
}

/** Returns the first language whose text has a problem. */
export const faultyLanguage = (
  problems: Readonly<Partial<Record<keyof AnnouncementText, TextProblem>>>,
): Locale | undefined =>
  LOCALES.find((locale) =>
    (['title', 'text'] as const).some((part) => problems[fieldOf(locale, part)] !== undefined),
  )
