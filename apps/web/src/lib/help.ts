import type { ErrorCode, Locale } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { wordsOf } from './i18n.ts'
import { currentLocale } from './language.ts'
import type { Texts, Values } from './texts.ts'

/** The articles of the help, in the order of the help page, each with related ones. */
export const ARTICLES = {
  stuck: ['fees', 'network', 'buy'],
  network: ['stuck', 'signIn'],
  claim: ['withdraw', 'review', 'fees'],
  lessPaid: ['coverage', 'rewards'],
  review: ['withdraw', 'addresses'],
  rewards: ['coverage', 'lessPaid', 'locked'],
  coverage: ['lessPaid', 'solvency'],
  solvency: ['coverage', 'paused'],
  lostWallet: ['safety', 'addresses'],
  redemption: ['fees', 'locked'],
  addresses: ['review', 'safety'],
  fees: ['network', 'withdraw'],
  paused: ['solvency', 'claim'],
  locked: ['rewards', 'redemption'],
  withdraw: ['claim', 'review', 'fees'],
  signIn: ['network', 'safety'],
  buy: ['rewards', 'stuck'],
  safety: ['addresses', 'lostWallet'],
} as const satisfies Record<string, readonly string[]>

export type Article = keyof typeof ARTICLES

/** Reports whether a text from a URL is the name of an article. */
export const isArticle = (name: string): name is Article => Object.hasOwn(ARTICLES, name)

/** The terms of the glossary, each with its main article. */
export const TERMS = {
  coverage: 'coverage',
  claim: 'claim',
  ceiling: 'rewards',
  static: 'rewards',
  binary: 'rewards',
  pairing: 'rewards',
  carry: 'rewards',
  settlement: 'rewards',
  pool: 'coverage',
  attested: 'rewards',
  nav: 'redemption',
  unit: 'redemption',
  redemption: 'redemption',
  valuation: 'redemption',
  rif: 'buy',
  amc: 'locked',
  vc: 'buy',
  dividend: 'rewards',
  available: 'locked',
  locked: 'locked',
  level: 'addresses',
  limit: 'addresses',
  networkFee: 'fees',
  ratio: 'solvency',
  snapshot: 'solvency',
  savings: 'locked',
} as const satisfies Record<string, Article>

export type TermName = keyof typeof TERMS

/**
 * States of a screen that link to an article, besides error codes. `flow.` are the problems of a transaction.
 */
const STATES = {
  'flow.slow': 'stuck',
  'flow.replaced': 'stuck',
  'flow.checkLater': 'stuck',
  'flow.wrongChain': 'network',
  'flow.unknownChain': 'network',
  'flow.notEnoughForFee': 'fees',
  'flow.notEnoughTokens': 'buy',
  'flow.expired': 'buy',
  'flow.mismatch': 'safety',
  'flow.contractRefuses': 'claim',
  'flow.noWallet': 'signIn',
  'flow.locked': 'signIn',
  'flow.wrongAccount': 'signIn',
  'withdrawal.review': 'review',
  'withdrawal.claim': 'claim',
  'withdrawal.rejected': 'review',
  'withdrawals.empty': 'withdraw',
  'reward.less': 'lessPaid',
  'rewards.empty': 'rewards',
  'coverage.none': 'coverage',
  'redemption.waits': 'redemption',
  'addresses.waits': 'addresses',
  'solvency.notProven': 'solvency',
  'signIn.failed': 'signIn',
  guard: 'paused',
  paused: 'paused',
} as const satisfies Record<string, Article>

