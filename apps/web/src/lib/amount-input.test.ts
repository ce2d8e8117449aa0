import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, fieldText, fieldValue, readAmount, toAmount } from './amount-input.ts'
import { formatAmount } from './format.ts'
import { intlStyle, styleOf, writeDecimal } from './number-style.ts'

const USDT = { unit: 'USDT' }

describe('readAmount', () => {
  it.each([
    ['12.5', 'en', '12.5'],
    ['12,5', 'de', '12.5'],
    ['1,234.56 USDT', 'en', '1234.56'],
    ['usdt 1,234.56', 'ja', '1234.56'],
    ['1.234,56 USDT', 'de', '1234.56'],
    ['1,234,567', 'en', '1234567'],
    ['1.234.567', 'de', '1234567'],
    ['12,34,567', 'en-IN', '1234567'],
    ["1'234.5", 'de-CH', '1234.5'],
    ['1 234,5', 'fr', '1234.5'],
    ['1\u202f234,5', 'fr', '1234.5'],
    ['１２３．５', 'ja', '123.5'],
    ['１，５００．２５', 'ja', '1500.25'],
    ['１。５', 'zh-Hans', '1.5'],
    ['١٢٣٫٥', 'ar-EG', '123.5'],
    ['١٬٢٣٤٫٥', 'ar-EG', '1234.5'],
    ['١٢٣٫٥', 'en', '123.5'],
    ['\u200f12.5\u200f', 'en', '12.5'],
    ['  007.10', 'en', '7.1'],
    ['+12.10 USDT', 'en', '12.1'],
    ['.5', 'en', '0.5'],
    ['0.125', 'en', '0.125'],
    ['0,125', 'de', '0.125'],
    ['1.125', 'en', '1.125'],
    ['0.12345600', 'en', '0.123456'],
    ['', 'en', ''],
    ['−5', 'en', '-5'],
  ])('%s in %s is %s', (text, locale, value) => {
    expect(readAmount(text, locale, USDT)).toEqual({ value })
  })

  it.each([
    ['1,500', 'en', ['1500', '1.5']],
    ['12.345', 'de', ['12345', '12.345']],
    ['1 500', 'fr', ['1500', '1.5']],
    ['1,500 USDT', 'ko', ['1500', '1.5']],
  ])('refuses the lone group of %s in %s, and offers what it may be', (text, locale, either) => {
    expect(readAmount(text, locale, USDT)).toEqual({ refusal: 'lone', either })
  })

  it.each([
    ['0,125', 'en'],
    ['0,125.50', 'en'],
    ['0,125,000', 'en'],
    ['1.5.', 'en'],
    ['0.05.', 'en'],
    ['0.75.', 'en'],
    ['1.', 'en'],
    ['1,', 'en'],
    ['1.5.2', 'en'],
    ['1,5', 'en'],
    ['1,50.00', 'en'],
    ['1,5000.00', 'en'],
    ['1,,500.00', 'en'],
    ['1.234,56', 'en'],
    ['1 234.50', 'en'],
    ["1'234.50", 'en'],
    ['12,34,567', 'en'],
    ['1.5', 'de'],
    ['12.', 'en'],
    ['.', 'en'],
  ])('refuses the separators of %s in %s', (text, locale) => {
    expect(readAmount(text, locale, USDT)).toEqual({ refusal: 'separator' })
  })

  it.each(['abc', '1e5', '0x10', '12a34', '5-3', '1 or 2', '💰', '12.5 (all)', '≈ 12', '--5'])(
    'reads no number from "%s"',
    (text) => {
      expect(readAmount(text, 'en', USDT)).toEqual({ refusal: 'notNumber' })
    },
  )

  it.each(['12 AMC', '€12.50', '$ 12', 'about 5'])('refuses another unit: %s', (text) => {
    expect(readAmount(text, 'en', USDT)).toEqual({ refusal: 'unit' })
  })

  it('refuses more decimals than a field takes, unless they are zeros', () => {
    expect(readAmount('0.12345678', 'en')).toEqual({ refusal: 'decimals' })
    expect(readAmount('1.5', 'en', { decimals: 0 })).toEqual({ refusal: 'decimals' })
    expect(readAmount('1,500.00', 'en', { decimals: 0 })).toEqual({ value: '1500' })
  })
})

/** One language tag of each way in which `Intl` writes numbers, over all its languages, regions and scripts. */
function differentLocales(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((letter) => letters.map((two) => letter + two))
  const codes = [...pairs, ...pairs.flatMap((pair) => letters.map((three) => pair + three))]
  // An old code is replaced by a tag with a script.
  const languages = Intl.NumberFormat.supportedLocalesOf(codes).filter((tag) => !tag.includes('-'))
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const regions = pairs.map((pair) => pair.toUpperCase()).filter((region) => names.of(region) !== undefined)
  const scripts = ['Arab', 'Cyrl', 'Deva', 'Latn', 'Beng', 'Guru', 'Hans', 'Hant', 'Adlm']
  const tags = [
    ...languages,
    ...languages.flatMap((language) => regions.map((region) => `${language}-${region}`)),
    ...languages.flatMap((language) => scripts.map((script) => `${language}-${script}`)),
    ...Intl.supportedValuesOf('numberingSystem').flatMap((system) => [
      `en-u-nu-${system}`,
      `fr-u-nu-${system}`,
    ]),
  ]
  const byLook = new Map<string, string>()
  for (const tag of tags) {
    const { format } = new Intl.NumberFormat(tag)
    const look = [1_234_567.25, 12_345, 1234].map(format).join(' ')
    if (!byLook.has(look)) byLook.set(look, tag)
  }
  return [...byLook.values()]
}

