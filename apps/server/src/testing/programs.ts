import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** Beside the packages, where those that are not built in are found. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
/** Packages that read files of their own, or are not there. */
const AS_THEY_ARE = [
  '@fastify/swagger',
  '@fastify/swagger-ui',
  'autocannon',
  'graphile-worker',
  'pdfkit',
  'piscina',
  'pino',
  'pg-native',
]
/** Packages that are CommonJS ask for Node's own modules at run time. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

/** Files beside a source, as migrations are, are found from where the source is. */
const whereTheSourceIs: Plugin = {
  name: 'where-the-source-is',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const text = await readFile(path, 'utf8')
      const url = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) }
    })
  },
}

export interface Programs {
  /** Where they are, as `.mjs`: the tree below `root` again. */
  readonly dir: string
  remove(): Promise<void>
}

/** Builds programs from their sources below `root`, each with what it imports. */
export async function buildPrograms(root: string, sources: readonly string[]): Promise<Programs> {
  await mkdir(CACHE, { recursive: true })
  const dir = await mkdtemp(join(CACHE, 'programs-'))
  await build({
    entryPoints: sources.map((file) => join(root, file)),
    ...{ outdir: dir, outbase: root, outExtension: { '.js': '.mjs' } },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node26' },
    ...{ conditions: ['source'], external: AS_THEY_ARE, banner: { js: REQUIRE } },
    ...{ plugins: [whereTheSourceIs], logLevel: 'error', legalComments: 'none' },
  })
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
