import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const PRODUCT = 'cli/rif.ts'
const CHILD = /child(\.fixture)?\.ts$/
/** Beside the packages, where those that are not built in are found. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
/** Packages that read files of their own, or are not there. */
const AS_THEY_ARE = ['@fastify/swagger', '@fastify/swagger-ui', 'pdfkit', 'pino', 'pg-native']
/** Packages that are CommonJS ask for Node's own modules at run time. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

/** Files beside a source, as migrations are, are found from where the source is. */
const whereTheSourceIs: Plugin = {
  name: 'where-the-source-is',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(SOURCES)) return undefined
      const text = await readFile(path, 'utf8')
      const url = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) }
    })
  },
}

export interface ChildPrograms {
  /** Where they are: the tree of the sources again. */
  readonly dir: string
  remove(): Promise<void>
}

/**
 * Builds the product's program, and the children that tests start and kill, each with what it imports. Tests start
 * a hundred of them: built once a start takes half a second, from the sources it takes three.
 */
export async function buildChildPrograms(): Promise<ChildPrograms> {
  await mkdir(CACHE, { recursive: true })
  const dir = await mkdtemp(join(CACHE, 'child-programs-'))
  const files = await readdir(SOURCES, { recursive: true })
  await build({
    entryPoints: [PRODUCT, ...files.filter((file) => CHILD.test(file))].map((file) => join(SOURCES, file)),
    ...{ outdir: dir, outbase: SOURCES, outExtension: { '.js': '.mjs' } },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    ...{ conditions: ['source'], external: AS_THEY_ARE, banner: { js: REQUIRE } },
    ...{ plugins: [whereTheSourceIs], logLevel: 'error', legalComments: 'none' },
  })
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
