import fc from 'fast-check'

const { PROPERTY_SEED, PROPERTY_RUNS } = process.env

// Every run plays the same random cases, so that what fails fails again; `PROPERTY_SEED=<number>` plays others, and
// `PROPERTY_RUNS=<number>` plays more.
fc.configureGlobal({
  seed: Number(PROPERTY_SEED ?? 20_261_121),
  ...(PROPERTY_RUNS === undefined ? {} : { numRuns: Number(PROPERTY_RUNS) }),
})
