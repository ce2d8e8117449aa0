import type { Locale } from '@rif/api-schema'
import { waitFor } from '@testing-library/react'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, it, vi } from 'vitest'
import en from '../locales/en.json'
import ja from '../locales/ja.json'
import ko from '../locales/ko.json'
import zhHans from '../locales/zh-Hans.json'
import { wordsOf } from './i18n.ts'
import { loadTexts } from './texts.ts'

type Texts = { [name: string]: string | Texts }
const sources: Record<Locale, Texts> = { en, ja, ko, 'zh-Hans': zhHans }
const sourceOf = (locale: Locale, key: string) =>
  key.split('.').reduce<string | Texts>((texts, name) => (texts as Texts)[name]!, sources[locale]) as string

/** The values filled in: numbers at which plurals change, and the words that select texts. */
const SAMPLES = [0, 1, 2, 21, 1234, 1_234_567, 'yes', 'no', 'none', 'unread']

it.each(Object.keys(sources) as Locale[])('has the same texts in %s as the ICU messages', async (locale) => {
  const words = wordsOf(locale)
  const parts = await Promise.all(
    (['first', 'tabs', 'rest', 'admin'] as const).map((part) => loadTexts(locale, part)),
  )
  const all = Object.entries(Object.assign({}, ...parts) as Awaited<ReturnType<typeof loadTexts>>)
  expect(all.length).toBeGreaterThan(2000)
  for (const [key, message] of all) {
    const icu = new IntlMessageFormat(sourceOf(locale, key), locale)
    if (typeof message === 'string') {
      expect(message).toBe(icu.format())
      continue
    }
    const source = sourceOf(locale, key)
    const names = [...source.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name!)
    for (const sample of SAMPLES) {
      if (typeof sample === 'string' && /, (plural|number)/.test(source)) continue
      const values = Object.fromEntries(names.map((name) => [name, sample]))
      expect(`${key}: ${message(values, words)}`).toBe(`${key}: ${icu.format(values)}`)
    }
  }
})

it('divides the texts by the first pages of visits', async () => {
  const [first, tabs, rest] = await Promise.all(
    (['first', 'tabs', 'rest'] as const).map(async (part) => Object.keys(await loadTexts('en', part))),
  )
  // By name, by a computed name, and in a part of the page that is a separate file.
  expect(first).toEqual(
    expect.arrayContaining(['login.connect', 'wallet.problem.rejected', 'login.codeHint']),
  )
  expect(tabs).toEqual(expect.arrayContaining(['home.inAll', 'home.spans.30', 'home.event.received']))
  expect(rest).toEqual(expect.arrayContaining(['info.risk.loss.text', 'withdrawals.success.submitted']))
})

it('loads the other texts when one is missing, and then shows it', async () => {
  vi.resetModules()
  const { isText, startI18n, t } = await import('./i18n.ts')
  await startI18n()
  const key = 'withdrawals.success.submitted'
  expect([isText(key), t(key)]).toEqual([false, ''])
  await waitFor(() => expect(t(key)).toBe(en.withdrawals.success.submitted))
})
