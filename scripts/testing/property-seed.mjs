import fc from 'fast-check'

const { PROPERTY_SEED, PROPERTY_RUNS } = process.env

// Every run uses the same random cases, so that failures are reproducible. `PROPERTY_SEED=<number>` uses
// others, and `PROPERTY_RUNS=<number>` more of them.
fc.configureGlobal({
  seed: Number(PROPERTY_SEED ?? 20_261_121),
  ...(PROPERTY_RUNS === undefined ? {} : { numRuns: Number(PROPERTY_RUNS) }),
})
