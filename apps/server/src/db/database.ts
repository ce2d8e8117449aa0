import { setTimeout as sleep } from 'node:timers/promises'
import { type AccessMode, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { notingChanges } from './changes.ts'
import { CLUSTER_SESSION, isShardMissing } from './citus/session.ts'
import { columnTypes } from './column-types.ts'
import { sessionOptions } from './connection.ts'
import {
  CONNECTION_POOLS,
  currentScope,
  isForCalls,
  POOL_LIMITS,
  type PoolLimits,
  type PoolName,
  poolOf,
  poolSizes,
  waitersOf,
  withinTx,
} from './lanes.ts'
import { watchOutages } from './outage.ts'
import { createPreparedPool, type SentStatement } from './prepared-pool.ts'
import { createSlots } from './slots.ts'
import type { DB } from './types.gen.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** A database or transaction to run queries on. */
export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  /** The maximum number of connections. */
  max: number
  /**
   * Divides the connections into the pools of a server; otherwise there is one pool, by default with the
   * limits of background work.
   */
  hasPools?: boolean
  /** The limits of that one pool. */
  limitsOf?: PoolName
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** A role with fewer rights than the connecting one (the running server: rif_app). */
  role?: string
  /** True for the coordinator of a cluster: citus/session.ts. */
  isDistributed?: boolean
  /** Receives each statement. */
  onStatement?: (statement: SentStatement) => void
}

export type Database = {
  db: Db
  /** The pool of background work. */
  pool: pg.Pool
  pools: Readonly<Record<PoolName, pg.Pool>>
  close(): Promise<void>
}

/** The limit for connecting, so that on a slow network the next caller gets the connection. */
const CONNECTING_MS = 10_000
/** The interval at which PostgreSQL checks that the client of a running statement is still connected. */
const CONNECTION_CHECK_MS = 500
const MAX_ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/**
 * deadlock_detected, serialization_failure, and a day that was settled while the transaction waited: the
 * transaction had no effect and can be repeated.
 */
const RETRYABLE = new Set(['40P01', '40001', 'RL005'])

/**
 * Returns the settings of every connection. The product's statements look up rows by key, so one plan fits
 * all values. By default PostgreSQL plans a statement with an array of ids every time, at ten times the cost
 * of executing it.
 */
const settingsOf = ({ role, isDistributed }: DatabaseOptions, limits: PoolLimits): string =>
  sessionOptions(limits, {
    plan_cache_mode: 'force_generic_plan',
    ...(isDistributed && CLUSTER_SESSION),
    client_connection_check_interval: CONNECTION_CHECK_MS,
    ...(role && { role }),
  })

/** A connection that gives up connecting before the pool gives up waiting for it. */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECTING_MS })
  }
}

function createPool(options: DatabaseOptions, name: PoolName, max: number): pg.Pool {
  const { url, applicationName } = options
  const limits = POOL_LIMITS[name]
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    // The pool includes its queue in this limit, which must therefore exceed a caller's wait.
    connectionTimeoutMillis: limits.connectMs + CONNECTING_MS,
    Client: Connection,
    keepAlive: true,
    types: columnTypes,
    options: settingsOf(options, limits),
  })
  // The pool replaces a connection that breaks while idle. A connection that breaks in use fails its query and also emits
  // an error event, which must not end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function createPools(options: DatabaseOptions): Readonly<Record<PoolName, pg.Pool>> {
  const only = options.hasPools ? undefined : createPool(options, options.limitsOf ?? 'work', options.max)
  const sizes = poolSizes(options.max)
  const pool = (name: PoolName) => only ?? createPool(options, name, sizes[name])
  return Object.fromEntries(CONNECTION_POOLS.map((name) => [name, pool(name)])) as Record<PoolName, pg.Pool>
}

