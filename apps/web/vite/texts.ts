import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { compileMessage } from './message.ts'
import { keysOfFirstPages } from './text-keys.ts'

type Part = 'first' | 'tabs' | 'rest' | 'admin'

/** The files of the articles and of the glossary are served whole. */
const WHOLE = 'whole'

/**
 * Serves `<code>.json?part=first` (the way in), `tabs` (these and those of the tabs' pages), `admin` (the operators' side: the
 * groups named `admin...`), `rest`, or the `whole` file: translators keep one file of ICU messages, a first visit loads a part
 * of it, ready to be used: nothing is parsed on the phone.
 */
export function partsOfTexts(): Plugin {
  let partOf: Promise<(key: string) => Part> | null = null
  return {
    name: 'parts-of-texts',
    enforce: 'pre',
    // Under a name of its own, so that nothing else takes the part for a whole JSON file.
    resolveId(source, importer) {
      const [, path, part] =
        /^(.*\/locales\/.+)\.json\?part=(first|tabs|rest|admin|whole)$/.exec(source) ?? []
      if (path === undefined || importer === undefined) return null
      return `\0texts:${resolve(dirname(importer), path)}:${part}`
    },
    async load(id) {
      const [, path, part] = /^\0texts:(.*):(first|tabs|rest|admin|whole)$/.exec(id) ?? []
      if (path === undefined) return null
      // So that `npm run dev` reloads the app when a text changes.
      this.addWatchFile(`${path}.json`)
      const texts = flatten(JSON.parse(await readFile(`${path}.json`, 'utf8')))
      if (part === WHOLE) return moduleOf(texts)
      partOf ??= partsByUse(texts.map(([key]) => key))
      const isOfPart = await partOf
      // Members load one file instead of two; who signs in loads the small one again in it.
      const isWanted = (textPart: Part) => textPart === part || (part === 'tabs' && textPart === 'first')
      return moduleOf(texts.filter(([key]) => isWanted(isOfPart(key))))
    },
  }
}

const moduleOf = (texts: readonly [key: string, text: string][]) =>
  `export default {${texts.map(([key, text]) => `${JSON.stringify(key)}:${compileMessage(text)}`).join(',\n')}}`

async function partsByUse(keys: readonly string[]): Promise<(key: string) => Part> {
  const { first, tabs } = await keysOfFirstPages(keys)
  return (key) => {
    if (key.startsWith('admin')) return 'admin'
    return first.has(key) ? 'first' : tabs.has(key) ? 'tabs' : 'rest'
  }
}

type Texts = { [name: string]: string | Texts }

function flatten(texts: Texts, path = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value]] : flatten(value, `${path}${name}.`),
  )
}
