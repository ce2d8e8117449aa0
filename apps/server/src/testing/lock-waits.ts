import pg from 'pg'
import { inject } from 'vitest'
import { withConnection } from '../db/connection.ts'
import { urlOf } from './cluster.ts'
import type { TestDatabase } from './test-database.ts'

/**
 * Locks a table, on a cluster with its shards, so that every writer waits. Returns the function that releases
 * the lock.
 */
export async function holdTable({ adminUrl }: TestDatabase, table: string): Promise<() => Promise<void>> {
  const { pathname } = new URL(adminUrl)
  const clients = inject('databaseServers').map(
    (url) => new pg.Client({ connectionString: urlOf(url, { pathname }) }),
  )
  for (const client of clients) await client.connect()
  const [first, ...machines] = clients
  await first!.query(`begin; lock table ${table} in exclusive mode`)
  for (const machine of machines) {
    const { rows } = await machine.query<{ shard: string }>(
      `select shard_name(logicalrelid, shardid) as shard
       from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_local_group using (groupid)
       where logicalrelid = to_regclass($1)`,
      [table],
    )
    await machine.query('set citus.enable_manual_changes_to_shards = on')
    await machine.query(
      `begin; ${rows.map(({ shard }) => `lock table ${shard} in exclusive mode`).join(';')}`,
    )
  }
  return async () => {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * A process of the coordinator has its id in the names of its connections to other machines, after the
 * machine.
 */
const NAME_OF_COORDINATOR = 'citus_internal gpid='
const MACHINE = 10_000_000_000

/** Reports whether a session with the application's name waits for a lock. */
export async function waitsForLock(database: TestDatabase, applicationName: string): Promise<boolean> {
  return (await lockWaiters(database, applicationName)).length > 0
}

/**
 * Returns the process ids of the sessions with the application's name that wait for a lock; on a cluster, on any
 * machine that their statement has reached.
 */
export async function lockWaiters({ adminUrl }: TestDatabase, applicationName: string): Promise<number[]> {
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
  const waiting = sessions.filter(({ waits }) => waits).map(({ pid }) => pid)
  for (const url of sessions.length > 0 ? others : []) {
    const pids = await withConnection(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database() and starts_with(application_name, $1)`,
        [NAME_OF_COORDINATOR],
      )
      return rows.map(({ name }) => Number(name.slice(NAME_OF_COORDINATOR.length)) % MACHINE)
    })
    waiting.push(...sessions.map(({ pid }) => pid).filter((pid) => pids.includes(pid)))
  }
  return waiting
}
