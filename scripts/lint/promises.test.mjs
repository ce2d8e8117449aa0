// Compares docs/promises.md with the English texts, the code and the tests that it names.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../lib/steps.mjs'

const LOCALES = join(ROOT, 'apps/web/src/locales')
const readJson = (file) => JSON.parse(readFileSync(join(LOCALES, file), 'utf8'))
const [help, texts] = [readJson('help/en.json'), readJson('en.json')]

const SOURCES = globSync(
  '{apps/*/src,apps/server/schema,packages/*/src,contracts/src,contracts/test,e2e/specs}/**/*.{ts,tsx,sol,sql}',
  { cwd: ROOT },
)
const contents = SOURCES.map((file) => readFileSync(join(ROOT, file), 'utf8'))
const fileNames = new Set(SOURCES.map((file) => basename(file)))

const rows = [
  ...readFileSync(join(ROOT, 'docs/promises.md'), 'utf8').matchAll(/^\| `([^|]+)` \|(.*)\|$/gm),
].map(([, key, rest]) => {
  const [says, by, test] = rest.split('|').map((cell) => cell.trim())
  return { key, says, by, test }
})

/** Returns the text of a key: of a part of an article of the help, or of the other texts. */
function textOf(key) {
  const [article, part] = key.split('.')
  if (/^\d+$/.test(part ?? '')) return help[article]?.parts[Number(part)]?.[1]
  const text = key.split('.').reduce((at, name) => at?.[name], texts)
  return typeof text === 'string' ? text : text?.text
}

const codeIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)

describe.each(rows)('$key: $says', ({ key, says, by, test }) => {
  it('stands in the text', () => expect(textOf(key)).toContain(says))

  it('is enforced by code that exists and shown by a test that exists', () => {
    const names = codeIn(by)
    if (names.length === 0) expect(by).toMatch(/^outside: /)
    for (const name of names) {
      const isFound = /\.(tsx?|sol)$/.test(name)
        ? fileNames.has(name)
        : contents.some((text) => new RegExp(`\\b${name}\\b`).test(text))
      expect(isFound, name).toBe(true)
    }
    const tests = codeIn(test)
    if (names.length > 0) expect(tests.length).toBeGreaterThan(0)
    for (const name of tests) expect(fileNames.has(name), name).toBe(true)
  })
})

it('no part of the help, the risks and the terms is missing', () => {
  const parts = Object.entries(help).flatMap(([name, { parts }]) =>
    parts.map((_, index) => `${name}.${index}`),
  )
  const info = ['risk', 'terms'].flatMap((chapter) =>
    Object.entries(texts.info[chapter]).flatMap(([name, { text }]) =>
      text ? [`info.${chapter}.${name}`] : [],
    ),
  )
  const keys = rows.map(({ key }) => key)
  expect([...parts, ...info].filter((key) => !keys.includes(key))).toEqual([])
})
