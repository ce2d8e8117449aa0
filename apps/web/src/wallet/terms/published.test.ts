import { defaultPlan, TERMS_WORDING, termsFigures } from '@rif/rules'
import { expect, it } from 'vitest'
import en from '../../locales/en.json'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'

/** The wording that the server fills with figures, beside its sources. */
const FILE = '../../../../server/terms/wording.txt'

/** The English terms and risks as one plain text. */
function wording(): string {
  const chapter = (name: TermsName) => {
    const texts = en.info[name] as unknown as Record<string, { title: string; text: string }>
    const parts = TERMS_PARTS[name].map((part) => {
      const { title, text } = texts[part]!
      return `## ${title} [${name}.${part}]\n\n${text}\n`
    })
    return [`# ${en.info[name].title}\n\n${en.info[name].lead}\n`, ...parts].join('\n')
  }
  return [
    `RIFund Portfolio: terms and risks, wording of ${TERMS_WORDING.version}, plan {planVersion}\n`,
    'This English text decides. All its figures are listed again at its end.\n',
    chapter('terms'),
    chapter('risk'),
  ].join('\n')
}

// Two checks: the file equals the texts of the app, and the hash is that of the file. A change of a word
// requires a new wording (CONTRIBUTING.md): `vitest -u` writes the file; day and hash are in
// packages/rules/src/terms.ts.
it('the wording in force is the English text of the app', async () => {
  await expect(wording()).toMatchFileSnapshot(FILE)
})

it('the wording has the hash that the release names', async () => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(wording()))
  expect(Buffer.from(bytes).toString('hex')).toBe(TERMS_WORDING.sha256)
})

it('the wording names every figure that the terms bind, and no other', () => {
  const operator = { name: 'n', address: 'a', law: 'l', venue: 'v' }
  const facts = {
    operator,
    contact: null,
    chainName: 'c',
    chainId: 1,
    bank: 'b',
    confirmations: 1,
    planVersion: 1n,
  }
  const named = new Set([...wording().matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  expect([...named].sort()).toEqual(Object.keys(termsFigures(defaultPlan, facts)).sort())
})
