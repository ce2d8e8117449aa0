import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { context, type Plugin } from 'esbuild'

/** A folder below the packages, so that those that are not bundled are found. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
/** Packages that read files of their own, or are not installed. */
const AS_THEY_ARE = [
  '@fastify/swagger',
  '@fastify/swagger-ui',
  'autocannon',
  'graphile-worker',
  'koffi',
  'pdfkit',
  'piscina',
  'pino',
  'pg-native',
]
/** CommonJS packages require Node's own modules at run time. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

/** Keeps `import.meta.url` at the source, so that files beside it, such as migrations, are found. */
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
  /** The folder of the programs: the tree below `root`, with `.mjs` files. */
  readonly dir: string
  /** Builds them again from the changed sources. */
  rebuild(): Promise<unknown>
  remove(): Promise<void>
}

/** Builds programs from their sources below `root`, each with everything that it imports. */
export async function buildPrograms(root: string, sources: readonly string[]): Promise<Programs> {
  await mkdir(CACHE, { recursive: true })
  const dir = await mkdtemp(join(CACHE, 'programs-'))
  const builder = await context({
    entryPoints: sources.map((file) => join(root, file)),
    ...{ outdir: dir, outbase: root, outExtension: { '.js': '.mjs' } },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    ...{ conditions: ['source'], external: AS_THEY_ARE, banner: { js: REQUIRE } },
    ...{ plugins: [whereTheSourceIs], logLevel: 'error', legalComments: 'none' },
  })
  const remove = async () => {
    await builder.dispose()
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  await builder.rebuild().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return { dir, rebuild: () => builder.rebuild(), remove }
}
