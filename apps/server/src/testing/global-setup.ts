import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from '../local/postgres.ts'
import { buildChildPrograms } from './child-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, as its superuser. */
    databaseServerUrl: string
    /** Where the programs are that tests start as processes of their own. */
    childPrograms: string
  }
}

/** A migrated database that nobody connects to: every test file clones it. */
export const TEMPLATE_DATABASE = 'rif_template'

/** Statistics that come by themselves would change plans in the middle of a test, and cost time. */
const SETTINGS = { max_connections: '300', autovacuum: 'off' }

/** One PostgreSQL server for a whole run of the server's tests, and the programs that they start. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-test-'))
  const building = buildChildPrograms()
  const server = await startPostgres({ dataDir, fast: true, settings: SETTINGS })
  const url = new URL(server.url)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  const template = new URL(url)
  template.pathname = `/${TEMPLATE_DATABASE}`
  const [programs] = await Promise.all([building, migrate({ url: template.href })])
  project.provide('databaseServerUrl', url.href)
  project.provide('childPrograms', programs.dir)
  return async () => {
    await server.stop()
    await Promise.all([programs.remove(), rm(dataDir, { recursive: true, force: true })])
  }
}
