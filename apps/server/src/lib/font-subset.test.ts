import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { subsetFont } from './font-subset.ts'

const entry = createRequire(import.meta.url).resolve('@embedpdf/fonts-kr')

test('a small font draws its characters as the whole one does, and has no others', () => {
  const content = readFileSync(join(dirname(entry), '..', 'fonts', 'NotoSansKR-Regular.otf'))
  const whole = create(content) as Font
  const text = ' A8g–환매期\u00a0'
  const points = [...text].map((character) => character.codePointAt(0)!)
  // One that the font lacks is left out.
  const small = subsetFont(content, whole, [...points, 0x1f600])
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
  expect(font.characterSet).toEqual([...new Set(points)].sort((a, b) => a - b))
})