/** Creates the pools of connections. The first query of each connects. */
export function createDatabase(options: DatabaseOptions): Database {
  const pools = createPools(options)
  // Not a connection of a pool, because it must not wait for a slow one.
  const watchPool = options.hasPools ? createPool(options, 'health', 1) : undefined
  async function end(): Promise<void> {
    watch?.stop()
    const all = new Set([...Object.values(pools), ...(watchPool ? [watchPool] : [])])
    const open = [...all].filter((pool) => !pool.ending)
    await Promise.all(open.map((pool) => pool.end()))
  }
  const waiters = waitersOf(options.max)
  const slots = options.hasPools
    ? { writes: createSlots(waiters.writes), locks: createSlots(waiters.locks) }
    : undefined
  const connectInScope = async () => {
    const { lane } = currentScope()
    // What runs at intervals would keep the watch awake while there are no calls.
    if (isForCalls(lane) && lane !== 'intervals') watch?.wake()
    const isOut = () => isForCalls(lane) && watch?.isAnswering() === false
    if (isOut()) throw new DatabaseUnavailable('does not answer')
    const { connectMs } = POOL_LIMITS[poolOf(lane)]
    const begun = performance.now()
    const giveBack = lane === 'writes' || lane === 'locks' ? await slots?.[lane](connectMs) : undefined
    let client: pg.PoolClient | undefined
    try {
      client = await connectWithin(pools[poolOf(lane)], connectMs - (performance.now() - begun))
      // The database may have stopped answering during the waits; only connections in use are closed then.
      if (isOut()) throw new DatabaseUnavailable('does not answer')
      return { client, giveBack }
    } catch (error) {
      client?.release()
      giveBack?.()
      throw error
    }
  }
  const prepared = createPreparedPool({ connectInScope, end, onStatement: options.onStatement })
  const watch = watchPool && watchOutages(watchPool, prepared.closeHeld)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: prepared }) })
  async function close(): Promise<void> {
    await db.destroy()
    // Kysely does not end pools that it never used.
    await end()
  }
  return { db, pool: pools.work, pools, close }
}

/**
 * Takes a connection from a pool. Throws DatabaseUnavailable if there is none in time; a late connection
 * stays in the pool.
 */
async function connectWithin(pool: pg.Pool, ms: number): Promise<pg.PoolClient> {
  const connected = pool.connect()
  // The pool hands out idle connections in the next tick, one for each waiting caller.
  if (pool.idleCount >= pool.waitingCount) return connected
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const client = await Promise.race([connected, late]).finally(() => clearTimeout(timer))
  if (client !== undefined) return client
  connected.then((unused) => unused.release()).catch(() => undefined)
  throw new DatabaseUnavailable('has no free connection')
}

/**
 * Runs `fn` in one database transaction and returns its result. Inside an open transaction, `fn` joins it. A
 * transaction that lost a deadlock or a serialisation conflict is repeated a few times with growing pauses,
 * so `fn` must have no effect outside the database.
 */
export async function inTx<T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  return repeated(() =>
    notingChanges(db, (opened) => db.transaction().execute((dbTx) => withinTx(() => fn(opened(dbTx))))),
  )
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()))
    }
  }
}

/**
 * The unique keys that a repeated transaction does not meet again: an operation's idempotency key, and a random
 * invitation code. Of a table or of a shard, because Citus passes on only the message.
 */
const REPEATED_KEYS = /\b(idempotency_keys_pkey(_\d+)?|members_invite_code_key)\b/

function isRetryable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  // Another operation used the same key in the meantime: when repeated, this one reads the stored result. A new
  // member gets another invitation code.
  if (error.code === '23505') return REPEATED_KEYS.test(error.constraint ?? error.message)
  return RETRYABLE.has(error.code ?? '') || isShardMissing(error)
}

/**
 * Runs `fn` on one read-only snapshot of the database. On a cluster each machine has a snapshot of its own
 * (docs/scale.md).
 */
export const inSnapshot = <T>(db: Db, fn: (snapshot: Db) => Promise<T>): Promise<T> =>
  inRepeatableRead(db, 'read only', fn)

/** Runs `fn` as `inSnapshot` does, and lets it write rows that no other transaction changes. */
export const inWritableSnapshot = <T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> =>
  inRepeatableRead(db, 'read write', fn)

function inRepeatableRead<T>(db: Db, access: AccessMode, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  return notingChanges(db, (opened) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode(access)
      .execute((dbTx) => withinTx(() => fn(opened(dbTx)))),
  )
}

/** Runs `fn` in a transaction, rolls back its writes and releases its locks. Throws what `fn` throws. */
export async function inTrial<T>(dbTx: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(dbTx)
  try {
    return await fn(dbTx)
  } finally {
    await sql`rollback to savepoint trial`.execute(dbTx)
  }
}
