import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { partsOfTexts } from './vite/texts.ts'

/** Where the API and the chain relay answer while the app is served by Vite. */
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

/** Writes the service worker with the names of all files that the app's shell is made of, and a version that changes with them. */
function serviceWorker(): Plugin {
  const source = new URL('src/service-worker.js', import.meta.url)
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const built = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file))
      const files = ['/theme.js', '/favicon.svg', ...built.sort().map((file) => `/${file}`)]
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

async function compressFile(path: string) {
  const content = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

const START_LIBRARIES = /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\//
const START_PARTS =
  /apps\/web\/src\/(lib\/|ui\/(address|button|card|icon|money|nav-bar|page|pill|row|states|stepper|tab-bar|time)\.|wallet\/(chain|connection|discovery|errors|problem-text|wallet-host)\.)/

/**
 * What every first screen needs goes into one file: a phone far away waits for each round trip more than for the bytes.
 * Virtual lists, sheets, forms and viem stay files of their own, loaded when a page or a click asks for them.
 */
const isNeededAtStart = (id: string) =>
  (START_LIBRARIES.test(id) && !/react-virtual|virtual-core/.test(id)) || START_PARTS.test(id)

export default defineConfig({
  plugins: [react(), tailwindcss(), partsOfTexts(), serviceWorker(), precompress()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { proxy: { '/api': apiOrigin, '/rpc': apiOrigin } },
  build: {
    target: 'es2023',
    // One style sheet: it is small, and a lazy page then never waits for a second one.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // Everything is a file of its own: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', test: isNeededAtStart }] } } },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts', '../../scripts/testing/property-seed.mjs'],
    // One page in one process for all files: each would load React and the texts anew.
    isolate: false,
    testTimeout: 30_000,
  },
})
