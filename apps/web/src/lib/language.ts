import type { Locale } from '@rif/api-schema'
import { createStore, useStore } from 'zustand'
import { type NumberStyle, styleOf } from './number-style.ts'
import { type LanguageOption, localeOf, readLanguage } from './texts.ts'

/** The choice made on the language page. */
export const optionStore = createStore<LanguageOption>(readLanguage)

/** The choice made on the language page. */
export const useLanguageOption = () => useStore(optionStore)

/** The current language of the texts, also sent as Accept-Language. */
export const currentLocale = (): Locale => localeOf(optionStore.getState())

/** Returns how numbers are written and read: by the language of the texts, never by the browser's. */
export const currentStyle = (): NumberStyle => styleOf(currentLocale())
