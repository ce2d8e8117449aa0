import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Used by the mutation tests; the other tests use the configuration of the repository. */
export default defineConfig({
  root: pathOf(`./${process.env.MUTATED_PACKAGE}`),
  test: {
    include: ['src/**/*.test.ts'],
    isolate: false,
    // Only finds what hangs.
    testTimeout: 120_000,
    setupFiles: [pathOf('../scripts/testing/property-seed.mjs')],
  },
})
