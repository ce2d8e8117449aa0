import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { routes } from '@rif/api-schema'
import { expect, it } from 'vitest'
import { pages } from './pages.ts'

const SOURCES = join(import.meta.dirname, '..')
const table = readFileSync(join(import.meta.dirname, 'pages.ts'), 'utf8')

/** Returns the file of a page's component. */
function fileOf(path: string): string {
  const [, file = ''] = table.slice(table.indexOf(`'${path}': {`)).match(/import\('([^']+)'\)/) ?? []
  return join(import.meta.dirname, file)
}

/**
 * Adds a file and its imports from the features and the wallet, which draw everything on a page besides `ui`.
 */
function collect(file: string, files: Set<string>): Set<string> {
  if (files.has(file) || !existsSync(file)) return files
  files.add(file)
  for (const [, importPath, lazyPath] of readFileSync(file, 'utf8').matchAll(
    /from '(\.[^']+)'|import\('(\.[^']+)'\)/g,
  )) {
    const next = join(dirname(file), importPath ?? lazyPath!)
    if (/^\/(features|wallet)\//.test(next.slice(SOURCES.length))) collect(next, files)
  }
  return files
}

const sourceOf = (path: string) =>
  [...collect(fileOf(path), new Set())].map((file) => readFileSync(file, 'utf8')).join('\n')

const all = Object.entries(pages)
const memberPaths = all.filter(([, spec]) => !('admin' in spec)).map(([path]) => path)

/** The parts of `ui` that show a skeleton, an error with a retry, and old figures with their time. */
const STATES = /<(Loaded|Followed|OrderFrame|InfiniteList|ErrorState)\b/

/** These pages wait only for the config, with the button disabled until it has arrived. */
const LOGIN = '/pages/login/index'
const reading = all.map(([path]) => path).filter((path) => path !== LOGIN)

it.each(reading)('%s shows loading and errors by the parts of ui', (path) => {
  const source = sourceOf(path)
  if (!/useQuery\(|useInfiniteQuery\(/.test(source)) return
  expect(source).toMatch(STATES)
  expect(source, 'a skeleton of its own').not.toContain('animate-pulse')
})

const moving = Object.entries(routes).filter(([, route]) => 'movesMoney' in route && route.movesMoney)

it.each(memberPaths)('%s lets no button move money without waiting for the connection', (path) => {
  const files = [...collect(fileOf(path), new Set())].map((file) => readFileSync(file, 'utf8'))
  const sending = files.filter((source) =>
    moving.some(([name]) => source.includes(`useApiMutation('${name}'`)),
  )
  if (sending.length > 0) expect(files.some((source) => /\bmoves=/.test(source))).toBe(true)
})

it.each(memberPaths)('%s has no empty state without a next step', (path) => {
  const own = [...collect(fileOf(path), new Set())].filter((file) => !file.includes('/admin/'))
  const blocks = own.flatMap((file) => readFileSync(file, 'utf8').match(/<EmptyState\b[\s\S]*?\/>\n/g) ?? [])
  const ends = blocks.filter((block) => !/\b(next|action)\b/.test(block))
  expect(ends).toEqual([])
})

it.each(memberPaths.filter((path) => path !== LOGIN))('%s uses the width of a desktop', (path) => {
  // Pages with their own frame, such as home, use the class of the same name.
  expect(/<\w+(Page|Frame)?\b[^>]*?\swide\b|className=("|.*')wide\b/.test(sourceOf(path))).toBe(true)
})

/** Times sent to the API, not shown on the screen. */
const WIRE = [
  'features/home/pages/activity-page.tsx',
  'features/fund/units-draft.ts',
  'wallet/statements/statement-range.ts',
]

it.each(memberPaths)('%s formats dates only with lib/dates.ts', (path) => {
  const own = [...collect(fileOf(path), new Set())].filter((file) => !file.includes('/admin/'))
  const offenders = own.filter((file) =>
    /Intl\.(?!Segmenter)|toLocale(Date|Time|)String|toISOString/.test(readFileSync(file, 'utf8')),
  )
  expect(
    offenders.map((file) => file.slice(SOURCES.length + 1)).filter((file) => !WIRE.includes(file)),
  ).toEqual([])
})
