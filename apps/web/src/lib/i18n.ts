import type { Locale } from '@rif/api-schema'
import i18next from 'i18next'
import ICU from 'i18next-icu'
import { initReactI18next } from 'react-i18next'
import { isLanguageOption, type LanguageOption, resolveLocale } from './locale.ts'
import { kept, onOtherTab } from './storage.ts'
import { createStore, useStore } from './store.ts'

const KEY = 'locale'

type Texts = Readonly<Record<string, unknown>>

/** The texts by language, in parts (vite.config.ts): those of the way in, those of the operator's side, and the rest. */
const parts = {
  first: import.meta.glob<Texts>('../locales/*.json', { query: '?part=first', import: 'default' }),
  rest: import.meta.glob<Texts>('../locales/*.json', { query: '?part=rest', import: 'default' }),
  admin: import.meta.glob<Texts>('../locales/*.json', { query: '?part=admin', import: 'default' }),
}
/** The parts that the pages on show need. */
const needed = new Set<keyof typeof parts>(['first'])
const loaded = new Set<string>()
let started: Promise<unknown> = Promise.resolve()

function readOption(): LanguageOption {
  const value = kept.get(KEY)
  return isLanguageOption(value) ? value : 'system'
}

const optionStore = createStore<LanguageOption>(readOption())

/** The choice made on the language page. */
export const useLanguageOption = () => useStore(optionStore)

/** The language of the texts now; goes out as Accept-Language. */
export const currentLocale = (): Locale => resolveLocale(optionStore.get(), navigator.language)

async function load(locale: Locale, part: keyof typeof parts) {
  const name = `${locale} ${part}`
  if (loaded.has(name)) return
  const texts = await parts[part][`../locales/${locale}.json`]?.()
  if (texts === undefined) throw new Error(`no texts for ${locale}`)
  await started
  i18next.addResourceBundle(locale, 'translation', texts, true)
  loaded.add(name)
}

/** Loads the texts of everything behind the way in; a page outside it waits for them. */
export const needAllTexts = () => need('rest')

/** Loads the texts of the operator's side. */
export const needAdminTexts = () => need('admin')

async function need(part: keyof typeof parts) {
  needed.add(part)
  await load(currentLocale(), part)
}

async function show(locale: Locale) {
  await Promise.all([...needed].map((part) => load(locale, part)))
  await i18next.changeLanguage(locale)
  document.documentElement.lang = locale
}

/** Loads the texts of one language, no other, and makes `useTranslation` ready. */
export async function startI18n() {
  // It begins without any, also when tests start it once a file.
  loaded.clear()
  started = i18next
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
  onOtherTab(KEY, () => take(readOption()))
}

async function take(option: LanguageOption) {
  await show(resolveLocale(option, navigator.language))
  optionStore.set(option)
}

/** Chooses a language; the texts change at once, on every screen and in every tab. */
export async function setLanguageOption(option: LanguageOption) {
  await take(option)
  kept.set(KEY, option === 'system' ? null : option)
}

/** A text outside React. */
export const t = i18next.t
