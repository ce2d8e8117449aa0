import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Locale } from '@rif/api-schema'
import { create, type Font } from 'fontkit'
import subsetFont from 'subset-font'
import { remembered } from './remembered.ts'

type Script = 'sc' | 'jp' | 'kr'

const require = createRequire(import.meta.url)

/** The entry of the package of each script's font, and the font's file name. */
const FILES: Readonly<Record<Script, readonly [entry: () => string, file: string]>> = {
  sc: [() => require.resolve('@embedpdf/fonts-sc'), 'NotoSansHans-Regular.otf'],
  jp: [() => require.resolve('@embedpdf/fonts-jp'), 'NotoSansJP-Regular.otf'],
  kr: [() => require.resolve('@embedpdf/fonts-kr'), 'NotoSansKR-Regular.otf'],
}

/**
 * The fonts of a language in order of preference: each character uses the first that has it. Every font has
 * Latin letters and digits.
 */
const ORDER: Readonly<Record<Locale, readonly Script[]>> = {
  en: ['jp', 'kr', 'sc'],
  'zh-Hans': ['sc', 'jp', 'kr'],
  ja: ['jp', 'sc', 'kr'],
  ko: ['kr', 'jp', 'sc'],
}

/** A text, or a piece of it, in one font. */
export interface Run {
  readonly script: Script
  readonly text: string
}

/** The maximum number of cached subsets, of about 15 kB each. */
const MOST_SUBSETS = 256
/** Documents are typeset without hints, ligatures, kerning and vertical lines. */
const SUBSET_OPTIONS = {
  noHinting: true,
  noLayoutClosure: true,
  keepFeatures: [],
  dropTables: ['GSUB', 'GPOS', 'GDEF', 'BASE', 'VORG', 'vhea', 'vmtx'],
}
const ASCII = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index))

const wholeFonts = new Map<Script, { readonly content: Buffer; readonly font: Font }>()
const subsets = remembered<string, Promise<Buffer>>(MOST_SUBSETS)

/**
 * Splits a text into runs of one font each. A character that no font has uses the first font of the language.
 */
export function runsOf(text: string, locale: Locale): Run[] {
  const order = ORDER[locale]
  const runs: { script: Script; text: string }[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    const script = order.find((name) => wholeFont(name).font.hasGlyphForCodePoint(point)) ?? order[0]!
    const last = runs.at(-1)
    if (last?.script === script) last.text += character
    else runs.push({ script, text: character })
  }
  return runs
}

/**
 * Returns the fonts that a document with these texts embeds, each with only the characters of the texts and
 * of ASCII: pdfkit would need fifty times as long to read a whole font of 8 MB. The fonts depend only on the
 * texts.
 */
export async function fontsFor(locale: Locale, texts: Iterable<string>): Promise<Map<Script, Buffer>> {
  const characters = new Map<Script, Set<string>>([[ORDER[locale][0]!, new Set(ASCII)]])
  for (const text of texts) {
    for (const run of runsOf(text, locale)) {
      characters.set(run.script, new Set([...(characters.get(run.script) ?? ASCII), ...run.text]))
    }
  }
  const fonts = [...characters].map(async ([script, set]) => [script, await subsetOf(script, set)] as const)
  return new Map(await Promise.all(fonts))
}

function subsetOf(script: Script, characters: ReadonlySet<string>): Promise<Buffer> {
  const text = [...characters].sort().join('')
  return subsets(script + text, [], () => subsetFont(wholeFont(script).content, text, SUBSET_OPTIONS))
}

/** Reads a script's font on first use. */
function wholeFont(script: Script) {
  const cachedFont = wholeFonts.get(script)
  if (cachedFont !== undefined) return cachedFont
  const [entry, file] = FILES[script]
  const content = readFileSync(join(dirname(entry()), '..', 'fonts', file))
  const whole = { content, font: create(content) as Font }
  wholeFonts.set(script, whole)
  return whole
}
