import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/**
 * Timeouts find a test that hangs. In `.ci/run`, where all parts run at once and the machine may be slow,
 * they are longer by this factor.
 */
const PATIENCE = process.env.CI ? 4 : 1

/** Resolves the workspace packages to their sources, so that a test never uses an old build. */
const SOURCES = { conditions: ['source', 'node', 'development|production'] }

const PROPERTY_SEED = fileURLToPath(new URL('./scripts/testing/property-seed.mjs', import.meta.url))

function nodeProject(name: string, root: string, test: TestProjectInlineConfiguration['test'] = {}) {
  return {
    resolve: SOURCES,
    ssr: { resolve: SOURCES },
    test: {
      ...{ name, root, include: ['**/*.test.ts'], environment: 'node', setupFiles: [PROPERTY_SEED] },
      // Test files share only their imports, which one worker loads once.
      isolate: false,
      testTimeout: PATIENCE * 30_000,
      // As for the end-to-end tests, which `npm test` runs at the same time: timeouts of a second are short
      // on a machine that runs both.
      retry: process.env.CI ? 1 : 0,
      // The default of one second is too short on a machine that runs other tests at the same time.
      expect: { poll: { timeout: 10_000 } },
      ...test,
    },
  } satisfies TestProjectInlineConfiguration
}

export default defineConfig({
  test: {
    // One more than the smallest machine has cores, because tests wait for processes, blocks and timeouts.
    maxWorkers: 3,
    // A single file then starts without transforming its imports.
    fsModuleCache: true,
    projects: [
      nodeProject('scripts', './scripts', {
        include: ['**/*.test.mjs'],
        testTimeout: PATIENCE * 120_000,
        hookTimeout: PATIENCE * 120_000,
      }),
      nodeProject('pure-rules', './packages/rules/src'),
      nodeProject('pure-api-schema', './packages/api-schema/src'),
      nodeProject('pure-solvency', './packages/solvency/src'),
      nodeProject('pure-contracts', './contracts/test'),
      nodeProject('server', './apps/server/src', {
        globalSetup: fileURLToPath(new URL('./apps/server/src/testing/global-setup.ts', import.meta.url)),
        hookTimeout: PATIENCE * 60_000,
      }),
      './apps/web/vite.config.ts',
    ],
  },
})
