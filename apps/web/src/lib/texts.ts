import type { Locale } from '@rif/api-schema'
import { isLanguageOption, type LanguageOption, resolveLocale } from './locale.ts'
import type { Message } from './message.ts'
import { kept } from './storage.ts'

export const LANGUAGE_KEY = 'locale'

export type Texts = Readonly<Record<string, Message>>
/** The texts of the way in, those of the operator's side, and the rest (vite/texts.ts). */
export type TextPart = 'first' | 'rest' | 'admin'

const parts: Record<TextPart, Record<string, () => Promise<Texts>>> = {
  first: import.meta.glob<Texts>('../locales/*.json', { query: '?part=first', import: 'default' }),
  rest: import.meta.glob<Texts>('../locales/*.json', { query: '?part=rest', import: 'default' }),
  admin: import.meta.glob<Texts>('../locales/*.json', { query: '?part=admin', import: 'default' }),
}

/** Loads a part of the texts of a language. */
export async function loadTexts(locale: Locale, part: TextPart): Promise<Texts> {
  const load = parts[part][`../locales/${locale}.json`]
  if (load === undefined) throw new Error(`no texts for ${locale}`)
  return load()
}

/** The choice of the language page, as it is kept. */
export function readLanguage(): LanguageOption {
  const value = kept.get(LANGUAGE_KEY)
  return isLanguageOption(value) ? value : 'system'
}

/** The language of the texts for a choice. */
export const localeOf = (option: LanguageOption): Locale => resolveLocale(option, navigator.language)
