import type { Locale, RouteInput } from '@rif/api-schema'
import { isAmount, LOWEST_NAV_MICROS, parseMicros } from '@rif/rules'
import { toAmount } from '../../../lib/index.ts'
import type { Checked } from '../../../ui/index.ts'

type Body = Extract<RouteInput<'prepareProposal'>['body'], { kind: 'fund_product' }>
type Payload = Body['payload']
export type Paper = Payload['documents'][number]

export const LANGUAGES = ['en', 'zh-Hans', 'ja', 'ko'] as const satisfies readonly Locale[]
export const RISKS = ['1', '2', '3', '4', '5'] as const
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
export const MAX_PAPERS = 5
/** The maximum total size of a product's documents. */
export const MAX_PAPER_BYTES = 500_000

/** A typed new product: only texts, so that it survives a reload. `papers` is the JSON of `Paper[]`. */
export const EMPTY_PRODUCT = {
  name: '',
  en: '',
  'zh-Hans': '',
  ja: '',
  ko: '',
  risk: '3' as (typeof RISKS)[number],
  annual: '',
  opening: '',
  minimum: '',
  lock: '0',
  weekdays: '12345',
  sold: '25',
  memberUnits: '',
  maxUnits: '',
  subscription: '',
  redemption: '',
  management: '',
  papers: '[]',
}
export type ProductText = typeof EMPTY_PRODUCT
type ProductField = keyof ProductText

const MAX_ANNUAL_PPM = 10_000_000
const MAX_FEE_PPM = 1_000_000
const MAX_LOCK_DAYS = 36_500

export const papersOf = (text: ProductText): readonly Paper[] => JSON.parse(text.papers) as Paper[]

/** Returns the total size of the documents in bytes. */
export const bytesOf = (papers: readonly Paper[]) =>
  papers.reduce((sum, { content }) => sum + Math.floor((content.length * 3) / 4), 0)

/** Returns a percentage as exact parts per million; null if it is invalid or above `most`. */
function ppmOf(text: string, most: number): number | null {
  const [, whole, decimals = ''] = /^(\d{1,4})(?:\.(\d{1,4}))?$/.exec(text.trim() || '0') ?? []
  if (whole === undefined) return null
  const ppm = Number(`${whole}${decimals.padEnd(4, '0')}`)
  return ppm <= most ? ppm : null
}

const unitsOf = (text: string): string | null => text.trim() || null

/** The problems of a field; the screens have their texts. */
type ProductProblem = 'bad' | 'invalid' | 'noWeekday' | 'badPapers'

/** Reads the proposal, or the problem of each field. */
export function readProduct(
  text: ProductText,
): Checked<ProductText, { ok: true; payload: Payload }, ProductProblem> {
  const minimum = toAmount(text.minimum)
  const opening = toAmount(text.opening)
  const lock = /^\d{1,5}$/.test(text.lock.trim()) ? Number(text.lock) : null
  const papers = papersOf(text)
  const ppm = {
    annual: ppmOf(text.annual, MAX_ANNUAL_PPM),
    subscription: ppmOf(text.subscription, MAX_FEE_PPM),
    redemption: ppmOf(text.redemption, MAX_FEE_PPM),
    management: ppmOf(text.management, MAX_FEE_PPM),
    sold: ppmOf(text.sold, MAX_FEE_PPM),
  }
  const problems: Partial<Record<ProductField, ProductProblem>> = {}
  for (const field of ['name', ...LANGUAGES] as const) if (text[field].trim() === '') problems[field] = 'bad'
  for (const [field, value] of Object.entries(ppm)) {
    if (value === null) problems[field as keyof typeof ppm] = 'bad'
  }
  if (opening === null || parseMicros(opening) < LOWEST_NAV_MICROS) problems.opening = 'invalid'
  for (const field of ['memberUnits', 'maxUnits'] as const)
    if (!/^([1-9]\d{0,17})?$/.test(text[field].trim())) problems[field] = 'bad'
  if (minimum === null || !isAmount(parseMicros(minimum))) problems.minimum = 'invalid'
  if (lock === null || lock > MAX_LOCK_DAYS) problems.lock = 'bad'
  if (text.weekdays === '') problems.weekdays = 'noWeekday'
  const arePapersGood =
    papers.length <= MAX_PAPERS &&
    bytesOf(papers) <= MAX_PAPER_BYTES &&
    papers.every(({ title }) => title.trim() !== '')
  if (!arePapersGood) problems.papers = 'badPapers'
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  const introduction = Object.fromEntries(LANGUAGES.map((language) => [language, text[language].trim()]))
  return {
    ok: true,
    payload: {
      name: text.name.trim(),
      introduction: introduction as Payload['introduction'],
      risk_level: Number(text.risk),
      estimated_annual_return: ppm.annual!,
      opening_nav: opening!,
      minimum_usd: minimum!,
      lock_days: lock!,
      sold_ppm: ppm.sold!,
      max_member_units: unitsOf(text.memberUnits),
      max_units: unitsOf(text.maxUnits),
      redeemable_weekdays: [...text.weekdays].map(Number),
      subscription_ppm: ppm.subscription!,
      redemption_ppm: ppm.redemption!,
      management_ppm: ppm.management!,
      documents: [...papers],
    },
  }
}