/** Error codes of the API that link to an article. */
const ERRORS = {
  WRONG_CHAIN: 'network',
  CHAIN_UNAVAILABLE: 'stuck',
  PAID_ON_CHAIN: 'stuck',
  PAYMENT_NOT_FINAL: 'stuck',
  ORDER_OPEN: 'buy',
  ORDER_EXPIRED: 'buy',
  ORDER_BANK_CLOSED: 'buy',
  QUOTE_EXPIRED: 'buy',
  QUOTE_CHANGED: 'buy',
  SOLD_OUT: 'buy',
  CLAIM_STILL_VALID: 'claim',
  CLAIM_NOT_FINAL_YET: 'claim',
  CLAIM_NOT_APPROVED: 'claim',
  CLAIM_NOT_SIGNED: 'claim',
  CLAIM_KEY_CHANGING: 'claim',
  NOTHING_TO_CLAIM: 'claim',
  SIGNER_UNAVAILABLE: 'claim',
  SIGNER_LIMIT: 'claim',
  DAILY_LIMIT: 'addresses',
  ADDRESS_NOT_SAVED: 'addresses',
  ADDRESS_TOO_NEW: 'addresses',
  CONTACTS_FULL: 'addresses',
  SIGNATURE_REQUIRED: 'addresses',
  AMOUNT_NOT_ABOVE_FEE: 'fees',
  INSUFFICIENT_BALANCE: 'locked',
  UNITS_NOT_REDEEMABLE: 'redemption',
  UNITS_LIMITED: 'redemption',
  NAV_STALE: 'redemption',
  NAV_TOO_LOW: 'redemption',
  REDEMPTION_FINAL: 'redemption',
  PAUSED: 'paused',
  GUARD_CLOSED: 'paused',
  MEMBER_FROZEN: 'lostWallet',
  NOT_IN_REPORT: 'solvency',
  INVITATION_REQUIRED: 'signIn',
  INVITATION_INVALID: 'signIn',
  MESSAGE_INVALID: 'signIn',
  NONCE_INVALID: 'signIn',
  SIGNATURE_INVALID: 'signIn',
} as const satisfies Partial<Record<ErrorCode, Article>>

/** The single table of links to articles. */
export const HELP_ABOUT: Readonly<Record<string, Article>> = { ...ERRORS, ...STATES }

/** The subject of a link to the help: a state of a screen or an error code. */
export type HelpAbout = keyof typeof STATES | keyof typeof ERRORS

type Kind = 'help' | 'terms'
const files: Record<Kind, Record<string, () => Promise<Texts>>> = {
  help: import.meta.glob<Texts>('../locales/help/*.json', { query: '?part=whole', import: 'default' }),
  terms: import.meta.glob<Texts>('../locales/terms/*.json', { query: '?part=whole', import: 'default' }),
}

/** Loads the articles or the glossary of a language. */
export async function loadHelp(kind: Kind, locale: Locale): Promise<Texts> {
  const load = files[kind][`../locales/${kind}/${locale}.json`]
  if (load === undefined) throw new Error(`no ${kind} for ${locale}`)
  return load()
}

/** The articles or the glossary in the current language, loaded when a page or a tap needs them. */
export function useHelpTexts(kind: Kind) {
  const locale = currentLocale()
  return useQuery({ queryKey: [kind, locale], queryFn: () => loadHelp(kind, locale), staleTime: Infinity })
}

/** Returns a text with its values, in the current language; empty if there is none. */
export function helpText(texts: Texts, key: string, values: Values = {}): string {
  const message = texts[key]
  return typeof message === 'function' ? message(values, wordsOf(currentLocale())) : (message ?? '')
}

/** The name and the explanation of a term. */
export const termOf = (texts: Texts, name: TermName) => ({
  name: helpText(texts, `${name}.0`),
  text: helpText(texts, `${name}.1`),
})

/** Returns an article with its figures. */
export function articleOf(texts: Texts, name: Article, values: Values = {}) {
  const parts: { title: string; text: string }[] = []
  while (texts[`${name}.parts.${parts.length}.0`] !== undefined) {
    const key = `${name}.parts.${parts.length}`
    parts.push({ title: helpText(texts, `${key}.0`, values), text: helpText(texts, `${key}.1`, values) })
  }
  return {
    title: helpText(texts, `${name}.title`, values),
    lead: helpText(texts, `${name}.lead`, values),
    words: helpText(texts, `${name}.words`),
    parts,
  }
}
