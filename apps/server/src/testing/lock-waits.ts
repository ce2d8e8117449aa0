import { inject } from 'vitest'
import { withConnection } from '../db/connection.ts'
import { urlOf } from './cluster.ts'
import type { TestDatabase } from './test-database.ts'

/** A process of the coordinator has its id in the names of its connections to other machines, with the machine before it. */
const NAME_OF_COORDINATOR = 'citus_internal gpid='
const MACHINE = 10_000_000_000

/**
 * Reports whether a session with the application's name waits for a lock: on a cluster, on whichever machine its statement has
 * come to.
 */
export async function waitsForLock({ adminUrl }: TestDatabase, applicationName: string): Promise<boolean> {
  const { pathname } = new URL(adminUrl)
  const [first, ...others] = inject('databaseServers').map((url) => urlOf(url, { pathname }))
  const sessions = await withConnection(first!, async (client) => {
    const { rows } = await client.query<{ pid: number; waits: boolean }>(
      `select pid, coalesce(wait_event_type = 'Lock', false) as waits from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [applicationName],
    )
    return rows
  })
  if (sessions.some(({ waits }) => waits)) return true
  for (const url of sessions.length > 0 ? others : []) {
    const pids = await withConnection(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database() and starts_with(application_name, $1)`,
        [NAME_OF_COORDINATOR],
      )
      return rows.map(({ name }) => Number(name.slice(NAME_OF_COORDINATOR.length)) % MACHINE)
    })
    if (sessions.some(({ pid }) => pids.includes(pid))) return true
  }
  return false
}
