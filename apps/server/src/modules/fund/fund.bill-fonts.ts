import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Locale } from '@rif/api-schema'
import { create, type Font } from 'fontkit'

type Script = 'sc' | 'jp' | 'kr'

const require = createRequire(import.meta.url)

/** Each package's entry, and the file beside it. */
const FILES: Readonly<Record<Script, { readonly entry: () => string; readonly file: string }>> = {
  sc: { entry: () => require.resolve('@embedpdf/fonts-sc'), file: 'NotoSansHans-Regular.otf' },
  jp: { entry: () => require.resolve('@embedpdf/fonts-jp'), file: 'NotoSansJP-Regular.otf' },
  kr: { entry: () => require.resolve('@embedpdf/fonts-kr'), file: 'NotoSansKR-Regular.otf' },
}

/** The fonts of a language, the best first: a character is set in the first that has it. Each has Latin letters and figures. */
const ORDER: Readonly<Record<Locale, readonly Script[]>> = {
  en: ['jp', 'kr', 'sc'],
  'zh-Hans': ['sc', 'jp', 'kr'],
  ja: ['jp', 'sc', 'kr'],
  ko: ['kr', 'jp', 'sc'],
}

/** A font's file and what it can set. */
export interface BillFont {
  readonly name: Script
  readonly content: Buffer
  readonly coverage: Font
}

const loaded = new Map<Script, BillFont>()

/** Noto Sans for the scripts of all four languages; each file is read when it is first needed. */
export function fontsFor(locale: Locale): BillFont[] {
  return ORDER[locale].map(load)
}

function load(name: Script): BillFont {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const { entry, file } = FILES[name]
  const content = readFileSync(join(dirname(entry()), '..', 'fonts', file))
  const font = { name, content, coverage: create(content) as Font }
  loaded.set(name, font)
  return font
}

/** A text in pieces of one font each; what no font has is set in the first. */
export function runsOf(text: string, fonts: readonly BillFont[]): { font: BillFont; text: string }[] {
  const runs: { font: BillFont; text: string }[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    const font = fonts.find(({ coverage }) => coverage.hasGlyphForCodePoint(point)) ?? fonts[0]!
    const last = runs.at(-1)
    if (last?.font === font) last.text += character
    else runs.push({ font, text: character })
  }
  return runs
}
