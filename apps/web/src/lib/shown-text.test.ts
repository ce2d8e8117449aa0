import { shownText } from '@rif/api-schema'
import { expect, test } from 'vitest'
import { isShownText } from './shown-text.ts'

test.each([
  '',
  '  ',
  'Maud',
  ' 김하나 ',
  '👩‍👩‍👧 ❤️',
  'a\nb',
  'a\u202eb',
  'a\u200bb',
  'a\0b',
  '\ud800',
  '\u3164',
  'Maud\u3164',
  '\u2800',
  `e${'\u0301'.repeat(30)}`,
  `e${'\u0301'.repeat(3)}`,
])('the app and the API agree about %j', (text) => {
  expect(isShownText(text)).toBe(shownText(60, { min: 0 }).safeParse(text).success)
})
