// Checks what a first visit loads, by the imports in the sources: the files that the two scripts of the
// document import statically, with the pages of the first tab and of signing in.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { ROOT } from '../lib/steps.mjs'

const WEB = join(ROOT, 'apps', 'web', 'src')
const FIRST = [
  'early.ts',
  'main.tsx',
  'features/home/pages/home-page.tsx',
  'features/auth/pages/login-page.tsx',
]
/** The parts that are loaded only when they are used. */
const LATER = {
  'the lock': /^features\/auth\/(lock\/|pages\/lock-page)/,
  WalletConnect: /^wallet\/walletconnect\/|@walletconnect\//,
  'the stream of changes': /^lib\/live/,
  notices: /^features\/notices\//,
  'help and the glossary': /^features\/info\/|^ui\/term-sheet/,
  'statements, earnings and search': /^features\/(members|rewards)\/pages\//,
  'pages of operators': /^features\/(admin|approvals)\//,
  'QR codes': /^qr($|\/)/,
}

/** Returns the static imports of a source, without types: files below the sources, and packages. */
function importsOf(file) {
  const { program } = parseSync(file, readFileSync(join(WEB, file), 'utf8'))
  return program.body
    .filter(({ source, importKind, exportKind }) => source && importKind !== 'type' && exportKind !== 'type')
    .map(({ source: { value } }) => (value.startsWith('.') ? join(dirname(file), value) : value))
}

/** Returns the path of imports to each file and package that the given files lead to. */
function reached(files) {
  const paths = new Map(files.map((file) => [file, file]))
  for (const [name, path] of paths) {
    if (!/\.tsx?$/.test(name)) continue
    for (const next of importsOf(name)) if (!paths.has(next)) paths.set(next, `${path} > ${next}`)
  }
  return paths
}

const loaded = reached(FIRST)

it.each(Object.entries(LATER))('a first visit does not load %s', (_what, pattern) => {
  expect([...loaded].filter(([name]) => pattern.test(name)).map(([, path]) => path)).toEqual([])
})

it('reads the imports', () => {
  expect([...loaded.keys()]).toEqual(expect.arrayContaining(['app/router.tsx', 'lib/help.ts', 'react']))
})
