import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../lib/steps.mjs'

const read = (path) => readFileSync(join(ROOT, path), 'utf8')

/** The project's own files, without what is installed, built or kept there. */
const files = filesBelow('')
const documents = files.filter((path) => path.endsWith('.md'))

function filesBelow(dir) {
  return readdirSync(join(ROOT, dir), { withFileTypes: true }).flatMap((entry) => {
    if (/^(\..*|node_modules|dist|out|cache|results)$/.test(entry.name)) return []
    const path = join(dir, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** What a document puts between backticks and names like a source file, perhaps by the end of its path only. */
const SOURCE = /`([\w./-]+\.(?:ts|tsx|mjs|sol|sql|jsonl|grit))`/g
const LINK = /\]\((?!https?:|#)([^)#]+)[^)]*\)/g

it.each(documents)('every file that %s names is there', (document) => {
  const text = read(document)
  const named = [...text.matchAll(SOURCE)].map(([, path]) => path)
  const linked = [...text.matchAll(LINK)].map(([, path]) => join(dirname(document), path))
  expect(named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual(
    [],
  )
  expect(linked.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('every check of the audit that docs/invariants.md names is one', () => {
  const sources = files.filter((path) => path.startsWith('apps/server/src/') && path.includes('audit'))
  const code = sources.map(read).join('\n')
  // The cells that hold nothing but names: `sum`, `balance`.
  const cells = read('docs/invariants.md').matchAll(/\| ((?:`[a-z ]+`(?:, )?)+) \|/g)
  const checks = [...cells].flatMap(([, cell]) => [...cell.matchAll(/`([a-z ]+)`/g)].map(([, name]) => name))
  expect(checks.length).toBeGreaterThan(50)
  expect(checks.filter((name) => !code.includes(`'${name}'`))).toEqual([])
})
