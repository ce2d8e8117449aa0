/** The options of `vi.waitFor` and `vi.waitUntil`, whose own limit of a second is too short. Only what hangs reaches this one. */
export const WAIT = { timeout: process.env.CITUS_DATABASE_URL ? 300_000 : 60_000, interval: 20 }
