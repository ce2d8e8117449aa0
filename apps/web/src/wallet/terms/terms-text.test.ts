import { createHash } from 'node:crypto'
import { defaultPlan, renderTerms, termsFigures, termsPath, termsVersion } from '@rif/rules'
import { afterEach, expect, test, vi } from 'vitest'
import { readTerms } from './terms-text.ts'

const OPERATOR = { name: 'RIF Ltd', address: 'Street 1', law: 'Singapore', venue: 'Singapore' }
const FIGURES = termsFigures(defaultPlan, {
  operator: OPERATOR,
  contact: null,
  chainName: 'Arbitrum One',
  chainId: 42161,
  bank: '0xba',
  confirmations: 20,
  planVersion: 1n,
})
const TEXT = renderTerms('Withdrawals cost {fee}.\n', FIGURES)
const sha256 = createHash('sha256').update(TEXT).digest('hex')
const version = termsVersion(sha256)

afterEach(() => vi.restoreAllMocks())

/** Publishes a text. */
function publish(text: string) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(text))
}

test('returns the figures of the text with the hash', async () => {
  const fetched = publish(TEXT)
  expect(await readTerms({ version, sha256 })).toEqual(FIGURES)
  expect(fetched.mock.calls[0]![0]).toBe(termsPath(version))
})

test('refuses a text with one other figure', async () => {
  publish(TEXT.replaceAll('1%.', '2%.'))
  await expect(readTerms({ version, sha256 })).rejects.toMatchObject({ name: 'WrongTerms' })
})

test('refuses a text with other words than those of the app, without reading it', async () => {
  const fetched = publish(TEXT)
  await expect(readTerms({ version: '2999-01-01-abababab', sha256 })).rejects.toMatchObject({
    name: 'OldTerms',
  })
  expect(fetched).not.toHaveBeenCalled()
})
