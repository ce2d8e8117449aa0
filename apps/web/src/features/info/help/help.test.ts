import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ERROR_CODES, type Locale } from '@rif/api-schema'
import { defaultPlan } from '@rif/rules'
import { IntlMessageFormat } from 'intl-messageformat'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ARTICLES,
  type Article,
  articleOf,
  HELP_ABOUT,
  type HelpIndex,
  isArticle,
  loadHelp,
  makeHelpIndex,
  setLanguageOption,
  TERMS,
  type TermName,
  type Texts,
} from '../../../lib/index.ts'
import { infoFigures } from '../../../wallet/terms/info-figures.ts'

const LOCALES = ['en', 'ja', 'ko', 'zh-Hans'] as const satisfies readonly Locale[]
const NAMES = Object.keys(ARTICLES) as Article[]

/** The figures that the pages provide; the texts may not name others. */
const figures = infoFigures(defaultPlan, {
  chain: { name: 'Arbitrum One', id: 42161, confirmations: 20 },
} as never)

type Raw = Record<string, { title: string; lead: string; words: string; parts: [string, string][] }>

/** Reads the source of the articles or the glossary. */
async function rawOf(kind: 'help' | 'terms', locale: Locale) {
  const path = join(import.meta.dirname, `../../../locales/${kind}/${locale}.json`)
  return JSON.parse(await readFile(path, 'utf8'))
}

const sentencesOf = (raw: Raw[string]) => [raw.title, raw.lead, ...raw.parts.flat()]

/** Returns the figures that a text names. */
const figuresIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

describe.each(LOCALES)('the articles in %s', (locale) => {
  let raw: Raw
  let english: Raw
  beforeAll(async () => {
    raw = await rawOf('help', locale)
    english = await rawOf('help', 'en')
  })

  it('are complete, each with the parts of the English one', () => {
    expect(Object.keys(raw).sort()).toEqual([...NAMES].sort())
    for (const name of NAMES) {
      expect(raw[name]!.parts.length, name).toBe(english[name]!.parts.length)
      expect(raw[name]!.parts.length, name).toBeGreaterThan(1)
      for (const text of [...sentencesOf(raw[name]!), raw[name]!.words])
        expect(text.trim(), name).not.toBe('')
    }
  })

  it('name the same figures in the same part', () => {
    for (const name of NAMES)
      expect(raw[name]!.parts.map(([, text]) => figuresIn(text).sort())).toEqual(
        english[name]!.parts.map(([, text]) => figuresIn(text).sort()),
      )
  })

  it('name only figures of the API, and contain no amount, rate or address themselves', () => {
    for (const text of NAMES.flatMap((name) => sentencesOf(raw[name]!))) {
      expect(Object.keys(figures)).toEqual(expect.arrayContaining(figuresIn(text)))
      expect(text.replace(/\{\w+\}/g, '')).not.toMatch(/[0-9０-９%％]|Arbitrum/)
      expect(() => new IntlMessageFormat(text, locale)).not.toThrow()
    }
  })

  it('have a glossary of the same terms, each with a name and an explanation', async () => {
    const terms: Record<string, string[]> = await rawOf('terms', locale)
    expect(Object.keys(terms).sort()).toEqual(Object.keys(TERMS).sort())
    for (const term of Object.values(terms)) {
      expect(term).toHaveLength(2)
      for (const text of term) expect(text.trim()).not.toBe('')
      expect(term.join(' ')).not.toMatch(/[0-9０-９%％]/)
    }
  })
})

describe('the table of what leads to which article', () => {
  it('names existing error codes and existing articles', () => {
    const codes = Object.keys(HELP_ABOUT).filter((about) => /^[A-Z_]+$/.test(about))
    expect(ERROR_CODES).toEqual(expect.arrayContaining(codes))
    expect(codes.length).toBeGreaterThan(30)
    expect(Object.values(HELP_ABOUT).every(isArticle)).toBe(true)
    expect(Object.values(TERMS).every(isArticle)).toBe(true)
    expect(Object.values(ARTICLES).flat().every(isArticle)).toBe(true)
  })

  it('is used: every state in it is linked from a screen', async () => {
    const src = join(import.meta.dirname, '../../..')
    const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith('.tsx'))
    const code = (await Promise.all(files.map((file) => readFile(join(src, file), 'utf8')))).join('\n')
    const states = Object.keys(HELP_ABOUT).filter(
      (about) => /^[a-z]/.test(about) && !about.startsWith('flow.'),
    )
    expect(states.filter((state) => !code.includes(`about="${state}"`))).toEqual([])
    expect(code).toMatch(/about=\{`flow\.\$\{state\.problem\}`\}/)
  })
})

describe('an article', () => {
  it('shows the figures of the API', async () => {
    const article = articleOf(await loadHelp('help', 'en'), 'fees', figures)
    expect(article.parts[1]!.text).toContain('A withdrawal costs 1%, at least 1 USDT worth')
    expect(article.parts).toHaveLength(3)
  })
})

const indexes = new Map<Locale, Promise<HelpIndex>>()

/** Creates the index of a language as the help page does, once. */
async function indexOf(locale: Locale): Promise<HelpIndex> {
  const index = indexes.get(locale) ?? makeIndex(locale)
  indexes.set(locale, index)
  return index
}

async function makeIndex(locale: Locale): Promise<HelpIndex> {
  await setLanguageOption(locale === 'zh-Hans' ? 'zh-Hant' : locale)
  const [help, terms]: Texts[] = await Promise.all([loadHelp('help', locale), loadHelp('terms', locale)])
  return makeHelpIndex(help!, terms!, figures)
}

/** Maps words that a member types to an article that must be among the first three hits. */
const WANTED: readonly [Locale, string, Article | TermName][] = [
  ['en', 'stuck', 'stuck'],
  ['en', 'stuk', 'stuck'],
  ['en', 'gas', 'fees'],
  ['en', 'wrong network', 'network'],
  ['en', 'lost phone', 'lostWallet'],
  ['en', 'less paid', 'lessPaid'],
  ['en', 'carry', 'carry'],
  ['ja', 'ガス代', 'fees'],
  ['ja', '詰まる', 'stuck'],
  ['ja', '紛失', 'lostWallet'],
  ['ja', '繰り越し', 'carry'],
  ['ko', '가스비', 'fees'],
  ['ko', '멈춤', 'stuck'],
  ['ko', '환매', 'redemption'],
  ['zh-Hans', '卡住', 'stuck'],
  ['zh-Hans', '矿工费', 'fees'],
  ['zh-Hans', '助记词', 'lostWallet'],
]

afterAll(() => setLanguageOption('system'))

describe('the search', () => {
  it.each(WANTED)('in %s finds by "%s" the entry %s', async (locale, typed, name) => {
    const { find } = await indexOf(locale)
    expect(
      find(typed)
        .slice(0, 3)
        .map((hit) => hit.name),
    ).toContain(name)
  })

  it('finds nothing for a word that no text contains', async () => {
    const { find } = await indexOf('en')
    expect(find('xylophone')).toEqual([])
    expect(find('  ')).toEqual([])
  })
})
