import fc from 'fast-check'

// Every run plays the same random cases, so that what fails fails again; `PROPERTY_SEED=<number>` plays others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) })
