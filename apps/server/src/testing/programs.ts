import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type BuildOptions,
  build,
  context,
  type OnResolveArgs,
  type OnResolveResult,
  type Plugin,
} from 'esbuild'

/** A folder below the packages, so that packages that are not bundled are found. */
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
  'tiny-secp256k1',
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
      if (!text.includes('import.meta.url')) return undefined
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

const OPTIONS = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node24',
  external: AS_THEY_ARE,
  banner: { js: REQUIRE },
  logLevel: 'error' as const,
  legalComments: 'none' as const,
} satisfies BuildOptions

/**
 * Builds programs from their sources below `root`, each with everything that it imports. With `packagesOnce` the packages are
 * bundled by the first build alone, which makes the others twice as fast.
 */
export async function buildPrograms(
  root: string,
  sources: readonly string[],
  { packagesOnce = false } = {},
): Promise<Programs> {
  await mkdir(CACHE, { recursive: true })
  const dir = await mkdtemp(join(CACHE, 'programs-'))
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  const orRemove = async (error: unknown) => {
    await remove()
    throw error
  }
  const entryPoints = sources.map((file) => join(root, file))
  const programs = { ...OPTIONS, entryPoints, outdir: dir, outbase: root }
  const packages = packagesOnce ? [await bundlePackages(programs, dir).catch(orRemove)] : []
  const builder = await context({ ...programs, plugins: [whereTheSourceIs, ...packages] })
  await builder.rebuild().catch(async (error: unknown) => {
    await builder.dispose()
    return orRemove(error)
  })
  return {
    dir,
    rebuild: () => builder.rebuild(),
    async remove() {
      await builder.dispose()
      await remove()
    },
  }
}

/**
 * Bundles each package that programs import, if it is written as a module, and returns the plugin by which they import the
 * bundles. Of other packages only Node finds the names that they export.
 */
async function bundlePackages(programs: BuildOptions, dir: string): Promise<Plugin> {
  const folders = new Map<string, string>()
  const collector = imported(({ path, resolveDir }) => {
    folders.set(path, resolveDir)
    return { path, external: true }
  })
  await build({ ...programs, plugins: [collector], write: false })
  const names = [...folders.keys()].filter((name) => !AS_THEY_ARE.includes(name))
  const entries: Plugin = {
    name: 'entries-of-packages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^package:/ }, ({ path }) => ({
        path: path.slice('package:'.length),
        namespace: 'package',
      }))
      onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => ({
        contents: `export * from '${path}'; import * as all from '${path}'; export default all.default`,
        resolveDir: folders.get(path)!,
      }))
    },
  }
  const { metafile } = await build({
    ...OPTIONS,
    outdir: dir,
    plugins: [entries],
    metafile: true as const,
    entryPoints: names.map((name, index) => ({ in: `package:${name}`, out: `packages/${index}` })),
  })
  const isModule = (name: string) =>
    metafile.inputs[metafile.inputs[`package:${name}`]!.imports[0]!.path]?.format === 'esm'
  const bundles = new Map(
    names.map((name, index) => [name, isModule(name) ? join(dir, 'packages', `${index}.mjs`) : name]),
  )
  return imported(({ path }) => ({ path: bundles.get(path) ?? path, external: true }))
}

/** Resolves the packages that sources import, except those of the workspace. */
function imported(resolve: (args: OnResolveArgs) => OnResolveResult): Plugin {
  return {
    name: 'packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, (args) =>
        args.kind === 'entry-point' || /^(@rif\/|node:)/.test(args.path) ? undefined : resolve(args),
      )
    },
  }
}
