import { ERROR_CODES } from '@rif/api-schema'
import { expect, test } from 'vitest'
import { MESSAGES } from './messages.ts'

/** The script that each language requires and the scripts that it excludes. */
const SCRIPTS = {
  en: { has: /[a-z]/i, hasNot: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u },
  'zh-Hans': { has: /\p{Script=Han}/u, hasNot: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u },
  ja: { has: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, hasNot: /\p{Script=Hangul}/u },
  ko: { has: /\p{Script=Hangul}/u, hasNot: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u },
} as const

test.each(Object.entries(SCRIPTS))(
  'every refusal has a text in the script of %s',
  (locale, { has, hasNot }) => {
    const texts = ERROR_CODES.map((code) => [code, MESSAGES[code][locale as keyof typeof SCRIPTS]] as const)
    expect(texts.filter(([, text]) => !has.test(text) || hasNot.test(text))).toEqual([])
  },
)

test('no two refusals of a language share a text', () => {
  for (const locale of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
    const texts = ERROR_CODES.map((code) => MESSAGES[code][locale])
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  }
})
