import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CONFUSABLES } from './confusables.gen.ts'
import { lookAlike } from './look-alike-names.ts'

describe('names that look alike', () => {
  test.each([
    ['the same', 'Maud', 'Maud'],
    ['another case', 'mallory', 'Mallory'],
    ['a zero-width space', 'Maud', 'Maud\u200b'],
    ['a soft hyphen', 'Maud', 'Ma\u00adud'],
    ['an override of the direction', 'Maud', '\u202eMaud'],
    ['a Hangul filler', 'Maud', 'Maud\u3164'],
    ['a variation selector', 'Maud', 'Maud\ufe0f'],
    ['a Braille blank', 'Maud Li', 'Maud\u2800Li'],
    ['other white space', 'Maud Li', 'Maud\u3000 Li'],
    ['a Cyrillic letter', 'Maud', 'M\u0430ud'],
    ['Cyrillic capitals', 'MAPTA', '\u041c\u0410\u0420\u0422\u0410'],
    ['Greek letters', 'Otto', '\u039ftt\u03bf'],
    ['full-width letters', 'Maud', '\uff2d\uff41\uff55\uff44'],
    ['mathematical letters', 'Maud', '\u{1d40c}\u{1d41a}\u{1d42e}\u{1d41d}'],
    ['I, l and 1', 'Iris 1', 'lris l'],
    ['O and 0', 'Otto', '0tt0'],
    ['m and rn', 'Marnie', 'Mamie'],
    ['composed and decomposed', 'José', 'Jose\u0301'],
    ['sigma at the end', 'ΜΑΡΙΟΣ', 'Μαριος'],
    ['sharp s', 'Groß', 'GROSS'],
  ])('%s', (_, a, b) => {
    expect([lookAlike(a, b), lookAlike(b, a)]).toEqual([true, true])
  })

  test.each([
    ['Maud', 'Maude'],
    ['Vera', 'Nera'],
    ['Owner 1', 'Owner 2'],
    ['김하나', '김하늘'],
    ['佐藤', '斎藤'],
    ['José', 'Jose'],
    ['Alina', 'Anila'],
  ])('%s and %s do not', (a, b) => {
    expect([lookAlike(a, b), lookAlike(b, a)]).toEqual([false, false])
  })

  test('are found by the pinned table of Unicode 17', () => {
    expect(createHash('sha256').update(CONFUSABLES).digest('hex')).toBe(
      '401a5723fed32a9e32d4ac458cb48e3f729b2d675da1d9d8a2611d3c57cea316',
    )
  })
})
