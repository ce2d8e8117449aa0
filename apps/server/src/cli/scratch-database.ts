import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withConnection } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import { OWNER_ROLE } from '../db/roles.ts'
import { migrateSimulation } from '../db/simulation.ts'
import { StartError } from '../lib/start-error.ts'
import { startPostgres } from '../local/postgres.ts'
import { checkDatabase, openDatabase } from './database.ts'

/** Everything runs sequentially, and a transaction of the services uses one connection. */
const CONNECTIONS = 2

/** Temporary databases. */
export interface ScratchServer {
  /** Creates and migrates an empty database. */
  create(name: string): Promise<Database>
  /** Stops the server and deletes all its data. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server in a temporary folder. Its data is temporary, so it does not wait for the disk.
 */
export async function startScratchServer(): Promise<ScratchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-simulate-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const server = await startPostgres({ dataDir, fast: true })
    return {
      async create(name) {
        await execute(server.adminUrl, `create database ${name} owner ${OWNER_ROLE}`)
        const urlOf = (login: string) => Object.assign(new URL(login), { pathname: `/${name}` }).href
        return openMigrated(urlOf(server.urls.owner), urlOf(server.urls.app))
      },
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Opens a given database and migrates it; the data stays there. Throws StartError if it is not empty. */
export async function openEmptyDatabase(url: string): Promise<Database> {
  await checkDatabase(url)
  const tables = await execute(
    url,
    `select from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
      limit 1`,
  )
  if (tables > 0) throw new StartError('a simulation needs an empty database (--database-url)')
  return openMigrated(url)
}

async function openMigrated(ownerUrl: string, url = ownerUrl): Promise<Database> {
  await migrateSimulation(ownerUrl)
  return openDatabase(url, CONNECTIONS)
}

/** Runs one statement and returns the number of its rows. */
const execute = (url: string, statement: string): Promise<number> =>
  withConnection(url, async (client) => (await client.query(statement)).rowCount ?? 0)
