import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './steps.mjs'

const DIST = join(ROOT, 'apps', 'web', 'dist')
const LOGIN_PATH = '/pages/login/index'

/**
 * The most JavaScript that a first visit may load before each first screen, in kB of the built files with brotli. docs/benchmarks.md,
 * "Web", lists what they are made of.
 */
export const MOST_SCRIPT_KB = {
  [LOGIN_PATH]: 125,
  '/': 154,
  '/pages/rewardList/index': 158,
  '/pages/shop/index': 158,
  '/pages/found/home': 153,
  '/pages/my/index': 151,
}

/** The most CSS, which is one file for all screens. */
export const MOST_STYLE_KB = 15

/**
 * Returns the size in bytes of each script that a first visit to a path loads before its first screen: those of the document, of the
 * page that it names for the path, and of its English texts, with all that they import; as the `.br` or `.gz` files of the build.
 */
export function scriptBytes(path, encoding = 'br') {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const ofDocument = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file)
  const [, content] = /<meta name="pages" content="([^"]*)"/.exec(html)
  const ofPage = JSON.parse(content.replaceAll('&quot;', '"'))[path]
  const ofTexts = assets(path === LOGIN_PATH ? /^en_first-[^.]*\.js$/ : /^en_tabs-[^.]*\.js$/)
  const files = new Set([...ofDocument, ...ofPage, ...ofTexts])
  // Sets visit what is added meanwhile.
  for (const file of files) for (const next of importsOf(file)) files.add(next)
  return bytesOf([...files], encoding)
}

/** Returns the size in bytes of each style sheet. */
export const styleBytes = (encoding = 'br') => bytesOf(assets(/\.css$/), encoding)

function assets(name) {
  const names = readdirSync(join(DIST, 'assets')).filter((file) => name.test(file))
  if (names.length !== 1) throw new Error(`the build has ${names.length} files ${name}: build it anew`)
  return names.map((file) => `assets/${file}`)
}

const bytesOf = (files, encoding) =>
  Object.fromEntries(files.map((file) => [file, statSync(join(DIST, `${file}.${encoding}`)).size]))

function importsOf(file) {
  const code = readFileSync(join(DIST, file), 'utf8')
  return [...code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name]) => `assets/${name}`)
}
