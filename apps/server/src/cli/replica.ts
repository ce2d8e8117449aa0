import type { Config } from '../config.ts'
import { isCluster } from '../db/citus/machines.ts'
import { withConnection } from '../db/connection.ts'
import type { Database, Db } from '../db/database.ts'
import { APP_ROLE } from '../db/roles.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { openDatabase } from './database.ts'
import { refuseWrongAddress } from './explain.ts'

const CONNECTIONS = 2

/**
 * Opens the replica of a database, for audits, if the settings name one. One that does not answer is logged, because audits read the
 * database then. Throws StartError for a login without the application's rights, and for a server that does
 * not follow the database.
 */
export async function openReplica(
  { replicaUrl, databasePoolSize }: Pick<Config, 'replicaUrl' | 'databasePoolSize'>,
  { databaseUrl, db }: { databaseUrl: string; db: Db },
  log: Logger,
): Promise<Database | undefined> {
  if (replicaUrl === undefined) return undefined
  await checkReplica(replicaUrl, databaseUrl, log)
  // The product starts without its replica, which has the same tables as the database.
  const otherwise = { isDistributed: await isCluster(db), hasRole: false }
  return openDatabase(replicaUrl, Math.min(CONNECTIONS, databasePoolSize), { otherwise })
}

async function checkReplica(replicaUrl: string, databaseUrl: string, log: Logger): Promise<void> {
  const replica = await copyAt(replicaUrl).catch((err: unknown) => {
    refuseWrongAddress(err, 'DATABASE_REPLICA_URL')
    log.warn(
      { err },
      'the replica does not answer and is not checked; audits read the database until it does',
    )
    return undefined
  })
  if (replica === undefined) return
  const database = await copyAt(databaseUrl)
  if (replica.cluster !== database.cluster || replica.database !== database.database)
    throw new StartError(
      'DATABASE_REPLICA_URL leads to another database than DATABASE_URL: it needs a streaming replica of it',
    )
  if (!replica.follows && replica.startedAt !== database.startedAt)
    throw new StartError(
      'DATABASE_REPLICA_URL leads to a copy of the database that no longer follows it: it needs a streaming replica',
    )
  if (!replica.hasRole)
    throw new StartError(`the login of DATABASE_REPLICA_URL is neither ${APP_ROLE} nor a member of it`)
}

/** A database as one server holds it. A server and its streaming replicas have the same `cluster`. */
interface Copy {
  readonly cluster: string
  /** The oid of the database, which tells it from others of the cluster. */
  readonly database: string
  /** True on a server that replays the changes of another one. */
  readonly follows: boolean
  /** The start of the server, which tells it from its copies. */
  readonly startedAt: string
  /** True if the login may assume the application's role. */
  readonly hasRole: boolean
}

async function copyAt(url: string): Promise<Copy> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<Copy>(
      `select (select system_identifier from pg_control_system())::text as cluster,
        (select oid from pg_database where datname = current_database())::text as database,
        pg_is_in_recovery() as follows,
        extract(epoch from pg_postmaster_start_time())::text as "startedAt",
        exists (select from pg_roles where rolname = $1 and pg_has_role(session_user, oid, 'member')) as "hasRole"`,
      [APP_ROLE],
    )
    return rows[0] as Copy
  })
}
