import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from '../local/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, as its superuser. */
    databaseServerUrl: string
  }
}

/** A migrated database that nobody connects to: every test file clones it. */
export const TEMPLATE_DATABASE = 'rif_template'

/** One PostgreSQL server for a whole run of the server's tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-test-'))
  const server = await startPostgres({ dataDir, fast: true, settings: { max_connections: '300' } })
  const url = new URL(server.url)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  const template = new URL(url)
  template.pathname = `/${TEMPLATE_DATABASE}`
  await migrate({ url: template.href })
  project.provide('databaseServerUrl', url.href)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
