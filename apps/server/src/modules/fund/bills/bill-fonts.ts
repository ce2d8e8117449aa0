import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LOCALES, type Locale } from '@rif/api-schema'
import { create, type Font } from 'fontkit'
import { subsetFont } from '../../../lib/font-subset.ts'
import { BILL_TEXTS } from './bill-texts.ts'

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

/** A font as it came, and the small one with the characters that were asked for so far. */
interface Loaded {
  readonly content: Buffer
  readonly whole: Font
  points: Set<number>
  small: Buffer
}

/** A text, or a piece of it, in one font. */
export interface Run {
  readonly script: Script
  readonly text: string
}

/** More characters than this, and a small font begins anew: names of products can be anything. */
const MOST_POINTS = 4_096

const loaded = new Map<Script, Loaded>()

/** A text in pieces of one font each; what no font has is set in the first. Each file is read when it is first needed. */
export function runsOf(text: string, locale: Locale): Run[] {
  const order = ORDER[locale]
  const runs: { script: Script; text: string }[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    const script = order.find((name) => load(name).whole.hasGlyphForCodePoint(point)) ?? order[0]!
    const last = runs.at(-1)
    if (last?.script === script) last.text += character
    else runs.push({ script, text: character })
  }
  return runs
}

/**
 * The fonts that texts of a language need, small ones: a document embeds what it uses of them, and reading 8 MB for each
 * would take fifty times as long as setting it. Which other characters a small font has changes nothing in the document.
 */
export function fontsFor(locale: Locale, texts: Iterable<string>): Map<Script, Buffer> {
  const asked = new Map<Script, string>()
  for (const text of texts)
    for (const run of runsOf(text, locale)) asked.set(run.script, (asked.get(run.script) ?? '') + run.text)
  return new Map([...asked].map(([script, text]) => [script, fontWith(script, text)]))
}

function fontWith(script: Script, text: string): Buffer {
  const font = load(script)
  const points = pointsOf(text)
  const missing = points.filter((point) => !font.points.has(point))
  if (missing.length > 0) {
    const kept = font.points.size + missing.length > MOST_POINTS ? ownPoints(script) : font.points
    font.points = new Set([...kept, ...points])
    font.small = subsetFont(font.content, font.whole, font.points)
  }
  return font.small
}

function load(script: Script): Loaded {
  const known = loaded.get(script)
  if (known !== undefined) return known
  const { entry, file } = FILES[script]
  const content = readFileSync(join(dirname(entry()), '..', 'fonts', file))
  const whole = create(content) as Font
  const points = ownPoints(script)
  const font = { content, whole, points, small: subsetFont(content, whole, points) }
  loaded.set(script, font)
  return font
}

/** What every bill may need: ASCII, and the words of the languages that are set in this font first. */
function ownPoints(script: Script): Set<number> {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index)
  const words = LOCALES.filter((locale) => ORDER[locale][0] === script)
    .flatMap((locale) => Object.values<string>({ ...BILL_TEXTS[locale] }))
    .join('')
  return new Set([...ascii, ...pointsOf(words)])
}

function pointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!)
}
