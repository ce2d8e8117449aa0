import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { createPreparedPool } from './prepared-pool.ts'
import type { DB } from './types.gen.ts'

/** A database or transaction to run queries on. */
export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  /** The maximum number of connections. */
  max: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** A role with fewer rights than the connecting one (the running server: rif_app). */
  role?: string
}

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> }

/** The time that a statement, and so a caller of the API, waits for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/** deadlock_detected and serialization_failure: the transaction had no effect and can be repeated. */
const RETRYABLE = new Set(['40P01', '40001'])

/**
 * Returns the settings of every connection. The product's statements look up rows by key, so one plan fits all values.
 * By default PostgreSQL plans a statement with an array of ids every time, at ten times the cost of executing it.
 */
function sessionOptions(role: string | undefined): string {
  return `-c plan_cache_mode=force_generic_plan${role ? ` -c role=${role}` : ''}`
}

/** Creates a pool of connections. The first query connects. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: columnTypes,
    options: sessionOptions(options.role),
  })
  // The pool replaces a connection that breaks while idle. A connection that breaks in use fails its query and also emits
  // an error event, which must not end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: createPreparedPool(pool) }) })
  async function close(): Promise<void> {
    await db.destroy()
    // Kysely does not close a pool that it never used.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/**
 * Runs `fn` in one database transaction and returns its result. Inside an open transaction, `fn` joins it. A transaction
 * that lost a deadlock or a serialisation conflict is repeated a few times with growing pauses, so `fn` must have no
 * effect outside the database.
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
