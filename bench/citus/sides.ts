import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withConnection } from '../../apps/server/src/db/connection.ts'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { distribute } from '../../apps/server/src/db/migrate.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import {
  closeDatabase,
  createClusterDatabase,
  onServers,
  type TestServers,
  urlOf,
} from '../../apps/server/src/testing/cluster.ts'

const COPY = 'rif_bench_copy'
export const CONNECTIONS = 32

/** A migrated database: on some machines of the cluster, or on one PostgreSQL server. */
export interface Side {
  /** The process numbers of its servers on this machine, the coordinator's first. */
  readonly pids: readonly number[]
  /** Opens the database as its superuser, or with the login of the application. */
  open(as: 'admin' | 'app'): Database
  /** Vacuums and analyses the database on every server. */
  vacuum(): Promise<void>
  /**
   * Runs a function on a copy of the database, and drops the copy. No other connection to the database may
   * exist.
   */
  onCopy<T>(use: (copy: Database) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Settings that determine the cost of a commit and the memory for pages, the same on both sides. */
const ALIKE = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'autovacuum', 'jit']

/** Returns the cluster's settings that both sides share, as texts by name. */
export async function sharedSettings(clusterUrl: string): Promise<Readonly<Record<string, string>>> {
  return await withConnection(clusterUrl, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, current_setting(name) as value from unnest($1::text[]) as name',
      [ALIKE],
    )
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  })
}

/** Creates a database that is distributed over the first workers of a cluster. */
export async function openClusterSide({ urls, logins }: TestServers, workers: number): Promise<Side> {
  const name = `rif_bench_${workers}`
  const used = { urls: urls.slice(0, 1 + workers), logins }
  await createClusterDatabase(used, name)
  const owner = urlOf(logins.owner, { pathname: `/${name}` })
  await migrateSimulation(owner)
  await distribute({ url: owner, report: () => undefined })
  const admin = urlOf(urls[0]!, { pathname: `/${name}` })
  return await sideOf({ urls: used.urls, admin, app: logins.app, isDistributed: true })
}

/** Starts one PostgreSQL server with the settings of the cluster's servers. */
export async function startPlainSide(settings: Readonly<Record<string, string>>): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { ...settings, max_wal_size: '4GB' } })
  await migrateSimulation(server.urls.owner)
  const side = await sideOf({
    urls: [urlOf(server.adminUrl, { pathname: '/postgres' })],
    admin: server.adminUrl,
    app: server.urls.app,
    isDistributed: false,
  })
  return {
    ...side,
    async close() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Place {
  /** The maintenance databases of all servers. */
  readonly urls: readonly string[]
  readonly admin: string
  /** The URL with which the application logs in to a database of the first server. */
  readonly app: string
  readonly isDistributed: boolean
}

async function sideOf({ urls, admin, app, isDistributed }: Place): Promise<Side> {
  const { pathname } = new URL(admin)
  const name = pathname.slice(1)
  const openAt = (url: string) =>
    createDatabase({ url, max: CONNECTIONS, applicationName: 'rif-bench', isDistributed })
  return {
    pids: await Promise.all(urls.map(pidOf)),
    open: (as) => openAt(as === 'admin' ? admin : urlOf(app, { pathname })),
    vacuum: () =>
      onServers(
        urls.map((url) => urlOf(url, { pathname })),
        'vacuum analyze',
      ),
    async onCopy(use) {
      await closeDatabase(urls, name)
      await onServers(urls, `drop database if exists ${COPY} with (force)`)
      await onServers(urls, `create database ${COPY} template ${name} strategy file_copy`)
      await onServers(urls, `alter database ${name} allow_connections true`)
      const copy = openAt(urlOf(admin, { pathname: `/${COPY}` }))
      try {
        return await use(copy)
      } finally {
        await copy.close()
        await onServers(urls, `drop database ${COPY} with (force)`)
      }
    },
    close: () => onServers(urls, `drop database if exists ${name} with (force)`),
  }
}

function pidOf(url: string): Promise<number> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid",
    )
    return rows[0]!.pid
  })
}

/** Opens a side as its superuser, and closes it after `use`. */
export async function within(side: Side, use: (database: Database) => Promise<unknown>): Promise<void> {
  const database = side.open('admin')
  try {
    await use(database)
  } finally {
    await database.close()
  }
}
