import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../../config.ts'
import { withConnection } from '../../db/connection.ts'
import { isDistributed } from '../../db/distribute.ts'
import { MIN_CONNECTIONS } from '../../db/lanes.ts'
import { StartError } from '../../lib/start-error.ts'

/** The API processes of a command, and the connections of the pool of each process. */
export interface Shares {
  readonly processes: number
  readonly poolSize: number
}

/** The connections that a database server allows an ordinary user. */
interface Allowed {
  readonly connections: number
  /** True for the coordinator of a cluster, to which every process has two pools (db/database.ts). */
  readonly isDistributed: boolean
}

type Wanted = Pick<Config, 'serveProcesses' | 'databasePoolSize' | 'hasPoolSize'>

/**
 * The connections of an API process besides its pool: the check that the database answers, and the channel of
 * changes.
 */
const BESIDE_API_POOL = 2
/**
 * The connections of a main process with worker and indexer: the queues of jobs and of webhooks, the
 * indexer's lock, and the channel.
 */
const BESIDE_MAIN_POOL = 13
/** The connection of a main process that only starts the others. */
const MAIN_ALONE = 1
/** Reserved for `rif sign`, audits and people who look into the database. */
const FOR_OTHERS = 10
/** The connections that PostgreSQL reserves for superusers by default. */
const FOR_SUPERUSERS = 3
/** The default of PostgreSQL, and the maximum of the product's own server. */
const [USUAL_LIMIT, LARGEST_LIMIT] = [100, 300]

/**
 * Memory in bytes for each process after the first: a busy one takes about half, and PostgreSQL's connections
 * the rest.
 */
const MEMORY_OF_PROCESS = 2 ** 30

/**
 * Returns the configured number of API processes: by default one per core available to this process, and at
 * most one per GiB of its memory.
 */
export function wantedProcesses(
  { serveProcesses }: Pick<Wanted, 'serveProcesses'>,
  { cores, memory } = { cores: availableParallelism(), memory: usableMemory() },
): number {
  return serveProcesses ?? Math.max(1, Math.min(cores, Math.round(memory / MEMORY_OF_PROCESS)))
}

/** Returns the memory of this machine in bytes, or the limit of its container if that is smaller. */
function usableMemory(): number {
  // Zero, or more than the machine has, if there is no limit.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

/**
 * Returns the number of connections of the product. `isWhole` is a main process that also runs worker and
 * indexer; as separate services they need as many, besides the one with which the main process compares
 * clocks.
 */
function connectionsOf({ processes, poolSize }: Shares, isWhole: boolean, isDistributed = false): number {
  // The second pool has a check of its own that the database answers.
  const pools = isDistributed ? 2 * poolSize + 1 : poolSize
  return processes * (pools + BESIDE_API_POOL) + pools + BESIDE_MAIN_POOL + (isWhole ? 0 : MAIN_ALONE)
}

/** Returns the setting `max_connections` of the product's own PostgreSQL. */
export function ownConnectionLimit(config: Wanted): number {
  const shares = { processes: wantedProcesses(config), poolSize: config.databasePoolSize }
  const needed = connectionsOf(shares, true) + FOR_OTHERS + FOR_SUPERUSERS
  return Math.min(LARGEST_LIMIT, Math.max(USUAL_LIMIT, needed))
}

/**
 * Returns processes and pools that fit the connections that the database allows. Values that are not
 * configured are reduced: first the pools, then the processes. A single process is unchanged. Throws
 * StartError if configured values do not fit.
 */
export function shareConnections(
  config: Wanted,
  { connections, isDistributed }: Allowed,
  isWhole: boolean,
): Shares {
  const { serveProcesses, databasePoolSize, hasPoolSize } = config
  const wanted = wantedProcesses(config)
  const smallestPool = hasPoolSize ? databasePoolSize : MIN_CONNECTIONS
  const needed = (shares: Shares) => connectionsOf(shares, isWhole, isDistributed) + FOR_OTHERS
  for (let processes = wanted; processes > 1; processes--) {
    for (let poolSize = databasePoolSize; poolSize >= smallestPool; poolSize--) {
      const shares = { processes, poolSize }
      if (needed(shares) <= connections) return shares
    }
    if (serveProcesses !== undefined) {
      const least = needed({ processes, poolSize: smallestPool })
      throw new StartError(
        `${processes} API processes need ${least} database connections, and the database allows ${connections}: set SERVE_PROCESSES${hasPoolSize ? ' or DATABASE_POOL_SIZE' : ''} lower, or max_connections of PostgreSQL higher`,
      )
    }
  }
  return { processes: 1, poolSize: databasePoolSize }
}

/** Returns the number of connections that the server, the database and the login allow an ordinary user. */
export function allowedConnections(url: string): Promise<Allowed> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ allowed: number }>(`
      select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as allowed`)
    return { connections: rows[0]!.allowed, isDistributed: await isDistributed(client) }
  })
}
