import type { Locale } from '@rif/api-schema'

/** The 12 options of the language page (specification section 1), each in its own words. */
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

/** The language of the texts for a language tag: whatever contains zh is zh-Hans, ko and ja are themselves, the rest is en. */
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
