import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inject, vi } from 'vitest'
import { createDatabase, type Database, type DatabaseOptions, type Db } from '../db/database.ts'
import { closeDatabase, onServers } from './cluster.ts'
import { refuseUnfit } from './judged-statements.ts'
import { WAIT } from './wait.ts'

/**
 * `url` has the login that `db` uses, `adminUrl` that of the superuser, `readUrl` that of the signer.
 * `adminDb` works as the superuser, for actions that the login of the server may not perform.
 */
export type TestDatabase = Database & { url: string; adminUrl: string; readUrl: string; adminDb: Db }

/** Reports whether the tests run on a Citus cluster, where the application's login has more rights on the ledger (decision 49). */
export const isOnCluster = () => inject('databaseServers').length > 1

/**
 * Creates a fresh, migrated database for a test file. Call it in `beforeAll`, and its `close`, which drops
 * the database, in `afterAll`. Files run concurrently, each with its own database on the only server of the
 * run. With `copyOf` it is a copy of another database, to which no connections may exist. It works as the
 * superuser, or with the login of the running server. `close` throws when an executed statement could not run
 * on a distributed database.
 */
export async function createTestDatabase(
  options: {
    max?: number
    role?: 'rif_app'
    copyOf?: string
    onStatement?: DatabaseOptions['onStatement']
  } = {},
): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const template = options.copyOf === undefined ? 'rif_template' : new URL(options.copyOf).pathname.slice(1)
  const create = async () => {
    // A cluster's own processes connect to every database, also to the common template when a server was
    // killed.
    if (isOnCluster()) await closeDatabase(inject('databaseServers'), template)
    // Copied as files, twice as fast as through the log. A crash may damage the copy, which does not matter.
    await onServer(`create database ${name} template ${template} strategy file_copy`)
  }
  await whenNobodyIsConnected(create, () => onServer(`drop database if exists ${name}`))
  const adminUrl = urlOf(inject('databaseServerUrl'), name)
  const isDistributed = isOnCluster()
  const statements = new Set<string>()
  const url = options.role === 'rif_app' ? urlOf(inject('databaseLogins').app, name) : adminUrl
  const database = createDatabase({
    url: bySocket(url),
    max: options.max ?? 10,
    applicationName: 'rif-test',
    isDistributed,
    onStatement(statement) {
      statements.add(statement.text)
      options.onStatement?.(statement)
    },
  })
  const admin = createDatabase({
    url: bySocket(adminUrl),
    max: 2,
    applicationName: 'rif-test-admin',
    isDistributed,
  })
  const close = async () => {
    await Promise.all([database.close(), admin.close()])
    await drop(name)
    await refuseUnfit(statements)
  }
  return {
    ...database,
    url,
    adminUrl,
    adminDb: admin.db,
    readUrl: urlOf(inject('databaseLogins').read, name),
    close,
  }
}

function bySocket(url: string): string {
  const hostname = inject('databaseSocket')
  return hostname === '' ? url : Object.assign(new URL(url), { hostname }).href
}

/** The addresses of a database for its logins. */
export interface LoginUrls {
  readonly admin: string
  readonly owner: string
  readonly app: string
  readonly read: string
}

/**
 * Creates an empty database that `rif_owner` owns, for tests of the migrations and of the rights of the
 * logins.
 */
export async function createEmptyDatabase(): Promise<{ urls: LoginUrls; drop(): Promise<void> }> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name} owner rif_owner`)
  const { owner, app, read } = inject('databaseLogins')
  const urls = {
    admin: urlOf(inject('databaseServerUrl'), name),
    owner: urlOf(owner, name),
    app: urlOf(app, name),
    read: urlOf(read, name),
  }
  return { urls, drop: () => drop(name) }
}

function urlOf(login: string, name: string): string {
  return Object.assign(new URL(login), { pathname: `/${name}` }).href
}

/**
 * Copies the files of a database while nobody writes to it, as a backup at this moment. Connections to it are
 * ended; their pools open new ones.
 */
export async function backupOf(database: TestDatabase): Promise<TestDatabase> {
  const name = new URL(database.adminUrl).pathname.slice(1)
  // A cluster's own processes connect too.
  await closeDatabase(inject('databaseServers'), name)
  await emptied(database.pool)
  const copy = await createTestDatabase({ max: 20, role: 'rif_app', copyOf: database.adminUrl })
  await onServer(`alter database ${name} allow_connections true`)
  return copy
}

/** Waits until a pool has noticed that its connections were ended: it would hand them out until then. */
export const emptied = (pool: pg.Pool): Promise<boolean> => vi.waitUntil(() => pool.totalCount === 0, WAIT)

const drop = (name: string): Promise<void> =>
  whenNobodyIsConnected(() => onServer(`drop database if exists ${name} with (force)`))

/**
 * The errors of a database to which a process of the cluster has just connected, or that another test is
 * copying.
 */
const IS_BUSY = new Set(['55006', 'XX000'])

/** Repeats an action that was refused because the database is busy, after `undo`. */
async function whenNobodyIsConnected(
  work: () => Promise<void>,
  undo: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if (attempt === 5 || !IS_BUSY.has((error as { code?: string }).code ?? '')) throw error
      await sleep(200)
      await undo()
    }
  }
}

/**
 * Runs a statement on every server of the run: each has its part of a distributed database, under the same
 * name.
 */
async function onServer(statement: string): Promise<void> {
  await onServers(inject('databaseServers'), statement)
}
