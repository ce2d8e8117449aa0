import { HEADLINES, PROPOSAL_KINDS } from '@rif/api-schema'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, it } from 'vitest'
import type { Translate } from '../../../lib/index.ts'
import en from '../../../locales/en.json'
import ja from '../../../locales/ja.json'
import ko from '../../../locales/ko.json'
import zhHans from '../../../locales/zh-Hans.json'
import { itemText, proposedValue, sentenceOf } from './proposal-words.ts'

type Texts = { [name: string]: string | Texts }
const LOCALES: readonly (readonly [string, Texts])[] = [
  ['en', en],
  ['ja', ja],
  ['ko', ko],
  ['zh-Hans', zhHans],
]
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Every possible value of a sentence, in the server's format. */
const VALUES = {
  amount: '1200.000000',
  asset: 'USDT',
  amount2: '3.500000',
  asset2: 'AMC',
  to: TO,
  worth: '830.000000',
  price: '0.500000',
  rate: '2.000000',
  cap: '25.000000',
  count: '3',
  day: '2026-12-01',
  units: '24',
  person: 'Vera',
  role: 'approver',
  area: 'orders',
  pool: 'yield_pool',
  name: 'RIF Rental Income',
  member: '7',
  event: 'OrderPaid',
  block: '81',
  seq: '12',
  host: 'events.example.com',
  list: 'IR, KP',
  currency: 'EUR',
}

const translatorOf = ([locale, texts]: (typeof LOCALES)[number]): Translate =>
  ((key: string, values: Record<string, string | number> = {}) => {
    const text = key.split('.').reduce<string | Texts>((branch, name) => (branch as Texts)[name]!, texts)
    return String(new IntlMessageFormat(text as string, locale).format(values))
  }) as Translate
const t = translatorOf(LOCALES[0]!)

it.each(LOCALES.flatMap((locale) => HEADLINES.map((name) => [locale[0], name, locale] as const)))(
  'says in %s what %s does, with all its values',
  (_locale, name, locale) => {
    const text = sentenceOf(translatorOf(locale), { name, values: VALUES })
    expect(text).not.toMatch(/[{}]|undefined|\d\.\d{6}/)
    expect(text).not.toContain(TO)
    expect(text.length).toBeGreaterThanOrEqual(4)
  },
)

it('shows an approval as a sentence, and not as the signed machine-readable text', () => {
  const values = { amount: '1200.000000', asset: 'USDT', to: TO }
  expect(sentenceOf(t, { name: 'release', values })).toBe('Release 1,200.00 USDT to 0x70997970C5…17dc79C8')
  expect(itemText(`2: 1200.000000 USDT -> ${TO.toLowerCase()}`)).toBe(
    '#2 · 1,200.00 USDT → 0x70997970c5…17dc79c8',
  )
  expect(proposedValue(t, 'attested', '40.000000 USDT')).toBe('40.00 USDT')
  const refund = { amount: '5.000000', asset: 'AMC', to: TO }
  expect(sentenceOf(t, { name: 'refund', values: refund })).toBe(
    'Give 5.00 AMC back to 0x70997970C5…17dc79C8, with the usual fee to withdraw',
  )
  expect(sentenceOf(t, { name: 'refund_free', values: refund })).toBe(
    'Give 5.00 AMC back to 0x70997970C5…17dc79C8, free to withdraw',
  )
})

it('names every kind of proposal', () => {
  for (const kind of PROPOSAL_KINDS) expect((en.admin.kind as Record<string, string>)[kind]).toBeTruthy()
})
