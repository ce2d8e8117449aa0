import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Used by the mutation test; the other tests use the configuration of the repository. */
export default defineConfig({
  root: pathOf('.'),
  test: {
    include: ['src/**/*.test.ts'],
    isolate: false,
    setupFiles: [pathOf('../../scripts/testing/property-seed.mjs')],
  },
})
