import type { Locale } from '@rif/api-schema'
import { kept } from './storage.ts'

export type Values = Readonly<Record<string, unknown>>

/** A text as compiled from an ICU message (vite/message.ts): plain, or with values. */
export type Message = string | ((values: Values, words: Words) => string)

/** The functions with which a compiled text formats its values in one language. */
export interface Words {
  text(value: unknown): string
  number(value: unknown): string
  /** The case of exactly this number (`=0`), or the plural category of the language, or `other`. */
  plural(count: unknown, cases: Cases): string
  /** The case with that name, or `other`. */
  select(value: unknown, cases: Cases): string
}

type Cases = Readonly<Record<string, string>>

/** The 12 options of the language page (specification section 1), each in its own language. */
export const LANGUAGE_OPTIONS = [
  { code: 'system', name: '' },
  { code: 'en', name: 'English' },
  { code: 'zh-Hant', name: '繁體中文' },
  { code: 'ko', name: '한국어' },
  { code: 'ja', name: '日本語' },
  { code: 'fr', name: 'Français' },
  { code: 'id', name: 'Bahasa Indonesia' },
  { code: 'pl', name: 'Polski' },
  { code: 'ru', name: 'Русский' },
  { code: 'es', name: 'Español' },
  { code: 'th', name: 'ไทย' },
  { code: 'vi', name: 'Tiếng Việt' },
] as const

export type LanguageOption = (typeof LANGUAGE_OPTIONS)[number]['code']

/**
 * The language of the texts for a language tag: every tag with zh is zh-Hans, ko and ja are themselves, all
 * others are en.
 */
export function textLocale(tag: string): Locale {
  const lower = tag.toLowerCase()
  if (lower.includes('zh')) return 'zh-Hans'
  if (lower === 'ko' || lower.startsWith('ko-')) return 'ko'
  if (lower === 'ja' || lower.startsWith('ja-')) return 'ja'
  return 'en'
}

/** The language of the texts for a choice of the language page, `system` being the browser's own language. */
export function resolveLocale(option: LanguageOption, browserLanguage: string): Locale {
  return textLocale(option === 'system' ? browserLanguage : option)
}

export function isLanguageOption(value: string | null): value is LanguageOption {
  return LANGUAGE_OPTIONS.some((option) => option.code === value)
}

export const LANGUAGE_KEY = 'locale'

export type Texts = Readonly<Record<string, Message>>
/**
 * The parts of the texts: those before sign-in, those with the tabs' pages, those of the operators, and the
 * rest (vite/texts.ts).
 */
export type TextPart = 'first' | 'tabs' | 'rest' | 'admin'

const parts: Record<TextPart, Record<string, () => Promise<Texts>>> = {
  first: import.meta.glob<Texts>('../locales/*.json', { query: '?part=first', import: 'default' }),
  tabs: import.meta.glob<Texts>('../locales/*.json', { query: '?part=tabs', import: 'default' }),
  rest: import.meta.glob<Texts>('../locales/*.json', { query: '?part=rest', import: 'default' }),
  admin: import.meta.glob<Texts>('../locales/*.json', { query: '?part=admin', import: 'default' }),
}

/** Loads a part of the texts of a language. */
export async function loadTexts(locale: Locale, part: TextPart): Promise<Texts> {
  const load = parts[part][`../locales/${locale}.json`]
  if (load === undefined) throw new Error(`no texts for ${locale}`)
  return load()
}

/** The choice of the language page, as stored. */
export function readLanguage(): LanguageOption {
  const value = kept.get(LANGUAGE_KEY)
  return isLanguageOption(value) ? value : 'system'
}

/** The language of the texts for a choice. */
export const localeOf = (option: LanguageOption): Locale => resolveLocale(option, navigator.language)
