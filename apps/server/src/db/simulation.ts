import { withConnection } from './connection.ts'
import { migrate } from './migrate.ts'

/**
 * Marks a database as a simulation, whose events have their own clock and test deposits, or as a real one,
 * which compares the time of each posting with its clock. `ownerUrl` is the owner's login: no other may
 * change the mark.
 */
export async function markSimulation(ownerUrl: string, isSimulation: boolean): Promise<void> {
  await withConnection(ownerUrl, (client) =>
    client.query('update ledger_simulation set is_simulation = $1', [isSimulation]),
  )
}

/** 'simu' as a number: no other advisory lock of this database uses it. */
const SIMULATION_LOCK = 0x73696d75

/**
 * Runs `work` while the database is marked as a simulation, after any other process that does so. If the process is killed, the
 * next run removes the mark.
 */
export async function inSimulation<T>(ownerUrl: string, work: () => Promise<T>): Promise<T> {
  return withConnection(ownerUrl, async (client) => {
    // Whoever ends first would remove the mark under the other.
    await client.query('select pg_advisory_lock($1)', [SIMULATION_LOCK])
    await markSimulation(ownerUrl, true)
    try {
      return await work()
    } finally {
      await markSimulation(ownerUrl, false)
    }
  })
}

/** Migrates a database for events with their own clock: a simulation, a test or a benchmark. */
export async function migrateSimulation(ownerUrl: string): Promise<void> {
  await migrate({ url: ownerUrl })
  await markSimulation(ownerUrl, true)
}
