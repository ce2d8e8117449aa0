import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { compileMessage } from './message.ts'

/** The texts of the way in; those of everything behind it are loaded on the way there. */
const FIRST_TEXTS = new Set([
  ...[
    'common',
    'demo',
    'error',
    'guard',
    'info',
    'language',
    'login',
    'newBank',
    'notFound',
    'paused',
    'risk',
  ],
  ...['side', 'tabs', 'theme', 'wallet'],
])

/** Texts of the operator's side: the groups named `admin...`, which members never load. */
const partOf = (group: string) =>
  FIRST_TEXTS.has(group) ? 'first' : group.startsWith('admin') ? 'admin' : 'rest'

/**
 * Serves `<code>.json?part=first`, `rest` and `admin`: translators keep one file of ICU messages, a first visit loads a
 * part of it, ready to be used: nothing is parsed on the phone.
 */
export function partsOfTexts(): Plugin {
  return {
    name: 'parts-of-texts',
    enforce: 'pre',
    // Under a name of its own, so that nothing else takes the part for a whole JSON file.
    resolveId(source, importer) {
      const [, path, part] = /^(.*\/locales\/[^/]+)\.json\?part=(first|rest|admin)$/.exec(source) ?? []
      if (path === undefined || importer === undefined) return null
      return `\0texts:${resolve(dirname(importer), path)}:${part}`
    },
    async load(id) {
      const [, path, part] = /^\0texts:(.*):(first|rest|admin)$/.exec(id) ?? []
      if (path === undefined) return null
      const texts: Texts = JSON.parse(await readFile(`${path}.json`, 'utf8'))
      const lines = flatten(texts).filter(([key]) => partOf(key.split('.')[0]!) === part)
      return `export default {${lines.map(([key, text]) => `${JSON.stringify(key)}:${compileMessage(text)}`).join(',\n')}}`
    },
  }
}

type Texts = { [name: string]: string | Texts }

function flatten(texts: Texts, path = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value]] : flatten(value, `${path}${name}.`),
  )
}
