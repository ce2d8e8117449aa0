import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { distribute } from '../db/migrate.ts'
import { OWNER_ROLE } from '../db/roles.ts'
import { migrateSimulation } from '../db/simulation.ts'
import { type LocalPostgres, startPostgres } from '../local/postgres.ts'
import { buildChildPrograms } from './child-programs.ts'
import { closeDatabase, createClusterDatabase, openCluster, type TestServers, urlOf } from './cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, as its superuser. */
    databaseServerUrl: string
    /** The maintenance databases of all servers of a cluster, that of this server first. */
    databaseServers: readonly string[]
    /** The host of an address by which the server is reached over its socket, which costs less per message; empty without one. */
    databaseSocket: string
    /** The addresses of the product's database for its logins. */
    databaseLogins: LocalPostgres['urls']
    /** The folder of the programs that tests start as processes, empty when no test of the run does. */
    childPrograms: string
    /** The folder for the logs of the nodes that the workers start. */
    logs: string
  }
}

/** The name of the migrated database that every test file clones. */
export const TEMPLATE_DATABASE = 'rif_template'

/** Background statistics would change query plans in the middle of a test. */
const SETTINGS = { max_connections: '300', autovacuum: 'off' }

/**
 * Starts one PostgreSQL server for a whole run, or takes the cluster of `CITUS_DATABASE_URL`, and builds the programs that its
 * tests start.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const clusterUrl = process.env.CITUS_DATABASE_URL || undefined
  const building = startsPrograms(project).then((needed) => (needed ? buildChildPrograms() : undefined))
  const [{ servers, socket, stop }, programs] = await Promise.all([
    clusterUrl === undefined ? startServer() : prepareCluster(clusterUrl),
    building,
  ])
  project.provide('databaseServerUrl', servers.urls[0]!)
  project.provide('databaseServers', servers.urls)
  project.provide('databaseSocket', socket)
  project.provide('databaseLogins', servers.logins)
  project.provide('childPrograms', programs?.dir ?? '')
  const logs = await mkdtemp(join(tmpdir(), 'rif-logs-'))
  project.provide('logs', logs)
  // The compiled code of programs that are built anew for each run is deleted with them.
  if (programs) process.env.NODE_COMPILE_CACHE = join(programs.dir, 'compiled')
  return async () => {
    await Promise.all([stop(), programs?.remove(), rm(logs, { recursive: true, force: true })])
  }
}

type Prepared = { servers: TestServers; socket: string; stop: () => Promise<void> }

async function prepareCluster(url: string): Promise<Prepared> {
  const servers = await openCluster(url)
  await createClusterDatabase(servers, TEMPLATE_DATABASE)
  const owner = urlOf(servers.logins.owner, { pathname: `/${TEMPLATE_DATABASE}` })
  await migrateSimulation(owner)
  await distribute({ url: owner, report: () => undefined })
  await closeDatabase(servers.urls, TEMPLATE_DATABASE)
  return { servers, socket: '', stop: async () => undefined }
}

async function startServer(): Promise<Prepared> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-test-'))
  const server = await startPostgres({ dataDir, fast: true, settings: SETTINGS })
  const url = new URL(server.adminUrl)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE} owner ${OWNER_ROLE}`)
  await client.end()
  const template = new URL(server.urls.owner)
  template.pathname = `/${TEMPLATE_DATABASE}`
  await migrateSimulation(template.href)
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const bySocket = server.bySocket(url.href)
  const socket = bySocket === url.href ? '' : new URL(bySocket).hostname
  return { servers: { urls: [url.href], logins: server.urls }, socket, stop }
}

/**
 * Reports whether a test file that the command line names starts programs. All files together do, and folders
 * may.
 */
async function startsPrograms(project: TestProject): Promise<boolean> {
  const named = process.argv.slice(2).filter((arg) => !arg.startsWith('-') && arg.includes('/'))
  if (named.some((arg) => !arg.endsWith('.test.ts'))) return true
  const { testFiles } = await project.globTestFiles(named)
  const texts = await Promise.all(testFiles.map((file) => readFile(file, 'utf8')))
  return texts.some((text) => /child-program|product-process/.test(text))
}
