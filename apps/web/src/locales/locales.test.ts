import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { LANGUAGE_OPTIONS, resolveLocale, type Translate, textLocale } from '../lib/index.ts'
import en from './en.json'
import ja from './ja.json'
import ko from './ko.json'
import zhHans from './zh-Hans.json'

type Texts = { [key: string]: string | Texts }

function flatten(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flatten(value, `${path}${key}.`),
  )
}

/** The type of plain text in a parsed ICU message. */
const LITERAL = 0

/** The names of a message's arguments; throws when it is no valid ICU message. */
function argumentsOf(message: string): string[] {
  const names = new Set<string>()
  const visit = (elements: ReturnType<IntlMessageFormat['getAst']>) => {
    for (const element of elements) {
      if (!('value' in element) || element.type === LITERAL) continue
      names.add(element.value)
      if ('options' in element) for (const option of Object.values(element.options)) visit(option.value)
    }
  }
  visit(new IntlMessageFormat(message, 'en').getAst())
  return [...names].sort()
}

const english = flatten(en)

/** The messages that the specification defines (sections 5, 8 and 9), by the key of their text. */
const SPECIFIED = {
  'withdrawals.problem.addressRequired': 'please enter address',
  'exchange.problem.amountRequired': 'please enter amount',
  'fault.address': 'Invalid address',
  'savings.problem.amountRequired': 'Please enter an amount',
  'savings.problem.amountInvalid': 'Please enter a valid amount',
  'fault.none_available': 'The balance is insufficient',
  'wallet.problem.notEnoughTokens': 'The token balance is insufficient',
  'wallet.problem.transferFailed': 'The payment failed',
  'wallet.problem.closed': 'Order status cannot be modified',
  'wallet.problem.checkLater': 'Please try again later to check the status of your order',
  'common.loadFailed': 'Load Failed',
  'common.copySuccess': 'Copy success',
  'withdrawals.success.submitted': 'Withdrawal request submitted',
  'transfers.success': 'Transfer successful',
  'savings.in.success': 'Transfer In Successful',
  'savings.out.success': 'Transfer Out Successful',
}

it('has the messages of the specification', () => {
  expect(Object.fromEntries(english.filter(([key]) => key in SPECIFIED))).toEqual(SPECIFIED)
})

/**
 * Words that no English text contains, with the keys that are exempt: `look/look.md` gives each thing one
 * name, the specification defines some.
 */
const FORBIDDEN: readonly (readonly [words: RegExp, allowed: readonly string[]])[] = [
  // RIF; "hash power" only explains it. The exchange centre's shares are labels of the specification.
  [
    /hash[ -]?(power|rate)|warrant/i,
    [
      'hashPower.about',
      'home.apart.rif',
      'my.detail.rif',
      'my.discount',
      'shop.quote.discount',
      'shop.detail.discount',
    ],
  ],
  // Terms of the server.
  [/\bAuditing\b|\bWithdrawable\b|\bUnPaid\b|[a-z]_[a-z]+_[a-z]/, []],
  [/Simple Earn|EasyEarn/, ['savings.title']],
  [/Load Failed/, ['common.loadFailed']],
  [/insufficient/i, ['fault.none_available', 'wallet.problem.notEnoughTokens']],
  [/\bfetch/i, []],
  [/nothing has happened/i, []],
  // Nobody can promise that; a pause or an error says that balances do not change.
  [/(money|funds?) (is|are) safe/i, []],
  // Words that urge, praise or promise.
  [/guarantee|risk[- ]free|passive income|hurry|don.t miss|congratulations|\bAPY\b|annualised|!/i, []],
]

it.each(FORBIDDEN)('no English text contains %s, except exempt ones', (words, allowed) => {
  const matchingKeys = english
    .filter(([, text]) => words.test(text.replace(/\{[^{}]*[,}]/g, '')))
    .map(([key]) => key)
  expect(matchingKeys.filter((key) => !allowed.includes(key))).toEqual([])
  // An exemption that is no longer needed must be removed.
  expect(allowed.filter((key) => !matchingKeys.includes(key))).toEqual([])
})

/**
 * Words for a debt, by language. Rewards, interest and dividends before coverage are `calculated`: what a pool
 * cannot cover is not owed later.
 */
