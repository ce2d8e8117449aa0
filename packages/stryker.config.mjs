// The mutation tests of one package, for `scripts/mutation.mjs`, which names it in the environment.
const name = process.env.MUTATED_PACKAGE

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'packages/vitest.mutation.config.ts' },
  mutate: [`packages/${name}/src/**/*.ts`, `!packages/${name}/src/**/*.{test,fixture}.ts`],
  // What the copy holds in which the changes are made.
  ignorePatterns: [
    '**',
    `!packages/${name}/**`,
    '!packages/vitest.mutation.config.ts',
    '!docs/solvency.md',
    '!scripts/testing/**',
    '!tsconfig.base.json',
    '!package.json',
  ],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.tmp/mutation/${name}/report.json` },
  incremental: true,
  incrementalFile: `.tmp/mutation/${name}/incremental.json`,
  tempDirName: `.tmp/mutation/${name}/sandbox`,
  concurrency: 2,
  // A change that runs this much longer than its tests hangs. The default is too short beside other work.
  timeoutMS: 20_000,
  thresholds: { high: 99, low: 98, break: 98 },
}
