import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isCluster } from './machines.ts'

const POLL_MS = 200
/** Longer than Citus takes to decide what a machine had prepared when it died (citus.recover_2pc_interval). */
const GIVE_UP_MS = 90_000

/**
 * Waits until every transaction that is prepared on a machine of a cluster is decided: committed, so that its rows
 * are visible on all machines, or rolled back. Later ones are not waited for. Does nothing on one machine. Throws
 * if one stays in doubt, or a machine does not answer.
 */
export async function awaitDecided(db: Db): Promise<void> {
  if (!(await isCluster(db))) return
  let waited = await inDoubt(db)
  for (let ms = 0; waited.length > 0; ms += POLL_MS) {
    if (ms > GIVE_UP_MS) throw new Error(`transactions stay prepared on a machine: ${waited.join(', ')}`)
    await sleep(POLL_MS)
    const still = new Set(await inDoubt(db))
    waited = waited.filter((item) => still.has(item))
  }
}

/** Returns the names of the transactions that are prepared on the machines. */
async function inDoubt(db: Db): Promise<string[]> {
  const { rows } = await sql<{ machine: string; success: boolean; result: string }>`
    select nodename || ':' || nodeport as machine, success, result from run_command_on_workers(
      $$select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts where database = current_database()$$)`.execute(
    db,
  )
  return rows.flatMap(({ machine, success, result }) => {
    if (!success) throw new Error(`the machine ${machine} does not answer: ${result}`)
    return result === '' ? [] : result.split(' ')
  })
}
