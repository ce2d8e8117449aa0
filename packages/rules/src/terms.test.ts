import { expect, it } from 'vitest'
import { currentTerms, TERMS_VERSIONS, termsPath, termsUri } from './terms.ts'
import { changedTerms } from './terms-changes.ts'

const FIRST = { version: '2026-01-01', sha256: 'ab'.repeat(32) }

const text = (parts: Record<string, string>) =>
  ['# Terms', ...Object.entries(parts).map(([key, words]) => `## Title [${key}]\n\n${words}\n`)].join('\n\n')

it('names the version and the hash of its text in a link', () => {
  expect(termsPath('2026-01-01')).toBe('/terms/2026-01-01.txt')
  expect(termsUri('https://rifund.example', FIRST)).toBe(
    `https://rifund.example/terms/2026-01-01.txt#sha256=${'ab'.repeat(32)}`,
  )
})

it('has the last version in force, and each version later than the one before', () => {
  const all = ['2026-02-01', '2026-03-01'].map((version) => ({ ...FIRST, version }))
  expect(currentTerms([FIRST, ...all]).version).toBe('2026-03-01')
  const versions = TERMS_VERSIONS.map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].sort())
  expect(TERMS_VERSIONS.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))).toBe(true)
})

it('finds the parts that are new or worded differently, and not those that moved or are gone', () => {
  const before = text({ 'terms.what': 'one', 'terms.data': 'two', 'risk.loss': 'three' })
  const after = text({ 'risk.loss': 'three', 'terms.what': 'other', 'terms.version': 'new' })
  expect(changedTerms(before, after)).toEqual(['terms.what', 'terms.version'])
  expect(changedTerms(after, after)).toEqual([])
  expect(changedTerms('', before)).toEqual(['terms.what', 'terms.data', 'risk.loss'])
})
