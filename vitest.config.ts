import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const PROPERTY_SEED = fileURLToPath(new URL('./scripts/testing/property-seed.mjs', import.meta.url))

const IS_ON_CLUSTER = process.env.CITUS_DATABASE_URL !== undefined
/** The times after which a wait and a test fail, in milliseconds. They only find what hangs. A cluster plans every statement twice. */
const WAIT = IS_ON_CLUSTER ? 300_000 : 60_000
const LIMIT = IS_ON_CLUSTER || process.env.RIF_TESTS === 'full' ? 1_800_000 : 120_000

function nodeProject(name: string, root: string, test: TestProjectInlineConfiguration['test'] = {}) {
  return {
    test: {
      name,
      root,
      include: ['**/*.test.ts'],
      environment: 'node',
      setupFiles: [PROPERTY_SEED],
      // Test files share only their imports, which one worker loads once.
      isolate: false,
      testTimeout: LIMIT,
      hookTimeout: LIMIT,
      expect: { poll: { timeout: WAIT, interval: 20 } },
      ...test,
    },
  } satisfies TestProjectInlineConfiguration
}

export default defineConfig({
  test: {
    // One more than the smallest machine has cores, because tests wait for processes, blocks and timeouts.
    maxWorkers: 3,
    tags: [
      {
        name: 'full',
        description:
          'takes long: kills, histories, and what a shorter test covers in part (npm run test:full)',
      },
    ],
    // A single file then starts without transforming its imports.
    fsModuleCache: true,
    projects: [
      nodeProject('scripts', './scripts', {
        include: ['**/*.test.mjs'],
      }),
      nodeProject('pure-rules', './packages/rules/src'),
      nodeProject('pure-api-schema', './packages/api-schema/src'),
      nodeProject('pure-solvency', './packages/solvency/src'),
      nodeProject('pure-contracts', './contracts/test'),
      nodeProject('server', './apps/server/src', {
        globalSetup: fileURLToPath(new URL('./apps/server/src/testing/global-setup.ts', import.meta.url)),
      }),
      './apps/web/vite.config.ts',
    ],
  },
})
