import { currentTerms, TERMS_VERSIONS, termsPath } from '@rif/rules'
import { describe, expect, it } from 'vitest'
import en from '../../locales/en.json'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'

const { version } = currentTerms()

/** The English terms and risks as one plain text. */
function published(): string {
  const chapter = (name: TermsName) => {
    const texts = en.info[name] as unknown as Record<string, { title: string; text: string }>
    const parts = TERMS_PARTS[name].map((part) => {
      const { title, text } = texts[part]!
      return `## ${title} [${name}.${part}]\n\n${text}\n`
    })
    return [`# ${en.info[name].title}\n\n${en.info[name].lead}\n`, ...parts].join('\n')
  }
  return [
    `RIFund Portfolio: terms and risks, version ${version}\n`,
    'This English text decides. A name in braces stands for a figure of the plan in force or of the chain, which the app shows.\n',
    chapter('terms'),
    chapter('risk'),
  ].join('\n')
}

// Two checks: the file equals the text of the app, and the hash is that of the file. A change of a word
// requires a new version (CONTRIBUTING.md): a new entry in packages/rules/src/terms.ts and a new file, which
// `vitest -u` writes.
it('the version in force is the English text of the app', async () => {
  await expect(published()).toMatchFileSnapshot(`../../../public${termsPath(version)}`)
})

const files: Record<string, string> = import.meta.glob('../../../public/terms/*', {
  ...{ query: '?raw', import: 'default', eager: true },
})

describe.each(TERMS_VERSIONS)('version $version', ({ version: one, sha256 }) => {
  it('is published with the text that members accepted', async () => {
    const text = files[`../../../public${termsPath(one)}`]
    expect(text).toBeDefined()
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    expect(Buffer.from(bytes).toString('hex')).toBe(sha256)
  })
})

it('there are no other files', () => {
  expect(Object.keys(files)).toHaveLength(TERMS_VERSIONS.length)
})
