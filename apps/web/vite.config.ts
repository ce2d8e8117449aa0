/// <reference types="vitest/config" />
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rollup } from 'vite'
import { apiRoutes } from './vite/api-routes.ts'
import { firstModules } from './vite/text-keys.ts'
import { partsOfTexts } from './vite/texts.ts'

/** The origin of the API and the chain relay while Vite serves the app. */
const apiOrigin = process.env.API_ORIGIN ?? 'http://localhost:8080'

/** Writes .br and .gz beside every text file of the build, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const files = await readdir(dir, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|html|svg|txt|webmanifest)$/.test(file))
      await Promise.all(texts.map((file) => compressFile(join(dir, file))))
    },
  }
}

/** Writes the service worker with the names of all files that the members' shell is made of, and a version that changes with them. */
function serviceWorker(): Plugin {
  const source = new URL('src/service-worker.js', import.meta.url)
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const styles = Object.keys(bundle).filter((file) => /\.css$|inter-latin-opsz.*\.woff2$/.test(file))
      const built = [...styles, ...membersChunks(bundle)].map((file) => `/${file}`)
      const files = ['/theme.js', '/favicon.svg', ...built.sort()]
      const html = bundle['index.html']
      const version = createHash('sha256')
        .update(JSON.stringify(files))
        .update(html?.type === 'asset' ? html.source : '')
        .digest('hex')
        .slice(0, 12)
      const text = await readFile(source, 'utf8')
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: text.replace('__VERSION__', version).replace('__FILES__', JSON.stringify(files)),
      })
    },
  }
}

/**
 * The chunks that a member can come to: all but the operator's pages, their texts, the library of WalletConnect, which needs a
 * connection and few choose, and what only these lead to.
 */
function membersChunks(bundle: Rollup.OutputBundle): string[] {
  const names = new Set<string>()
  const visit = (name: string) => {
    const file = bundle[name]
    if (file?.type !== 'chunk' || names.has(name)) return
    if (/\/(features\/admin|wallet\/walletconnect)\/|^\0texts:.*:admin$/.test(file.facadeModuleId ?? ''))
      return
    // The document's own chunk is taken out of the build again.
    if (!file.facadeModuleId?.endsWith('.html')) names.add(name)
    for (const next of [...file.imports, ...file.dynamicImports]) visit(next)
  }
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) visit(file.fileName)
  return [...names]
}

async function compressFile(path: string) {
  const content = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

/** Selects the modules of `src/early.ts`, which runs while everything else is loading, and of what all other files share. */
const isNeededEarly = (id: string) =>
  /apps\/web\/src\/(early|app\/(guard|page-search|pages)|lib\/(api-routes|storage|texts)|wallet\/chain-calls)\.|virtual:api-routes\/members|packages\/rules\/src\/(money|day|invite-code)\./.test(
    id,
  )

const START_LIBRARIES =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|zustand|lucide|@tanstack)\//
const START_PARTS =
  /apps\/web\/src\/(main|app\/(banners|layout|page-states|router)|lib\/|ui\/(address|button|card|focus-fault|icon|language-list|later|marks|overlay-host|page|sheet|states|stepper)|wallet\/(connection|demo-wallet|discovery|provider|terms\/tell-signing))\./
/** Selects the parts of these that only pages behind the login need: reading lists, changing something, and typing amounts. */
const NOT_AT_START =
  /react-virtual|virtual-core|(infiniteQueryObserver|useInfiniteQuery|mutationObserver|useMutation)\.|lib\/(address-input|amount-input|files|frozen-quote|help|help-search|mutations|near-window|use-plan)\./

/**
 * Selects the modules of every first screen, which go into one file: round trips cost a distant phone more than bytes.
 * Virtual lists, sheets, forms and viem stay files of their own, loaded when a page or a click asks for them.
 */
const isNeededAtStart = (id: string) =>
  (START_LIBRARIES.test(id) || START_PARTS.test(id)) && !NOT_AT_START.test(id)

/**
 * Lets the browser fetch the app itself at once, because `src/early.ts` imports it only after the first paint, and names the files
 * of the first pages, which `src/early.ts` preloads: an import would find those that a page imports one round trip later.
 */
