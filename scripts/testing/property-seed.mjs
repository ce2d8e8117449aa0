import fc from 'fast-check'

const { PROPERTY_SEED, RIF_TESTS } = process.env

// Every run uses the same random cases, so that failures are reproducible. `PROPERTY_SEED=<number>` uses
// others, and `RIF_TESTS=full`, as in `npm run test:full`, more of them.
fc.configureGlobal({
  seed: Number(PROPERTY_SEED ?? 20_261_121),
  ...(RIF_TESTS === 'full' && { numRuns: 2_000 }),
})
