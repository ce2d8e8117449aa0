import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { createPreparedPool } from './prepared-pool.ts'
import type { DB } from './types.gen.ts'

/** A database to run queries on. A transaction is one too, so every repository takes a `Db`. */
export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  /** Most connections at once. */
  max: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** Role to work as, with fewer rights than the one that connects (the running server: rif_app). */
  role?: string
}

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> }

/** How long a statement waits for a connection of the pool: as long as a caller of the API waits for an answer. */
const CONNECT_TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/** deadlock_detected and serialization_failure: the transaction did nothing and may simply be run again. */
const RETRYABLE = new Set(['40P01', '40001'])

/**
 * What holds for every connection. Our statements look rows up by key, so one plan fits all values; left to itself
 * PostgreSQL plans one with an array of ids anew each time, at ten times the cost of running it.
 */
function sessionOptions(role: string | undefined): string {
  return `-c plan_cache_mode=force_generic_plan${role ? ` -c role=${role}` : ''}`
}

/** Opens a pool of connections. Nothing is connected before the first query. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: columnTypes,
    options: sessionOptions(options.role),
  })
  // A connection that breaks while idle is dropped and replaced by the pool; the next query tells if that fails. One
  // that breaks in use fails its query, and says so a second time, as an event that must not end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: createPreparedPool(pool) }) })
  async function close(): Promise<void> {
    await db.destroy()
    // Kysely leaves alone a pool that it never took a connection from.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/**
 * Runs `fn` in one database transaction and returns its result. A transaction that lost a deadlock or a serialisation
 * conflict is run again, a few times, with growing pauses: so `fn` must have no effect outside the database.
 * Inside a transaction that is already open, `fn` joins it.
 */
export async function inDbTx<T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(fn)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()))
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RETRYABLE.has(error.code ?? '')
}