function preloadApp(): Plugin {
  return {
    name: 'preload-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(_html, { bundle = {} }) {
        const main = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/src/main.tsx')),
        )
        if (main === undefined) throw new Error('the build has no chunk of src/main.tsx')
        const start = importsOf(bundle, main.fileName)
        const filesOf = (module: string) => {
          const page = Object.values(bundle).find(
            (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/${module}`),
          )
          if (page === undefined) throw new Error(`the build has no chunk of ${module}`)
          return importsOf(bundle, page.fileName).filter((file) => !start.includes(file))
        }
        const modules = Object.entries(await firstModules())
        const pages = Object.fromEntries(modules.map(([path, module]) => [path, filesOf(module)]))
        return [
          ...start.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${file}` },
            injectTo: 'head' as const,
          })),
          {
            tag: 'meta',
            attrs: { name: 'pages', content: JSON.stringify(pages) },
            injectTo: 'head' as const,
          },
        ]
      },
    },
  }
}

/**
 * Replaces Vite's helper around dynamic imports, a kilobyte of code that loads the styles and files of a page before it: there is one
 * style sheet, and `modulePreload` is off.
 */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null,
  }
}

/** Returns a chunk with all that it imports. */
function importsOf(bundle: Rollup.OutputBundle, name: string, imports: string[] = []): string[] {
  const file = bundle[name]
  if (file?.type !== 'chunk' || imports.includes(name)) return imports
  imports.push(name)
  for (const next of file.imports) importsOf(bundle, next, imports)
  return imports
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    apiRoutes(),
    partsOfTexts(),
    plainImports(),
    preloadApp(),
    serviceWorker(),
    precompress(),
  ],
  server: { proxy: { '/api': apiOrigin, '/rpc': apiOrigin } },
  build: {
    target: 'es2023',
    // One style sheet: it is small, and a lazy page then never waits for a second one.
    cssCodeSplit: false,
    // A link for each file that a page needs costs a phone more than the files, and pages are loaded on touch already.
    modulePreload: false,
    // Everything is a file of its own: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The table of pages loads before the first screen, with the names of a hundred files: a page's is its hash alone.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('-page.tsx') ? 'assets/[hash].js' : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'early', test: isNeededEarly, priority: 3 },
            // Beside the start, because two files arrive sooner than one of their size.
            {
              name: 'react',
              test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler)\//,
              priority: 2,
            },
            { name: 'start', test: isNeededAtStart, priority: 2 },
            // What the tabs share beside the start.
            {
              name: 'parts',
              test: (id: string) =>
                /@tanstack\/(react-query|query-core)\/|lib\/(address-input|amount-input|follow|frozen-quote|mutations)\.|packages\/rules\/src\/(assets|conversion|refusal)\.|ui\/(columns|disclosure|facts|field|figures|in-currency|loaded|meter|money|owed-notice|price-note|price-source|rows|segmented|term|time|token-mark)\.|lib\/currency\.|features\/home\/(components\/activity-row|activity-view)\.|wallet\/(balances|balance-reads|claim-wish)\./.test(
                  id,
                ),
              priority: 1,
            },
            {
              name: 'charts',
              test: /ui\/(charts|chart-frame|chart-labels|chart-scale|data-table)\./,
              priority: 1,
            },
            // Both are drawn once home's figures are there.
            { name: 'home-charts', test: /features\/home\/components\/(total|volume)-chart\./ },
            // What every start asks of the terms, without the rules and the plan.
            { name: 'terms', test: /packages\/rules\/src\/terms\.|wallet\/terms\/accepted\./, priority: 2 },
            // Reading a plan, which few pages do.
            { name: 'plan', test: /packages\/rules\/src\/plan|lib\/use-plan\./, priority: 1 },
            // Judging drafts, which no first screen does.
            { name: 'rules', test: /packages\/rules\/src\/(?!index)/, priority: 1 },
            {
              name: 'transactions',
              test: /wallet\/(transactions|contract-facts|order-frame|tx-flow\/report)\./,
            },
            { name: 'bars', test: /wallet\/(wallet-bars|terms\/terms-prompt)\./ },
            {
              name: 'lists',
              test: /ui\/(infinite-list|list-filter|table-list|virtual-rows)\.|react-virtual|virtual-core/,
            },
            { name: 'orders', test: /features\/shop\/(order-view|components\/level-mark)\./ },
            // The fund's tab is made of some small parts, which its other pages share.
            { name: 'fund', test: /features\/fund\/(fund-view|components\/(fund-tabs|parts|rows))\./ },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts', '../../scripts/testing/property-seed.mjs'],
    // The same number as in vitest.config.ts, which Vitest requires of projects that run together.
    maxWorkers: 3,
    // One page per process for all files; each would load React and the texts again.
    isolate: false,
    testTimeout: 120_000,
  },
})
