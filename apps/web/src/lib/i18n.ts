import type { Locale } from '@rif/api-schema'
import i18next from 'i18next'
import ICU from 'i18next-icu'
import { initReactI18next } from 'react-i18next'
import { isLanguageOption, type LanguageOption, resolveLocale } from './locale.ts'
import { kept } from './storage.ts'
import { createStore, useStore } from './store.ts'

const KEY = 'locale'

const texts = import.meta.glob<{ default: Record<string, unknown> }>('../locales/*.json')

function readOption(): LanguageOption {
  const value = kept.get(KEY)
  return isLanguageOption(value) ? value : 'system'
}

const optionStore = createStore<LanguageOption>(readOption())

/** The choice made on the language page. */
export const useLanguageOption = () => useStore(optionStore)

/** The language of the texts now; goes out as Accept-Language. */
export const currentLocale = (): Locale => resolveLocale(optionStore.get(), navigator.language)

async function show(locale: Locale) {
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    const load = texts[`../locales/${locale}.json`]
    if (load === undefined) throw new Error(`no texts for ${locale}`)
    i18next.addResourceBundle(locale, 'translation', (await load()).default)
  }
  await i18next.changeLanguage(locale)
  document.documentElement.lang = locale
}

/** Loads the texts of one language, no other, and makes `useTranslation` ready. */
export async function startI18n() {
  await i18next
    .use(ICU)
    .use(initReactI18next)
    .init({
      lng: currentLocale(),
      fallbackLng: 'en',
      resources: {},
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    })
  await show(currentLocale())
}

/** Chooses a language; the texts change at once, on every screen. */
export async function setLanguageOption(option: LanguageOption) {
  await show(resolveLocale(option, navigator.language))
  kept.set(KEY, option === 'system' ? null : option)
  optionStore.set(option)
}

/** A text outside React. */
export const t = i18next.t
