import type { Config } from '../../config.ts'
import { withConnection } from '../../db/connection.ts'
import { MIN_CONNECTIONS } from '../../db/lanes.ts'
import { StartError } from '../../lib/start-error.ts'
import type { SeatRange } from './seats.ts'

/** The commands that run parts of the product, besides `rif sign`, whose few connections are fixed. */
export type RunCommand = 'start' | 'serve' | 'worker' | 'index'

/** The database connections of a command. */
export interface ConnectionPlan {
  /** The connections of all processes of the product together. */
  readonly budget: number
  /** The most that this command opens. */
  readonly connections: number
  readonly poolSize: number
  /** The seats from which the command takes as many as `connections`, in this order (seats.ts). */
  readonly seats: readonly SeatRange[]
}

type Wanted = Pick<Config, 'databasePoolSize' | 'hasPoolSize' | 'databaseConnections'>

/**
 * The connections of an API process besides its pool: the check that the database answers, and the channel of
 * changes.
 */
const BESIDE_API_POOL = 2
/** The connections of a worker besides its pool: the queues of jobs and of webhooks, and the channel. */
const BESIDE_WORKER_POOL = 12
/** The connections of an indexer besides its pool: the lock of the leader, and the channel. */
const BESIDE_INDEX_POOL = 2
/** `rif start` has one channel of changes for worker, indexer and API. */
const BESIDE_WHOLE_POOL = BESIDE_WORKER_POOL + BESIDE_INDEX_POOL + BESIDE_API_POOL - 2
/** The connection that holds the seats of a command. */
const SEATS = 1
/** The pool of an indexer, and the largest of a worker, unless configured. */
const [INDEX_POOL, LARGEST_WORKER_POOL] = [8, 20]
/** A worker gets this part of the budget as its pool, unless configured. */
const WORKER_PART = 8
/** Not in the budget: for `rif sign`, commands and people who look into the database. */
const FOR_OTHERS = 10
/** The connections that PostgreSQL reserves for superusers by default. */
const FOR_SUPERUSERS = 3
/** The default of PostgreSQL, and the maximum of the product's own server. */
const [USUAL_LIMIT, LARGEST_LIMIT] = [100, 300]

const BESIDE_POOL: Readonly<Record<RunCommand, number>> = {
  start: BESIDE_WHOLE_POOL,
  serve: BESIDE_API_POOL,
  worker: BESIDE_WORKER_POOL,
  index: BESIDE_INDEX_POOL,
}

/** Returns the most connections that a command opens with a pool of this size. */
const connectionsOf = (command: RunCommand, poolSize: number): number =>
  poolSize + BESIDE_POOL[command] + SEATS

/** Returns the setting `max_connections` of the product's own PostgreSQL. */
export function ownConnectionLimit({ databasePoolSize }: Wanted): number {
  const needed = connectionsOf('start', databasePoolSize) + FOR_OTHERS + FOR_SUPERUSERS
  return Math.min(LARGEST_LIMIT, Math.max(USUAL_LIMIT, needed))
}

/**
 * Divides the connections of the database among the commands of the product. Every process computes the same
 * table from the same settings, and of what the database allows: the first worker and the first indexer have theirs, one `rif serve` takes at
 * most half of the rest unless its pool is configured, and further processes take what is free. A pool that is
 * not configured shrinks to fit. Throws StartError, in one line with the sum, if they do not.
 */
export function planConnections(config: Wanted, allowed: number, command: RunCommand): ConnectionPlan {
  const { databaseConnections, databasePoolSize, hasPoolSize } = config
  if (databaseConnections !== undefined && databaseConnections > allowed)
    throw new StartError(
      `DATABASE_CONNECTIONS is ${databaseConnections}, and the database allows ${allowed} connections: set it lower, or max_connections of PostgreSQL higher`,
    )
  const budget = databaseConnections ?? Math.max(0, allowed - FOR_OTHERS)
  const poolOfWorker = hasPoolSize
    ? databasePoolSize
    : Math.max(MIN_CONNECTIONS, Math.min(LARGEST_WORKER_POOL, Math.floor(budget / WORKER_PART)))
  const share = (of: 'worker' | 'index', poolSize: number) => ({
    poolSize,
    connections: connectionsOf(of, poolSize),
  })
  const worker = share('worker', poolOfWorker)
  const index = share('index', hasPoolSize ? databasePoolSize : INDEX_POOL)
  const standing = worker.connections + index.connections
  const rest: SeatRange = [standing + 1, budget]

  if (command === 'worker' || command === 'index') {
    const own: SeatRange = command === 'worker' ? [1, worker.connections] : [worker.connections + 1, standing]
    const shares = command === 'worker' ? worker : index
    if (standing > budget) throw tooMany(command, shares.connections, standing, { budget, hasPoolSize })
    return { budget, ...shares, seats: [own, rest] }
  }
  const isWhole = command === 'start'
  const room = isWhole ? budget : budget - standing
  const smallestPool = hasPoolSize ? databasePoolSize : MIN_CONNECTIONS
  // So that two servers fit, whichever starts first.
  const limits = isWhole || hasPoolSize ? [room] : [Math.floor(room / 2), room]
  for (const limit of limits)
    for (let poolSize = databasePoolSize; poolSize >= smallestPool; poolSize--) {
      const connections = connectionsOf(command, poolSize)
      if (connections <= limit)
        return { budget, poolSize, connections, seats: [isWhole ? [1, budget] : rest] }
    }
  const least = connectionsOf(command, smallestPool)
  throw tooMany(command, least, isWhole ? least : standing + least, { budget, hasPoolSize })
}

function tooMany(
  command: RunCommand,
  own: number,
  sum: number,
  { budget, hasPoolSize }: { budget: number; hasPoolSize: boolean },
): StartError {
  const others = sum === own ? '' : `, with the others of the product ${sum},`
  return new StartError(
    `rif ${command} needs ${own} database connections${others} and the product has ${budget}: set ${hasPoolSize ? 'DATABASE_POOL_SIZE lower, or ' : ''}max_connections of PostgreSQL higher`,
  )
}

/** Returns the number of connections that the server, the database and the login allow an ordinary user. */
export function allowedConnections(url: string): Promise<number> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ allowed: number }>(`
      select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as allowed`)
    return rows[0]!.allowed
  })
}
