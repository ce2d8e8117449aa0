import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../config.ts'
import { type LocalPostgres, startPostgres } from '../local/postgres.ts'
import { refuseOwnerLogin } from './database.ts'
import { runMigrate } from './migrate.ts'

// A PostgreSQL server of a hosting provider: the product's own roles do not exist, because we have no
// superuser there.

let server: LocalPostgres
let dataDir: string
let admin: pg.Client

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rif-hoster-'))
  server = await startPostgres({ dataDir, fast: true })
  admin = new pg.Client({ connectionString: server.adminUrl.replace(/[^/]+$/, 'postgres') })
  await admin.connect()
  await admin.query('drop database rif')
  await admin.query('drop role rif_owner, rif_app, rif_read')
})
afterAll(async () => {
  await admin.end()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const urlOf = (database: string, user: string, password = 'secret') =>
  Object.assign(new URL(server.adminUrl), { pathname: `/${database}`, username: user, password }).href

/** Runs `rif migrate` and returns its exit code and its output. */
async function migrateWith(settings: Record<string, string>): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(`${text}`)
    return true
  })
  const code = await runMigrate(loadConfig(settings)).finally(() => write.mockRestore())
  return { code, output: lines.join('') }
}

async function as<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return use(client).finally(() => client.end())
}

/** Checks the rights of a login: post to the ledger, and write its tables. */
const powersOf = (url: string) =>
  as(url, async (client) => {
    const { rows } = await client.query<{ posts: boolean; writes: boolean; reads: boolean }>(`
      select has_function_privilege('ledger_lock(text[], bigint[])', 'execute') as posts,
        has_table_privilege('ledger_entries', 'insert') as writes, has_table_privilege('withdrawals', 'select') as reads`)
    return rows[0]
  })

test('an owner who may not create roles gets the statements for an administrator, and continues after they are run', {
  tags: ['full'],
}, async () => {
  await admin.query("create role plain login password 'secret'")
  await admin.query('create database plain owner plain')
  const settings = {
    MIGRATION_DATABASE_URL: urlOf('plain', 'plain'),
    DATABASE_URL: urlOf('plain', 'rif_app', 'app-secret'),
  }
  const refused = await migrateWith(settings)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain('may not create roles')
  const statements = refused.output.match(/^ {2}(create role .*;)$/gm)!.map((line) => line.trim())
  expect(statements).toEqual([
    "create role rif_app login password '...';",
    "create role rif_read login password '...';",
  ])
  for (const statement of statements) await admin.query(statement.replace('...', 'app-secret'))
  expect(await migrateWith(settings)).toEqual({ code: 0, output: 'the database is up to date\n' })
  expect(await powersOf(settings.DATABASE_URL)).toEqual({ posts: true, writes: false, reads: true })
  await refuseOwnerLogin(settings.DATABASE_URL)
  await admin.query('drop database plain')
  await admin.query('drop role rif_app, rif_read')
})

test('an owner with CREATEROLE who is not a superuser creates the logins of the settings', async () => {
  await admin.query("create role hosted login createrole password 'secret'")
  await admin.query('create database hosted owner hosted')
  const settings = {
    MIGRATION_DATABASE_URL: urlOf('hosted', 'hosted'),
    DATABASE_URL: urlOf('hosted', 'rif_app', "it's secret"),
    SIGNER_DATABASE_URL: urlOf('hosted', 'my_signer', 'other'),
  }
  const done = await migrateWith(settings)
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining('applied tables, functions') })
  expect(await powersOf(settings.DATABASE_URL)).toEqual({ posts: true, writes: false, reads: true })
  expect(await powersOf(settings.SIGNER_DATABASE_URL)).toEqual({ posts: false, writes: false, reads: true })
  await refuseOwnerLogin(settings.DATABASE_URL)
  await expect(refuseOwnerLogin(settings.MIGRATION_DATABASE_URL)).rejects.toThrow('logs in as hosted')
  await expect(as(settings.DATABASE_URL, (client) => client.query('set role hosted'))).rejects.toMatchObject({
    code: '42501',
  })
  expect(await migrateWith(settings)).toEqual({ code: 0, output: 'the database is up to date\n' })
  // Another login becomes a member of the role.
  const other = { ...settings, DATABASE_URL: urlOf('hosted', 'web', 'web-secret') }
  expect(await migrateWith(other)).toMatchObject({ code: 0 })
  expect(await powersOf(other.DATABASE_URL)).toEqual({ posts: true, writes: false, reads: true })
})
