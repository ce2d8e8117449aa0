import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../lib/steps.mjs'

const read = (path) => readFileSync(join(ROOT, path), 'utf8')

/** The project's own files, without installed, built and local ones. */
const files = filesBelow('')
const documents = files.filter((path) => path.endsWith('.md'))

function filesBelow(dir) {
  return readdirSync(join(ROOT, dir), { withFileTypes: true }).flatMap((entry) => {
    if (/^(\..*|node_modules|dist|out|cache|results)$/.test(entry.name)) return []
    const path = join(dir, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Matches a source file between backticks, named by its path or the end of it. */
const SOURCE = /`([\w./-]+\.(?:ts|tsx|mjs|sol|sql|jsonl|grit))`/g
const LINK = /\]\((?!https?:|#)([^)#]+)[^)]*\)/g

it.each(documents)('every file that %s names exists', (document) => {
  const text = read(document)
  const named = [...text.matchAll(SOURCE)].map(([, path]) => path)
  const linked = [...text.matchAll(LINK)].map(([, path]) => join(dirname(document), path))
  expect(named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual(
    [],
  )
  expect(linked.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** Returns the anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (path) =>
  [
    ...read(path)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

it.each(documents)('every heading to which %s leads exists', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
  const missing = links.filter(([, path, anchor]) => {
    const target = path === '' ? document : join(dirname(document), path)
    return target.endsWith('.md') && existsSync(join(ROOT, target)) && !anchorsOf(target).includes(anchor)
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

/** Matches a row of docs/invariants.md: what holds, what enforces it, and the tests without their endings. */
const INVARIANT = /^\| ([^|]+) \| ([^|]*) \| ((?:`[^`|]+`(?:, )?)+) \|$/gm

it('every row of docs/invariants.md names a test and checks of the audit that exist', () => {
  const text = read('docs/invariants.md')
  const table = text.slice(0, text.indexOf('| forgery |'))
  const rows = [...table.matchAll(INVARIANT)].map(([, , by, tests]) => ({ by, tests }))
  const lines = table.split('\n').filter((line) => /^\| (?!always )/.test(line))
  expect(rows.length).toBe(lines.length)
  const tests = files.map((path) => path.replace(/\.(test\.tsx?|test\.mjs|spec\.ts|t\.sol)$/, '')).join('\n')
  const named = rows.flatMap((row) => [...row.tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter((name) => !`${tests}\n`.includes(`/${name}\n`))).toEqual([])

  const sources = files.filter((path) => path.startsWith('apps/server/src/') && path.includes('audit'))
  const code = sources.map(read).join('\n')
  const checks = rows.flatMap(({ by }) =>
    [...by.matchAll(/audit: ((?:`[a-z ]+`(?:, )?)+)/g)].flatMap(([, cell]) =>
      [...cell.matchAll(/`([a-z ]+)`/g)].map(([, name]) => name),
    ),
  )
  expect(new Set(checks).size).toBeGreaterThan(70)
  expect(checks.filter((name) => !code.includes(`'${name}'`))).toEqual([])
})

const prose = documents.filter((path) => !path.startsWith('contracts/'))

it.each(prose)('%s has no line of more than 160 characters', (document) => {
  const long = read(document)
    .split('\n')
    .filter((line) => line.length > 160)
  expect(long).toEqual([])
})

it('every section of the rules that the code cites is in docs/rules.md', () => {
  const rules = read('docs/rules.md')
  const code = files.filter((path) => /\.(ts|tsx|sol|sql)$/.test(path)).map(read)
  const cited = code.flatMap((text) =>
    [...text.matchAll(/rules, sections? (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?/g)].flatMap(
      ([, ...numbers]) => numbers.filter(Boolean),
    ),
  )
  const isThere = (number) => {
    const [section, item] = number.split('.')
    const [, text] = new RegExp(`^## ${section}\\. (.*?)(?=^## |$(?![^]))`, 'ms').exec(rules) ?? []
    return text !== undefined && (item === undefined || new RegExp(`^${item}\\. `, 'm').test(text))
  }
  expect(cited.length).toBeGreaterThan(30)
  expect([...new Set(cited)].filter((number) => !isThere(number))).toEqual([])
})

it('docs/specification.md has a row with the file and the test of every page', () => {
  const declared = read('apps/web/src/app/pages.ts').matchAll(/^ {2}'(\/[^']*)':/gm)
  const rows = read('docs/specification.md').matchAll(
    /^\| `(\/[^`]*)` \| `[^`]+\.tsx` \| `[^`]+\.(?:spec|test)\.tsx?`/gm,
  )
  expect([...rows].map(([, path]) => path).sort()).toEqual([...declared].map(([, path]) => path).sort())
})

it('docs/operations/settings.md names every command of the project and of `rif`', () => {
  const text = read('docs/operations/settings.md')
  const named = [...text.matchAll(/`(?:npm (?:run )?|check:)([\w:]+)/g)].map(([call, name]) =>
    call.startsWith('`check:') ? `check:${name}` : name,
  )
  const { scripts } = JSON.parse(read('package.json'))
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([])

  const [, table] = /const COMMANDS[^{]*\{\n(.*?)\n\}/s.exec(read('apps/server/src/cli/commands.ts'))
  const [, ofKeys] = /const WITH_KEYS = new Set\(\[(.*?)\]\)/.exec(read('apps/server/src/cli/rif.ts'))
  const commands = [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm), ...ofKeys.matchAll(/'(\w+)'/g)].map(
    ([, name]) => name,
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((name) => !text.includes(`| \`rif ${name}`))).toEqual([])
})

it('docs/benchmarks.md describes every benchmark', () => {
  const described = [...read('docs/benchmarks.md').matchAll(/npm run bench -- ([a-z-]+)/g)].map(
    ([, name]) => name,
  )
  const names = readdirSync(join(ROOT, 'bench')).filter((name) =>
    existsSync(join(ROOT, 'bench', name, 'main.ts')),
  )
  expect(new Set(described)).toEqual(new Set(names))
})

const decisions = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md')

it('at most 30 decisions stand, each under its own number, in force since a date, and in the list', () => {
  const numbers = decisions.map((name) => Number(name.slice(0, 4)))
  expect(new Set(numbers).size).toBe(decisions.length)
  expect(decisions.length).toBeLessThanOrEqual(30)
  const list = read('docs/decisions/README.md')
  expect(decisions.filter((name) => !list.includes(`](${name}) |`))).toEqual([])
  const text = (name) => read(`docs/decisions/${name}`)
  expect(decisions.filter((name) => !/^Decided \d{4}-\d\d-\d\d\b.*\bIn force\./m.test(text(name)))).toEqual(
    [],
  )
})

it('every decision that the code and the documents cite stands', () => {
  const numbers = new Set(decisions.map((name) => Number(name.slice(0, 4))))
  const texts = files.filter((path) => /\.(ts|tsx|mjs|sol|sql|css|md)$/.test(path))
  const cited = texts.flatMap((path) =>
    [...read(path).matchAll(/\b[Dd]ecisions? (\d+)(?: and (\d+))?\b|decisions\/(\d{4})\b/g)].flatMap(
      ([text, ...digits]) => digits.filter(Boolean).map((number) => ({ path, text, number: Number(number) })),
    ),
  )
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([])
})

/** Matches the start of a documentation comment, of one line or of several, that is no statement. */
const NO_STATEMENT = /\/\*\*(?:\s*\n\s*\*)? *(?:What|Whether|How|Who)\b.*/g

it('no documentation comment starts with What, Whether, How or Who', () => {
  const sources = files.filter((path) => /(?<!\.gen)\.(ts|tsx|mjs|sol|sql|css)$/.test(path))
  const badStarts = sources.flatMap((path) =>
    [...read(path).matchAll(NO_STATEMENT)].map(([start]) => `${path}: ${start.slice(0, 100)}`),
  )
  expect(sources.length).toBeGreaterThan(500)
  expect(badStarts).toEqual([])
})

/** Matches the value of `action:` in a call that records an entry of the log: one code, or two with a condition. */
const ACTION = /\baction: (?:[\w .]+(?:=== null)? \? )?'([a-z-]+\.[a-z-.]+)'(?: : '([a-z-]+\.[a-z-.]+)')?/g

it('the log of the operators has words for every action that the server records', () => {
  const sources = files.filter((path) => /^apps\/server\/src\/modules\/.*(?<!\.test)\.ts$/.test(path))
  const recorded = sources.flatMap((path) =>
    [...read(path).matchAll(ACTION)].flatMap(([, action, otherAction]) =>
      otherAction ? [action, otherAction] : [action],
    ),
  )
  const words = read('apps/web/src/features/admin/log/log-words.ts')
  expect(recorded.length).toBeGreaterThan(20)
  expect(recorded.filter((action) => !words.includes(`'${action.replaceAll(/[.-]/g, '_')}'`))).toEqual([])
})
