import { makeWorkerUtils, Logger as QueueLogger, run, runMigrations, type TaskList } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from '../lib/logger.ts'
import { sessionOptions } from './connection.ts'

/** Workers are notified of new jobs; polling finds jobs whose notification was lost. */
const POLL_MS = 30_000
/** A worker keeps one connection, on which it listens; the others close after this idle time. */
const IDLE_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/**
 * The limits of the queue's statements, which take and finish jobs, in milliseconds; the jobs themselves use
 * other connections.
 */
const LIMITS = { statementMs: 30_000, lockMs: 10_000, idleInTxMs: 30_000 }

/** Applies the migrations of graphile-worker that the database lacks, in a separate schema. */
export async function migrateJobQueue(url: string): Promise<void> {
  const pgPool = openQueuePool(url, 'rif-migrate', 1)
  try {
    await runMigrations({ pgPool })
  } finally {
    await pgPool.end()
  }
}

/**
 * Runs the tasks of queued jobs, at most one per task at the same time. `stop` resolves when the running ones
 * have ended.
 */
export async function runJobQueue(options: {
  url: string
  tasks: TaskList
  log: Logger
  /** The maximum number of concurrent jobs; by default the number of tasks. */
  concurrency?: number
}): Promise<{ stop(): Promise<void> }> {
  const { url, tasks, log } = options
  const concurrency = options.concurrency ?? Object.keys(tasks).length
  const pgPool = openQueuePool(url, 'rif-jobs', concurrency + 1)
  const logger = queueLogger(log)
  // Queue entries of killed workers that were replaced remain, and are unlocked after four hours.
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  const runner = await run({
    pgPool,
    taskList: tasks,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger,
  })
  return {
    async stop() {
      await runner.stop()
      await pgPool.end()
    },
  }
}

/** Opens connections with the driver's own column types, which graphile-worker needs. */
export function openQueuePool(url: string, applicationName: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: sessionOptions(LIMITS),
  })
  // The pool replaces a broken connection, and the queue repeats the failed query.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function queueLogger(log: Logger): QueueLogger {
  const methods = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
  return new QueueLogger(() => (level, message) => log[methods[level]](message))
}
