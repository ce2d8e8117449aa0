import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { OWNER_ROLE } from '../db/roles.ts'
import { migrateSimulation } from '../db/simulation.ts'
import { type LocalPostgres, startPostgres } from '../local/postgres.ts'
import { buildChildPrograms } from './child-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, as its superuser. */
    databaseServerUrl: string
    /** The addresses of the product's database for its logins. */
    databaseLogins: LocalPostgres['urls']
    /** The folder of the programs that tests start as processes, empty when no test of the run does. */
    childPrograms: string
  }
}

/** The name of a migrated database that every test file clones. */
export const TEMPLATE_DATABASE = 'rif_template'

/** Statistics gathered in the background would change plans in the middle of a test. */
const SETTINGS = { max_connections: '300', autovacuum: 'off' }

/** Starts one PostgreSQL server for a whole run, and builds the programs that its tests start. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-test-'))
  const building = startsPrograms(project).then((needed) => (needed ? buildChildPrograms() : undefined))
  const server = await startPostgres({ dataDir, fast: true, settings: SETTINGS })
  const url = new URL(server.adminUrl)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE} owner ${OWNER_ROLE}`)
  await client.end()
  const template = new URL(server.urls.owner)
  template.pathname = `/${TEMPLATE_DATABASE}`
  const [programs] = await Promise.all([building, migrateSimulation(template.href)])
  project.provide('databaseServerUrl', url.href)
  project.provide('databaseLogins', server.urls)
  project.provide('childPrograms', programs?.dir ?? '')
  // The compiled form of programs that are built anew for each run goes with them.
  if (programs) process.env.NODE_COMPILE_CACHE = join(programs.dir, 'compiled')
  return async () => {
    await server.stop()
    await Promise.all([programs?.remove(), rm(dataDir, { recursive: true, force: true })])
  }
}

/** Reports whether a test file that the command line names starts programs. All of them do together, and folders may. */
async function startsPrograms(project: TestProject): Promise<boolean> {
  const named = process.argv.slice(2).filter((arg) => !arg.startsWith('-') && arg.includes('/'))
  if (named.some((arg) => !arg.endsWith('.test.ts'))) return true
  const { testFiles } = await project.globTestFiles(named)
  const texts = await Promise.all(testFiles.map((file) => readFile(file, 'utf8')))
  return texts.some((text) => /child-program|product-process/.test(text))
}
