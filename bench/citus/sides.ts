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
  openCluster,
  urlOf,
} from '../../apps/server/src/testing/cluster.ts'
import { cpuOfChildren } from '../kit/processes.ts'

const DATABASE = 'rif_bench'
const COPY = 'rif_bench_copy'
const CONNECTIONS = 8

/** A migrated database: that of the cluster, or that of one PostgreSQL server. */
export interface Side {
  /** Opens the database as its superuser, or with the login of the application. */
  open(as: 'admin' | 'app'): Database
  /** Vacuums and analyses the database on every server. */
  vacuum(): Promise<void>
  /**
   * Runs a function on a copy of the database, and drops the copy. No other connection to the database may
   * exist.
   */
  onCopy<T>(use: (copy: Database) => Promise<T>): Promise<T>
  /** Returns the storage and the processor time of each server, the coordinator first. */
  usage(): Promise<readonly Usage[]>
  close(): Promise<void>
}

/**
 * The storage of the database on one server of this machine, and the processor time since the server started.
 */
export interface Usage {
  /** Indexes included. */
  readonly bytes: number
  readonly rows: number
  readonly cpuMs: number
}

/**
 * Citus hides the tables of shards from the catalogue of a worker. The numbers of rows are those of the last
 * `vacuum()`.
 */
const USAGE = `
  select sum(pg_total_relation_size(oid))::float8 as bytes, sum(greatest(reltuples, 0))::float8 as rows,
    split_part(pg_read_file('postmaster.pid'), E'\n', 1)::integer as pid
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`

async function usageOf(url: string): Promise<Usage> {
  return withConnection(url, async (client) => {
    await client.query("set citus.show_shards_for_app_name_prefixes = '*'")
    const { rows } = await client.query<{ bytes: number; rows: number; pid: number }>(USAGE)
    const { pid, ...stored } = rows[0]!
    return { ...stored, cpuMs: await cpuOfChildren(pid) }
  })
}

/** Settings that determine the cost of a commit and the memory for pages, the same on both sides. */
const ALIKE = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'autovacuum', 'jit']

/** Creates a distributed database on a cluster, with the URL of the superuser at the coordinator. */
export async function openClusterSide(url: string): Promise<Side> {
  const servers = await openCluster(url)
  await createClusterDatabase(servers, DATABASE)
  const owner = urlOf(servers.logins.owner, { pathname: `/${DATABASE}` })
  await migrateSimulation(owner)
  await distribute({ url: owner, report: () => undefined })
  const admin = urlOf(servers.urls[0]!, { pathname: `/${DATABASE}` })
  return sideOf({ urls: servers.urls, admin, app: servers.logins.app, isDistributed: true })
}

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

/** Starts one PostgreSQL server with the settings of the cluster's servers. */
export async function startPlainSide(settings: Readonly<Record<string, string>>): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { ...settings, max_wal_size: '4GB' } })
  await migrateSimulation(server.urls.owner)
  const side = sideOf({
    urls: [urlOf(server.adminUrl, { pathname: '/postgres' })],
    ...{ admin: server.adminUrl, app: server.urls.app, isDistributed: false },
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

function sideOf({ urls, admin, app, isDistributed }: Place): Side {
  const { pathname } = new URL(admin)
  const name = pathname.slice(1)
  const openAt = (url: string) =>
    createDatabase({ url, max: CONNECTIONS, applicationName: 'rif-bench', isDistributed })
  return {
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
    usage: () => Promise.all(urls.map((url) => usageOf(urlOf(url, { pathname })))),
    close: () => onServers(urls, `drop database if exists ${name} with (force)`),
  }
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
