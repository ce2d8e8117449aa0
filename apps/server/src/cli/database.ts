import { setTimeout as sleep } from 'node:timers/promises'
import { isDistributed as isDistributedDatabase, isHalfDistributed } from '../db/citus/distribute.ts'
import { withConnection } from '../db/connection.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { APP_ROLE } from '../db/roles.ts'
import { StartError } from '../lib/start-error.ts'

const OLDEST_SERVER = 15
/** The time for which a database that starts or fails over may be unavailable. */
const ATTEMPTS = 5
const PAUSE_MS = 500

/** Checks that a database answers and is new enough. Throws StartError without the password of the address. */
export async function checkDatabase(url: string, setting = 'DATABASE_URL'): Promise<void> {
  const version = await serverVersion(url).catch((error: unknown) => {
    throw new StartError(
      `the database at ${databasePlaceOf(url)} cannot be reached: ${reasonOf(error)} (${setting})`,
    )
  })
  if (version < OLDEST_SERVER * 10_000) {
    throw new StartError(
      `the database at ${databasePlaceOf(url)} is PostgreSQL ${Math.floor(version / 10_000)}: ${OLDEST_SERVER} or later is needed`,
    )
  }
}

/** Returns the version number of the database's server, such as 150004. Throws the error of the connection. */
export function serverVersion(url: string): Promise<number> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    return rows[0]!.version
  })
}

/** Throws StartError for a login that owns the tables, may become their owner, or may create roles. */
export async function refuseOwnerLogin(url: string): Promise<void> {
  const rows = await withConnection(url, async (client) => {
    const result = await client.query<{ name: string }>(`
      select rolname as name from pg_roles
      where rolname = session_user and (rolsuper or rolcreaterole or rolbypassrls
        or exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'member'))
        or exists (select from pg_database where datname = current_database() and pg_has_role(datdba, 'member')))`)
    return result.rows
  })
  const [owner] = rows
  if (owner === undefined) return
  throw new StartError(
    `DATABASE_URL logs in as ${owner.name}, who can change the tables themselves: give it the login ${APP_ROLE}, and the owner's to MIGRATION_DATABASE_URL`,
  )
}

/** Properties of a database and of its login that determine how a process uses it. */
export interface DatabaseKind {
  /** True if the tables are distributed over several machines. */
  readonly isDistributed: boolean
  /** True if the login may assume the application's role. */
  readonly hasRole: boolean
}

/**
 * Opens the pools of a process; `hasPools` for one that serves calls. A login with more rights than the
 * application assumes its role. A database that does not answer is retried for some seconds, because its
 * properties cannot be guessed; afterwards `otherwise` is assumed, for a process that can do without. Throws
 * StartError, also for a database whose distribution is not finished.
 */
export async function openDatabase(
  url: string,
  max: number,
  { hasPools = false, otherwise }: { hasPools?: boolean; otherwise?: DatabaseKind } = {},
): Promise<Database> {
  const { isDistributed, hasRole } = await kindOf(url, otherwise ? 1 : ATTEMPTS).catch((error: unknown) => {
    if (error instanceof StartError) throw error
    if (otherwise) return otherwise
    throw new StartError(`the database at ${databasePlaceOf(url)} cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    })
  })
  return createDatabase({
    url,
    max,
    hasPools,
    applicationName: 'rif',
    isDistributed,
    ...(hasRole && { role: APP_ROLE }),
  })
}

/**
 * Queries the properties of a database, and retries after a pause while it does not answer. Throws the last
 * error.
 */
async function kindOf(url: string, attempts: number): Promise<DatabaseKind> {
  for (let left = attempts; ; ) {
    try {
      return await withConnection(url, async (client) => {
        if (await isHalfDistributed(client))
          throw new StartError('the distribution of the database is not finished: run `rif distribute`')
        return {
          isDistributed: await isDistributedDatabase(client),
          hasRole: await client.query(`set role ${APP_ROLE}`).then(
            () => true,
            () => false,
          ),
        }
      })
    } catch (error) {
      if (error instanceof StartError || --left === 0) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Returns the host and name of a database, without its login. */
export function databasePlaceOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname}`
}

/** Returns the first line of an error. An AggregateError of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: Error[] }
  return (message || errors?.[0]?.message || String(error)).split('\n', 1)[0] as string
}
