import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { fontsFor } from './pdf-fonts.ts'

const entry = createRequire(import.meta.url).resolve('@embedpdf/fonts-kr')

test('a subset font draws its characters like the whole font, and has no others', async () => {
  const content = readFileSync(join(dirname(entry), '..', 'fonts', 'NotoSansKR-Regular.otf'))
  const whole = create(content) as Font
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index)
  const text = '–환매期\u00a0'
  const points = [...ascii, ...Array.from(text, (character) => character.codePointAt(0)!)]
  // The fonts lack the last character.
  const fonts = await fontsFor('ko', [text, '\u{1f600}'])
  expect([...fonts.keys()]).toEqual(['kr'])
  const small = fonts.get('kr')!
  expect(small.length).toBeLessThan(10_000)
  const font = create(small) as Font
  expect([font.unitsPerEm, font.ascent, font.descent]).toEqual([
    whole.unitsPerEm,
    whole.ascent,
    whole.descent,
  ])
  for (const point of points) {
    const [drawn, original] = [font, whole].map((each) => each.glyphForCodePoint(point))
    expect(drawn!.path.commands).toEqual(original!.path.commands)
    expect(drawn!.advanceWidth).toBe(original!.advanceWidth)
  }
  // fontkit also lists the end mark of the character map, U+FFFF.
  const characterSet = font.characterSet.filter((point) => point !== 0xffff)
  expect(characterSet.toSorted((a, b) => a - b)).toEqual([...new Set(points)].sort((a, b) => a - b))
})
