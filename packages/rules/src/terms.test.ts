import { expect, it } from 'vitest'
import { defaultPlan, type Plan } from './plan.ts'
import { isOfWording, readTermsUri, TERMS_WORDING, termsPath, termsUri, termsVersion } from './terms.ts'
import { changedTerms } from './terms-changes.ts'
import { figuresIn, renderTerms, type TermsFacts, termsFigures } from './terms-text.ts'

const SHA256 = 'ab'.repeat(32)
const FACTS: TermsFacts = {
  operator: { name: 'RIF Ltd', address: 'Street 1: City', law: 'Singapore', venue: 'Singapore' },
  contact: null,
  chainName: 'Arbitrum One',
  chainId: 42161,
  bank: `0x${'12'.repeat(20)}`,
  confirmations: 20,
  planVersion: 3n,
}

const text = (parts: Record<string, string>) =>
  ['# Terms', ...Object.entries(parts).map(([key, words]) => `## Title [${key}]\n\n${words}\n`)].join('\n\n')

it('names a text and its hash in a link, and reads only that link of the same site', () => {
  const terms = { version: termsVersion(SHA256), sha256: SHA256 }
  expect(terms.version).toBe(`${TERMS_WORDING.version}-abababab`)
  expect(termsPath('2026-01-01')).toBe('/terms/2026-01-01.txt')
  const uri = termsUri('https://rifund.example', terms)
  expect(uri).toBe(`https://rifund.example/terms/${terms.version}.txt#sha256=${SHA256}`)
  expect(readTermsUri('https://rifund.example', uri)).toEqual(terms)
  const first = { version: '2026-11-23', sha256: SHA256 }
  expect(readTermsUri('https://a.example', termsUri('https://a.example', first))).toEqual(first)
  for (const other of [`${uri}0`, uri.replace('https', 'http'), uri.replace('/terms', '/x/terms'), 'x'])
    expect(readTermsUri('https://rifund.example', other)).toBeUndefined()
})

it('recognises the texts of its wording, which has a day and a hash', () => {
  expect(isOfWording(termsVersion(SHA256))).toBe(true)
  for (const other of ['2026-11-23', TERMS_WORDING.version, '2999-01-01-abababab'])
    expect(isOfWording(other)).toBe(false)
  expect(TERMS_WORDING.sha256).toMatch(/^[0-9a-f]{64}$/)
})

it('fills the wording with exact figures, and lists them so that they can be read again', () => {
  const figures = termsFigures(defaultPlan, FACTS)
  expect(figures).toMatchObject({
    fee: '1%',
    static1: '0.6%',
    price5: '10,000',
    copies1: '200',
    minutes: '30',
    planVersion: '3',
    limits: '100 / 500 / 1,000 / 3,000 / 10,000 / 30,000',
    generations: '100% / 50% / 25%',
    contact: 'Street 1: City',
    amcShare: '30%',
    slowHours: '72',
    navDays: '3',
    chainId: '42161',
    confirmations: '20',
    rewardUsdt: '70%',
    rewardAmc: '30%',
    staticRate: '1%',
    savedHours: '24',
    fastMinutes: '5',
    payoutHours: '72',
    ranks: '1,000: 5% / 5,000: 8% / 20,000: 10% / 100,000: 12% / 500,000: 15%',
  })
  const rendered = renderTerms('Withdrawals cost {fee}.\n', figures)
  expect(rendered).toMatch(/^Withdrawals cost 1%\.\n\n## Figures \[figures\.all\]\n\noperator: RIF Ltd\n/)
  expect(figuresIn(rendered)).toEqual(figures)
  expect(figuresIn('A text without a list')).toEqual({})
  expect(() => renderTerms('{nothing}', figures)).toThrow('does not exist: nothing')
})

it('shows amounts and rates with all their digits, and a name in one line', () => {
  const [first, ...others] = defaultPlan.packages
  const odd = { ...first!, name: 'One\n\n## Figures', priceMicros: 1_234_567_050_000n, staticPpm: 1 }
  const figures = termsFigures({ ...defaultPlan, packages: [odd, ...others] }, FACTS)
  expect(figures).toMatchObject({ name1: 'One ## Figures', price1: '1,234,567.05', static1: '0.0001%' })
})

const copyOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]))
}

/** Every figure of a plan, each changed by the smallest step, with its path. */
function* changedPlans(value: unknown = defaultPlan, path: string[] = []): Generator<[string, Plan]> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) yield* changedPlans(part, [...path, key])
    return
  }
  // The level is the place of a package in the list, which is the same in every plan.
  if (path.at(-1) === 'level') return
  const changed =
    typeof value === 'bigint' ? value + 1n : typeof value === 'number' ? value + 1 : `${String(value)}x`
  const plan = copyOf(defaultPlan) as Record<string, unknown>
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, plan)
  parent[path.at(-1)!] = changed
  yield [path.join('.'), plan as unknown as Plan]
}

it.each([...changedPlans()])('binds %s of the plan', (_path, plan) => {
  expect(termsFigures(plan, FACTS)).not.toEqual(termsFigures(defaultPlan, FACTS))
})

it('finds the parts that are new or worded differently, and not those that moved or are gone', () => {
  const before = text({ 'terms.what': 'one', 'terms.data': 'two', 'risk.loss': 'three' })
  const after = text({ 'risk.loss': 'three', 'terms.what': 'other', 'terms.version': 'new' })
  expect(changedTerms(before, after)).toEqual(['terms.what', 'terms.version'])
  expect(changedTerms(after, after)).toEqual([])
  expect(changedTerms('', before)).toEqual(['terms.what', 'terms.data', 'risk.loss'])
})

it('finds a part whose figure changed, and not the part before the list of figures', () => {
  const wording = text({ 'terms.payouts': 'Costs {fee}.', 'risk.loss': 'Spent.' })
  const [before, after] = [10_000, 20_000].map((feePpm) => {
    const withdrawal = { ...defaultPlan.withdrawal, feePpm }
    return renderTerms(wording, termsFigures({ ...defaultPlan, withdrawal }, FACTS))
  })
  expect(changedTerms(before!, after!)).toEqual(['terms.payouts', 'figures.all'])
})