const DEBTS = [
  ['en', en, /\b(due|owe[ds]?|owing|payable)\b/i],
  ['ja', ja, /支払うべき|支払義務|支払予定|発生額|対象額|債務/],
  ['ko', ko, /갚|지급 예정|지급 대상|발생액|예정액|채무/],
  ['zh-Hans', zhHans, /应付|应发|应得|欠/],
] as const

/** Texts about what is really owed to members, to the operator or by it: balances, approved redemptions, prices. */
const REAL_DEBTS = new RegExp(
  [
    '^(heldOwed|adminSolvency|admin\\.treasury|admin\\.reorganisation|admin\\.desk\\.cash|owed)\\.',
    '^(home\\.held|areas\\.solvency|info\\.solvency|info\\.terms\\.payouts\\.text|wallet\\.problem\\.notCovered)$',
    '^(admin\\.field\\.debt|admin\\.guard\\.about|admin\\.brief\\.(owed|ratio)|adminAnalytics\\.holdings\\.ratio)$',
    '^(adminAnalytics\\.account\\.exit_hold|adminSearch\\.order\\.due|desk\\.(health\\.owed|trends\\.ratio))$',
    '^(desk\\.orders\\.due|entry\\.account\\.shortfall|help\\.solvency\\..*|help\\.buy\\..*)$',
    '^(terms\\.(ratio|snapshot)\\..*)$',
  ].join('|'),
)

/** Sentences that say that something is no debt, and the words by which the search finds an article. */
const NOT_OWED = /[^.]*\b(not|nothing is) owed later[^.]*\./gi
const SOUGHT = /^help\.\w+\.words$/

it.each(DEBTS)('calls no reward a debt in %s', (locale, texts, words) => {
  const read = (part: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, part, `${locale}.json`), 'utf8')) as Texts
  const all = flatten({ ...texts, help: read('help'), terms: read('terms') } as Texts)
  expect(all.length).toBeGreaterThan(4000)
  const matchingTexts = all.filter(
    ([key, text]) =>
      !REAL_DEBTS.test(key) &&
      !SOUGHT.test(key) &&
      words.test(text.replace(NOT_OWED, '').replace(/\{[^{}]*[,}]/g, '')),
  )
  expect(matchingTexts).toEqual([])
})

describe.each([
  ['zh-Hans', zhHans, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
  ['ja', ja, /\p{Script=Hangul}/u],
  ['ko', ko, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
])('the texts in %s', (_, texts, foreignScript) => {
  const own = new Map(flatten(texts))

  it('have exactly the keys of the English ones', () => {
    expect([...own.keys()].sort()).toEqual(english.map(([key]) => key).sort())
  })

  it('take the same arguments', () => {
    const expected = Object.fromEntries(english.map(([key, text]) => [key, argumentsOf(text)]))
    expect(Object.fromEntries([...own].map(([key, text]) => [key, argumentsOf(text)]))).toEqual(expected)
  })

  it('print the same arguments as numbers', () => {
    const bare = english.flatMap(([key, text]) =>
      [...text.matchAll(/\{(\w+), (?:plural|number)/g)]
        .filter(([, name]) => own.get(key)?.includes(`{${name}}`))
        .map(([, name]) => `${key} ${name}`),
    )
    expect(bare).toEqual([])
  })

  it('contain no other language’s script', () => {
    expect([...own].filter(([, text]) => foreignScript.test(text))).toEqual([])
  })

  it('are complete', () => {
    expect([...own].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

describe('the choice of a language', () => {
  it('maps tags as the runtime does', () => {
    expect(['zh', 'zh-TW', 'zh-Hant', 'yue-zh', 'ko-KR', 'ja', 'fr', 'en-GB', 'jam'].map(textLocale)).toEqual(
      ['zh-Hans', 'zh-Hans', 'zh-Hans', 'zh-Hans', 'ko', 'ja', 'en', 'en', 'en'],
    )
  })

  it('offers twelve options, the first being the browser language', () => {
    expect(LANGUAGE_OPTIONS).toHaveLength(12)
    expect(resolveLocale('system', 'ja-JP')).toBe('ja')
    expect(resolveLocale('th', 'ja-JP')).toBe('en')
  })
})

it('has its keys checked by the compiler', () => {
  const ask = (t: Translate) => [
    t('common.all'),
    t('team.invitedBy', { name: 'Ann' }),
    // @ts-expect-error a key that is in no text
    t('common.noSuchKey'),
  ]
  expect(ask((key) => key)).toHaveLength(3)
})
