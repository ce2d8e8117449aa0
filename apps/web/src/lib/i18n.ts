import type { Locale } from '@rif/api-schema'
import { createStore, useStore } from 'zustand'
import type en from '../locales/en.json'
import { currentLocale, optionStore } from './language.ts'
import { styleOf, writeDecimal } from './number-style.ts'
import { kept, onOtherTab } from './storage.ts'
import {
  LANGUAGE_KEY,
  type LanguageOption,
  loadTexts,
  localeOf,
  readLanguage,
  type TextPart,
  type Texts,
  type Values,
  type Words,
} from './texts.ts'

export type { Values, Words }

/**
 * The grammar of a language. Only English has a singular, so no `Intl` is needed, whose first formatter takes
 * a phone a tenth of a second to create.
 */
export function wordsOf(locale: Locale): Words {
  const caseOf = (cases: Readonly<Record<string, string>>, name: string) => cases[name] ?? cases.other ?? ''
  return {
    text: (value) => (value === undefined || value === null ? '' : String(value)),
    number: (value) => writeDecimal(String(value), styleOf(locale)),
    plural: (count, cases) =>
      cases[`=${count}`] ?? caseOf(cases, locale === 'en' && Number(count) === 1 ? 'one' : 'other'),
    select: (value, cases) => caseOf(cases, String(value)),
  }
}

/** The keys of the texts, prefixed with the names of their groups: `my.title`. */
type KeyOf<Group, Path extends string = ''> = {
  [Name in keyof Group & string]: Group[Name] extends string
    ? `${Path}${Name}`
    : KeyOf<Group[Name], `${Path}${Name}.`>
}[keyof Group & string]

/** A key that is not in the English texts is a type error. */
export type TextKey = KeyOf<typeof en>

/** Returns the text of a key, with its values. */
export type Translate = (key: TextKey, values?: Values) => string

/** The loaded texts by language. */
const loaded = new Map<Locale, { texts: Record<string, Texts[string]>; parts: Set<TextPart> }>()
/** The parts that the current pages need. */
const needed = new Set<TextPart>()
const shownStore = createStore<{ readonly t: Translate }>(() => ({ t: (key) => key }))

/** Returns the texts in the current language; the caller is rendered again when it changes. */
export const useTranslation = () => useStore(shownStore)

/** Renders everything again that shows a text. */
export const redraw = () => shownStore.setState({ ...shownStore.getState() })

/** Returns a text outside React. */
export const t: Translate = (key, values) => shownStore.getState().t(key, values)

/** Reports whether a name from the server is the key of a text. */
export const isText = (key: string): key is TextKey => textsOf(currentLocale()).texts[key] !== undefined

function textsOf(locale: Locale) {
  const texts = loaded.get(locale) ?? { texts: {}, parts: new Set() }
  loaded.set(locale, texts)
  return texts
}

async function load(locale: Locale, part: TextPart) {
  const { texts, parts } = textsOf(locale)
  if (parts.has(part)) return
  Object.assign(texts, await loadTexts(locale, part))
  parts.add(part)
}

/** Loads the texts of the tabs' pages, which wait for them. */
export const needTabTexts = () => need('tabs')

/** Loads the texts of all pages behind sign-in; pages that are not tabs wait for them. */
export const needAllTexts = () => Promise.all([need('tabs'), need('rest')])

/** Loads the texts of the operator's side. */
export const needAdminTexts = () => need('admin')

async function need(part: TextPart) {
  needed.add(part)
  // Those of the tabs include those of sign-in.
  if (part === 'tabs') needed.delete('first')
  await load(currentLocale(), part)
}

let isLoadingLate = false

/**
 * Loads all texts and shows them: part of the first page was opened whose texts are not among those of first
 * pages.
 */
async function loadLate() {
  if (isLoadingLate) return
  isLoadingLate = true
  try {
    await needAllTexts()
    await show(currentLocale())
  } catch {
    // The next rendering of a text retries.
  } finally {
    isLoadingLate = false
  }
}

async function show(locale: Locale) {
  await Promise.all([...needed].map((part) => load(locale, part)))
  const { texts, parts } = textsOf(locale)
  const words = wordsOf(locale)
  shownStore.setState({
    t: (key, values = {}) => {
      const message = texts[key]
      if (message === undefined && !parts.has('rest')) {
        void loadLate()
        return ''
      }
      return typeof message === 'function' ? message(values, words) : (message ?? key)
    },
  })
  document.documentElement.lang = locale
}

/** Loads the texts of the visit's first page, in one language, and prepares `useTranslation`. */
export async function startI18n(part: 'first' | 'tabs' = 'first') {
  needed.add(part)
  await show(currentLocale())
  onOtherTab(LANGUAGE_KEY, () => take(readLanguage()))
}

async function take(option: LanguageOption) {
  await show(localeOf(option))
  optionStore.setState(option)
}

/** Chooses a language; the texts change at once, on every screen and in every tab. */
export async function setLanguageOption(option: LanguageOption) {
  await take(option)
  kept.set(LANGUAGE_KEY, option === 'system' ? null : option)
}
