import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { MIGRATIONS_DIR, migrate, statementsOf } from './migrate.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let url: string
let dir: string
beforeEach(async () => {
  database = await createEmptyDatabase()
  url = database.urls.owner
  dir = await mkdtemp(join(tmpdir(), 'rif-migrations-'))
  await writeFile(join(dir, '0001_one.sql'), 'create table one (n int);')
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

async function tables(): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  )
  await client.end()
  return rows.map((row) => row.tablename)
}

it('applies missing migrations once and in order', async () => {
  expect(await migrate({ url, dir })).toMatchObject({ applied: ['0001_one.sql'] })
  await writeFile(join(dir, '0002_two.sql'), 'alter table one rename to two;')
  expect(await migrate({ url, dir })).toMatchObject({ applied: ['0002_two.sql'] })
  expect(await migrate({ url, dir })).toMatchObject({ applied: [] })
  expect(await tables()).toEqual(['schema_migrations', 'two'])
})

it('processes that start together wait for each other', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrate({ url, dir })))
  expect(applied.flatMap((one) => one.applied)).toEqual(['0001_one.sql'])
})

it('waits for a lock in short attempts, behind which nobody waits for long, and finally fails with the reason', async () => {
  await migrate({ url, dir })
  await writeFile(join(dir, '0002_two.sql'), 'alter table one add column m int;')
  const holder = new pg.Client({ connectionString: url })
  const reader = new pg.Client({ connectionString: url, options: '-c statement_timeout=2000' })
  await Promise.all([holder.connect(), reader.connect()])
  await holder.query('begin; select from one')
  const blocked = migrate({ url, dir, lockMs: 200, patienceMs: 400 })
  const refused = expect(blocked).rejects.toThrow(
    'migration 0002_two.sql waited for a lock that somebody holds: end the long transaction',
  )
  for (let time = 0; time < 5; time++) await reader.query('select from one')
  await refused
  const waiting = migrate({ url, dir, lockMs: 200 })
  await reader.query('select pg_sleep(0.4)')
  await holder.query('rollback')
  expect(await waiting).toMatchObject({ applied: ['0002_two.sql'] })
  await Promise.all([holder.end(), reader.end()])
})

it('sends each statement of a migration by itself', async () => {
  await loadModule()
  for (const name of await readdir(MIGRATIONS_DIR)) {
    const migration = await readFile(join(MIGRATIONS_DIR, name), 'utf8')
    const statements = statementsOf(migration)
    expect(statements.join('\n').trim(), name).toBe(migration.trim())
    const counts = statements.map((statement) => parseSync(statement).stmts!.length)
    expect(counts, name).toEqual(statements.map(() => 1))
  }
})

it('rolls back a migration that fails', async () => {
  await writeFile(join(dir, '0002_bad.sql'), 'create table left_over (n int); select 1 / 0;')
  await expect(migrate({ url, dir })).rejects.toThrow('migration 0002_bad.sql failed: division by zero')
  expect(await tables()).toEqual(['one', 'schema_migrations'])
})

it('refuses a file that was changed after it was applied', async () => {
  await migrate({ url, dir })
  await writeFile(join(dir, '0001_one.sql'), 'create table one (n bigint);')
  await expect(migrate({ url, dir })).rejects.toThrow(
    'migration 0001_one.sql was changed after it had been applied; use the version that migrated the database',
  )
})

it('refuses a database that a newer version migrated', async () => {
  await writeFile(join(dir, '0002_two.sql'), 'create table two (n int);')
  await migrate({ url, dir })
  await rm(join(dir, '0002_two.sql'))
  await expect(migrate({ url, dir })).rejects.toThrow('0002_two.sql, which this version does not know')
})
