// Writes the table of look-alike characters from the file src/tables.rs of the crate unicode-security:
// node scripts/confusables.mjs TABLES_RS
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/steps.mjs'

const LINE_LENGTH = 110

const source = readFileSync(process.argv[2], 'utf8')
const version = /UNICODE_VERSION: \(u64, u64, u64\) = \((\d+), (\d+), (\d+)\)/.exec(source).slice(1).join('.')
const table = /const CONFUSABLES:[^=]*= &\[([^;]*)\];/.exec(source)[1]
const byPrototype = new Map()
for (const [, from, to] of table.matchAll(/\('\\u\{(\w+)\}',\s*&\[([^\]]*)\]\)/g)) {
  const prototype = [...to.matchAll(/\\u\{(\w+)\}/g)].map(([, code]) => code).join('+')
  byPrototype.set(prototype, [...(byPrototype.get(prototype) ?? []), from])
}
const words = [...byPrototype].map(([prototype, codes]) => `${prototype}=${codes.join(',')}`)
const lines = ['']
for (const word of words.flatMap((word) => word.match(/.{1,100}(?:,|$)/g))) {
  const isPart = lines.at(-1).endsWith(',')
  if (lines.at(-1).length + word.length >= LINE_LENGTH) lines.push(word)
  else lines.push(`${lines.pop()}${isPart || lines.at(-1) === '' ? '' : ' '}${word}`)
}
writeFileSync(
  join(ROOT, 'apps', 'server', 'src', 'lib', 'confusables.gen.ts'),
  `// Made by scripts/confusables.mjs; do not edit. Data of Unicode, under the Unicode License V3.

/**
 * The characters that look alike (UTS #39, confusables.txt of Unicode ${version}): for each prototype, of one or more
 * code points joined by \`+\`, the code points that look like it.
 */
export const CONFUSABLES = \`
${lines.join('\n').trim()}\`
`,
)
