import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Route, routes } from './index.ts'
import { shownText } from './primitives.ts'

interface Definition {
  readonly type: string
  readonly format?: string
  readonly checks?: readonly { readonly _zod: { readonly def: { check: string; format?: string } } }[]
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly in?: z.ZodType
  readonly getter?: () => z.ZodType
}

const WITHOUT_TEXT = new Set(['number', 'boolean', 'enum', 'literal', 'null'])

/** Returns the paths of texts without a pattern, and of values of any form. */
function bareTexts(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = schema._zod.def as unknown as Definition
  const inside = (inner: z.ZodType, step: string) => bareTexts(inner, `${path}${step}`, seen)
  if (def.type === 'string') {
    const formats = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)].map(({ format }) => format)
    // An address of the web is parsed, and parsing overlooks some characters.
    return formats.some((format) => format !== undefined && format !== 'url') ? [] : [path]
  }
  if (WITHOUT_TEXT.has(def.type)) return []
  const parts = [
    ...Object.entries(def.shape ?? {}).map(([field, inner]) => inside(inner, `.${field}`)),
    ...(def.options ?? []).map((inner) => inside(inner, '')),
    ...[def.element, def.innerType, def.in, def.getter?.()].map((inner) => (inner ? inside(inner, '') : [])),
    ...[def.keyType, def.valueType].map((inner) => (inner ? inside(inner, '{}') : [])),
  ]
  return parts.length === 0 ? [`${path} (${def.type})`] : parts.flat()
}

const requests = Object.entries(routes as Record<string, Route>).flatMap(([name, { params, query, body }]) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined ? [] : [[`${name} ${part}`, schema] as const],
  ),
)

test('every text of a request has a pattern', () => {
  expect(requests.length).toBeGreaterThan(100)
  expect(requests.flatMap(([path, schema]) => bareTexts(schema, path))).toEqual([])
})

describe('a text that is stored, shown or searched', () => {
  const accepts = (text: string, options = {}) => shownText(60, options).safeParse(text).success

  test.each([
    'Maud',
    '김하나',
    '葛\u{e0100}城',
    'नमस्ते',
    'שָׁלוֹם',
    '👩‍👩‍👧 ❤️',
    'e\u0301',
    '⠓⠊⠀⠓⠊',
    '100 % = 5 < 7',
  ])('may be %s', (text) => {
    expect([accepts(text), accepts(text, { lines: true })]).toEqual([true, true])
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \u3000\t'],
    ['NUL', 'a\0b'],
    ['an escape', 'a\u001b[2Jb'],
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', 'a\udc00b'],
    ['an override of the direction', 'a\u202eb'],
    ['an isolate', 'a\u2066b'],
    ['an invisible character', 'a\u200bb'],
    ['a paragraph separator', 'a\u2029b'],
    ['a carriage return', 'a\rb'],
    ['Hangul fillers', '\u3164\u3164'],
    ['other Hangul fillers', '\u115f\u1160\uffa0'],
    ['a Hangul filler in a name', 'Maud\u3164'],
    ['Braille blanks', '\u2800\u2800'],
    ['joiners', '\u200d\u200d'],
    ['combining marks alone', '\u0301\u0301'],
    ['30 combining marks in a row', `e${'\u0301'.repeat(30)}`],
  ])('is never %s', (_, text) => {
    expect([accepts(text), accepts(text, { lines: true })]).toEqual([false, false])
  })

  test('has line breaks only where a text has paragraphs', () => {
    for (const text of ['a\n\nAMOUNT: 1 USDT', 'a\r\nb', 'a\tb'])
      expect([accepts(text), accepts(text, { lines: true })]).toEqual([false, true])
  })

  test('may be empty only where that means something', () => {
    expect([accepts('', { min: 0 }), accepts('  ', { min: 0 }), accepts('\u2800', { min: 0 })]).toEqual([
      true,
      true,
      false,
    ])
  })
})
