import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const SRC = resolve(import.meta.dirname, '../src')

/** The pages of the tab bar, with which most visits begin. */
const TABS = ['/', '/pages/rewardList/index', '/pages/shop/index', '/pages/found/home', '/pages/my/index']

/** Returns the module of each tab's page, relative to `src`, by path. */
export const tabModules = () => modulesOf(TABS)

/** Returns the same of all pages with which a visit begins: the login page and the tabs. */
export const firstModules = () => modulesOf(['/pages/login/index', ...TABS])

async function modulesOf(paths: readonly string[]): Promise<Record<string, string>> {
  const table = await readFile(join(SRC, 'app/pages.ts'), 'utf8')
  const moduleOf = (path: string) => {
    const [, module] = new RegExp(`'${path}': \\{.*?import\\('(.*?)'\\)`, 's').exec(table) ?? []
    if (module === undefined) throw new Error(`app/pages.ts has no page ${path}`)
    return join('app', module)
  }
  return Object.fromEntries(paths.map((path) => [path, moduleOf(path)]))
}

/** The code of the way in: the start, the login page, and what the latter loads on a click. */
const WAY_IN = [
  'main.tsx',
  'features/auth/pages/login-page.tsx',
  'features/auth/components/invite-card.tsx',
  'wallet/connect-sheet.tsx',
  'wallet/sign-in.ts',
  'wallet/demo-confirm.tsx',
  'ui/dialogs.tsx',
]

/** Lists what is drawn around the tabs' pages for members who are signed in. */
const AROUND_TABS = ['app/side-nav.tsx', 'wallet/wallet-bars.tsx']

/**
 * Returns the keys of the texts of the way in, and those that the tabs' pages need besides. A key that the code computes from more
 * than one name is not found; such a text is loaded when it is needed (lib/i18n.ts).
 */
export async function keysOfFirstPages(
  keys: readonly string[],
): Promise<{ first: Set<string>; tabs: Set<string> }> {
  const modules = new Modules()
  const first = await modules.keys(WAY_IN, keys, false)
  const tabs = await modules.keys([...Object.values(await tabModules()), ...AROUND_TABS], keys, true)
  return { first, tabs: new Set([...tabs].filter((key) => !first.has(key))) }
}

interface Module {
  readonly text: string
  /** The static imports with their names; an empty list where the whole module is imported. */
  readonly imports: readonly { path: string; names: readonly string[] }[]
  /** The parts that it loads as files of their own. */
  readonly parts: readonly string[]
}

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)\s+from\s+)?'(\.[^']+)'/gm
const EXPORTED = /^export (?:async )?(?:function|const|class) (\w+)/gm
/** The parts of a page that are files of their own, but no whole pages. */
const LAZY_PART = /lazy\(\(\) => import\('(\.(?:(?!\/pages\/)[^'])+)'\)\)/g
/** Text keys have at least one dot; in a template some of their names are computed. */
const LITERAL = /(['`])(\w+\.(?:[\w.]|\$\{[^{}`]*\})*)\1/g

/** The modules of the app as far as they have been read, and the static imports between them. */
class Modules {
  readonly #read = new Map<string, Promise<Module>>()

  /** Returns those of `keys` that occur in modules or in what these import; with the parts that they load, if wanted. */
  async keys(modules: readonly string[], keys: readonly string[], withParts: boolean): Promise<Set<string>> {
    const reachedModules = new Map<string, Module>()
    for (const module of modules) await this.#collect(join(SRC, module), reachedModules, withParts)
    const literals = new Set<string>()
    for (const { text } of reachedModules.values())
      for (const [, , literal] of text.matchAll(LITERAL)) literals.add(literal!)
    const computed = [...literals].filter((literal) => literal.includes('$')).map(patternOf)
    return new Set(keys.filter((key) => literals.has(key) || computed.some((pattern) => pattern.test(key))))
  }

  async #collect(path: string, reachedModules: Map<string, Module>, withParts: boolean): Promise<void> {
    if (reachedModules.has(path)) return
    const module = await this.#module(path)
    reachedModules.set(path, module)
    const next = withParts ? [...module.parts] : []
    for (const { path: imported, names } of module.imports) {
      // Of a module that only hands on others, those that export the imported names are meant.
      if (imported.endsWith('/index.ts')) next.push(...(await this.#exporters(imported, names)))
      else next.push(imported)
    }
    for (const file of next) await this.#collect(file, reachedModules, withParts)
  }

  async #exporters(index: string, names: readonly string[]): Promise<string[]> {
    const { imports } = await this.#module(index)
    const files: string[] = []
    for (const { path } of imports) {
      const { text } = await this.#module(path)
      if ([...text.matchAll(EXPORTED)].some(([, name]) => names.includes(name!))) files.push(path)
    }
    return files
  }

  #module(path: string): Promise<Module> {
    const reading = this.#read.get(path) ?? readModule(path)
    this.#read.set(path, reading)
    return reading
  }
}

async function readModule(path: string): Promise<Module> {
  if (!/\.tsx?$/.test(path)) return { text: '', imports: [], parts: [] }
  const text = await readFile(path, 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([, names = '', target]) => ({
    path: resolve(dirname(path), target!),
    names: [...names.matchAll(/(?<!type )\b(\w+)/g)].map(([name]) => name),
  }))
  const parts = [...text.matchAll(LAZY_PART)].map(([, target]) => resolve(dirname(path), target!))
  return { text, imports, parts }
}

const patternOf = (literal: string) =>
  new RegExp(`^${literal.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[^.]+')}$`)
