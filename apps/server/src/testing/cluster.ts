import type pg from 'pg'
import { withConnection } from '../db/connection.ts'
import { APP_ROLE, OWNER_ROLE, READ_ROLE } from '../db/roles.ts'
import type { LocalPostgres } from '../local/postgres.ts'

/**
 * The servers that hold every test database: a single one, or the coordinator of a Citus cluster and its
 * workers.
 */
export interface TestServers {
  /** The maintenance databases as their superuser, the coordinator's first. */
  readonly urls: readonly string[]
  readonly logins: LocalPostgres['urls']
}

/**
 * Finds the servers of the cluster whose coordinator has the database `url`, to which the workers were added,
 * and creates the logins of the product. They log in without a password, so the machine is one for tests.
 */
export async function openCluster(url: string): Promise<TestServers> {
  const nodes = await withConnection(url, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
  const urls = nodes.map(({ host, port }) => urlOf(url, { host: `${host}:${port}`, pathname: '/postgres' }))
  for (const server of urls) await withConnection(server, makeLogins)
  const loginOf = (username: string) => urlOf(url, { username, pathname: '/postgres' })
  return { urls, logins: { owner: loginOf(OWNER_ROLE), app: loginOf(APP_ROLE), read: loginOf(READ_ROLE) } }
}

async function makeLogins(client: pg.Client): Promise<void> {
  for (const [role, options] of [
    [APP_ROLE, ''],
    [READ_ROLE, ''],
    [OWNER_ROLE, `createrole in role ${APP_ROLE}, ${READ_ROLE}`],
  ] as const) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    if (rowCount === 0) await client.query(`create role ${role} login ${options}`)
    else await client.query(`alter role ${role} login`)
  }
}

/** Runs a statement in the maintenance database of every server. */
export async function onServers(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(urls.map((url) => withConnection(url, (client) => client.query(statement))))
}

/** Creates a database of that name on every server and joins them to one. */
export async function createClusterDatabase({ urls }: TestServers, name: string): Promise<void> {
  await onServers(urls, `drop database if exists ${name} with (force)`)
  await onServers(urls, `create database ${name} owner ${OWNER_ROLE}`)
  const own = urls.map((url) => urlOf(url, { pathname: `/${name}` }))
  await onServers(own, 'create extension citus')
  const [coordinator, ...workers] = own.map((url) => new URL(url))
  await withConnection(coordinator!, async (client) => {
    const { hostname, port } = coordinator!
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const worker of workers)
      await client.query('select citus_add_node($1, $2)', [worker.hostname, Number(worker.port)])
    await client.query("select citus_set_node_property($1, $2, 'shouldhaveshards', false)", [
      hostname,
      Number(port),
    ])
  })
}

/** Ends the connections to a database and refuses new ones, so that it can be copied. */
export async function closeDatabase(urls: readonly string[], name: string): Promise<void> {
  await onServers(urls, `alter database ${name} allow_connections false`)
  await onServers(urls, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

export function urlOf(url: string, changes: Partial<Pick<URL, 'host' | 'pathname' | 'username'>>): string {
  return Object.assign(new URL(url), changes).href
}