const LOCALES = differentLocales()
const anyLocale = fc.constantFrom(...LOCALES)
/** Of all sizes alike, so that those without and with groups are as likely. */
const anyMicros = fc
  .integer({ min: 1, max: 18 })
  .chain((digits) => fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) }))

/** An amount as the app, `Intl` and the field itself show it, with and without its unit. */
function shownForms(amount: string, locale: string): string[] {
  const exact = formatAmount(amount, { min: 2, max: 6 }, styleOf(locale))
  const intl = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
  const field = fieldText(amountText(amount), locale)
  return [exact, intl.format(amount as `${number}`), field].flatMap((text) => [
    text,
    `${text} USDT`,
    `USDT ${text}`,
    `\u2068${text}\u00a0USDT\u2069`,
  ])
}

const readValue = (text: string, locale: string) => readAmount(text, locale, USDT).value

describe('in every language of Intl', () => {
  it('knows many ways to write numbers, and writes them as Intl does', () => {
    expect(LOCALES.length).toBeGreaterThan(30)
    expect(new Set(LOCALES.map((locale) => intlStyle(locale).decimal)).size).toBeGreaterThan(2)
    fc.assert(
      fc.property(anyLocale, anyMicros, (locale, micros) => {
        const amount = formatMicros(micros)
        const intl = new Intl.NumberFormat(locale, { minimumFractionDigits: 6, maximumFractionDigits: 6 })
        expect(writeDecimal(amount, intlStyle(locale))).toBe(intl.format(amount as `${number}`))
      }),
      { numRuns: 2000 },
    )
  })

  it('shown, typed and pasted back is the same number', () => {
    fc.assert(
      fc.property(anyLocale, anyMicros, (locale, micros) => {
        const amount = formatMicros(micros)
        for (const text of shownForms(amount, locale))
          expect(toAmount(readValue(text, locale) ?? ''), `${text} in ${locale}`).toBe(amount)
      }),
      { numRuns: 3000 },
    )
  })

  it('refuses a slip of one key, or shows it as another number', () => {
    let refused = 0
    fc.assert(
      fc.property(anyLocale, anyMicros, fc.nat(), fc.nat(), fc.nat(), (locale, micros, form, at, key) => {
        const amount = formatMicros(micros)
        const forms = shownForms(amount, locale)
        const text = [...forms[form % forms.length]!]
        const style = styleOf(locale)
        const keys = [..."0123456789.,' ", style.decimal, style.group ?? '.', ...style.digits]
        const place = at % text.length
        const typed = keys[key % keys.length]!
        const slips = [
          [...text.slice(0, place), typed, ...text.slice(place)],
          [...text.slice(0, place), ...text.slice(place + 1)],
          [...text.slice(0, place), typed, ...text.slice(place + 1)],
          [...text.slice(0, place), text[place + 1] ?? '', text[place]!, ...text.slice(place + 2)],
        ]
        for (const slip of slips.map((chars) => chars.join(''))) {
          const value = readValue(slip, locale)
          if (value === undefined) refused++
          // Words under a field are the same only for the same number, and can be typed themselves.
          else if (value !== '') {
            const words = writeDecimal(value, style)
            const [whole = '', fraction = ''] = value.split('.')
            const shown = writeDecimal(`${whole}.${fraction.padEnd(2, '0')}`, style)
            expect(readValue(shown, locale), `${slip} in ${locale}`).toBe(value)
            if (toAmount(value) !== amount) expect(words).not.toBe(writeDecimal(amountText(amount), style))
          }
        }
      }),
      { numRuns: 5000 },
    )
    expect(refused).toBeGreaterThan(1000)
  })

  it('never moves the decimal separator by a slip in a separator of a grouped amount', () => {
    fc.assert(
      fc.property(
        anyLocale,
        fc.bigInt({ min: 10n ** 12n, max: 10n ** 18n }),
        fc.nat(),
        (locale, micros, at) => {
          const style = styleOf(locale)
          fc.pre(style.group !== null)
          const text = [...formatAmount(formatMicros(micros), { min: 2, max: 6 }, style)]
          const places = text.flatMap((char, place) =>
            char === style.decimal || char === style.group ? [place] : [],
          )
          const place = places[at % places.length]!
          for (const typed of ['', '.', ',', ' ', style.decimal, style.group!]) {
            const slip = [...text.slice(0, place), typed, ...text.slice(place + 1)].join('')
            const amount = toAmount(readValue(slip, locale) ?? '')
            if (amount !== null) expect(amount, `${slip} in ${locale}`).toBe(formatMicros(micros))
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('has the numbers of the texts in the style of their languages', () => {
    for (const locale of ['en', 'ja', 'ko', 'zh-Hans']) expect(styleOf(locale)).toEqual(intlStyle(locale))
  })
})

describe('the value of a field', () => {
  it('is a plain decimal or a refused text, which no form takes', () => {
    for (const text of ['1.500', '12.345', '1.5.', 'abc', '12 AMC']) {
      const value = fieldValue(text, readAmount(text, 'de', USDT))
      expect([fieldText(value, 'de'), toAmount(value)]).toEqual([text, null])
    }
    expect(fieldText('1500', 'en')).toBe('1500.00')
    expect(fieldText('1500.125', 'de')).toBe('1500,125')
    expect(fieldText('19', 'en', 0)).toBe('19')
  })

  it('is an amount above zero within the digits of the server', () => {
    expect(toAmount('12')).toBe(formatMicros(parseMicros('12')))
    for (const value of ['', '0', '0.0', '-5', '12.', '12345678901234']) expect(toAmount(value)).toBeNull()
  })
})
