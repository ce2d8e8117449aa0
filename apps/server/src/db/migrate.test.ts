import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { withConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { readSchema, SCHEMA_DIR, statementsOf } from './schema-files.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let url: string
let dir: string
beforeEach(async () => {
  database = await createEmptyDatabase()
  url = database.urls.owner
  dir = await mkdtemp(join(tmpdir(), 'rif-schema-'))
  await write('migrations/0001_one.sql', 'create table one (n int);')
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

/** Writes a file of the schema. */
async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, name)), { recursive: true })
  await writeFile(join(dir, name), text)
}

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
  await write('migrations/0002_two.sql', 'alter table one rename to two;')
  expect(await migrate({ url, dir })).toMatchObject({ applied: ['0002_two.sql'] })
  expect(await migrate({ url, dir })).toMatchObject({ applied: [] })
  expect(await tables()).toEqual(['schema_migrations', 'two'])
})

it('processes that start together wait for each other', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrate({ url, dir })))
  expect(applied.flatMap((item) => item.applied)).toEqual(['0001_one.sql'])
})

it('waits for a lock in short attempts, behind which nobody waits for long, and finally fails with the reason', async () => {
  await migrate({ url, dir })
  await write('migrations/0002_two.sql', 'alter table one add column m int;')
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
  const { once, functions } = await readSchema(SCHEMA_DIR)
  for (const { name, sql } of [...once, functions!].flatMap(({ files }) => files)) {
    const statements = statementsOf(sql)
    expect(statements.join('\n').trim(), name).toBe(sql.trim())
    const counts = statements.map((statement) => parseSync(statement).stmts!.length)
    expect(counts, name).toEqual(statements.map(() => 1))
  }
})

it('rolls back a migration that fails', async () => {
  await write('migrations/0002_bad.sql', 'create table left_over (n int); select 1 / 0;')
  await expect(migrate({ url, dir })).rejects.toThrow('migration 0002_bad.sql failed: division by zero')
  expect(await tables()).toEqual(['one', 'schema_migrations'])
})

it('refuses a file that was changed after it was applied', async () => {
  await migrate({ url, dir })
  await write('migrations/0001_one.sql', 'create table one (n bigint);')
  await expect(migrate({ url, dir })).rejects.toThrow(
    'migration 0001_one.sql was changed after it had been applied; use the version that migrated the database',
  )
})

it('refuses a database that a newer version migrated', async () => {
  await write('migrations/0002_two.sql', 'create table two (n int);')
  await migrate({ url, dir })
  await rm(join(dir, 'migrations/0002_two.sql'))
  await expect(migrate({ url, dir })).rejects.toThrow('0002_two.sql, which this version does not know')
})

describe('functions, views and triggers', () => {
  const TABLE = 'create table one (n int check (is_small(n)));'
  const SMALL =
    'create or replace function is_small(n int) returns boolean language plpgsql as $$ begin return n < 10; end $$;'
  const VIEW = 'create view ones as select n, twice(n) as two from one;'
  const TWICE = 'create function twice(n int) returns int language sql return n * 2;'
  const REFUSE = `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
create trigger kept before delete on one for each statement execute function refuse();`

  beforeEach(async () => {
    await rm(join(dir, 'migrations'), { recursive: true })
    await write('checks/small.sql', SMALL)
    await write('tables/01_one.sql', TABLE)
    await write('views/ones.sql', VIEW)
    await write('checks/twice.sql', TWICE.replace('create function', 'create or replace function'))
    await write('functions/refuse.sql', REFUSE)
  })

  const query = (text: string) => withConnection(url, async (client) => (await client.query(text)).rows)

  it('are created with the tables, and again when a text changed, in one transaction', async () => {
    expect(await migrate({ url, dir })).toMatchObject({ applied: ['tables', 'functions'] })
    await query('insert into one values (4)')
    expect(await query('select * from ones')).toEqual([{ n: 4, two: 8 }])
    expect(await migrate({ url, dir })).toMatchObject({ applied: [] })

    // Another result and other arguments, a column less, a trigger less, and a check that tables need.
    await write('views/ones.sql', 'create view ones as select twice(n, 1) as two from one;')
    await rm(join(dir, 'checks/twice.sql'))
    await write(
      'checks/a_twice.sql',
      'create or replace function twice(n int, more int) returns bigint language sql return n * 2 + more;',
    )
    await write('functions/refuse.sql', REFUSE.split('\n')[0]!)
    await write('checks/small.sql', SMALL.replace('10', '5'))
    expect(await migrate({ url, dir })).toMatchObject({ applied: ['functions'] })
    expect(await query('select * from ones')).toEqual([{ two: '9' }])
    expect(
      await query(
        "select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
      ),
    ).toEqual(['is_small(integer)', 'refuse()', 'twice(integer,integer)'].map((name) => ({ name })))
    await expect(query('insert into one values (7)')).rejects.toThrow('one_n_check')
    await query('delete from one')
  })

  it('stay as they were when one of them fails', async () => {
    await migrate({ url, dir })
    await query('insert into one values (4)')
    await write('functions/z_bad.sql', 'create view two as select missing from one;')
    await write('views/ones.sql', 'create view ones as select 1 as n;')
    await expect(migrate({ url, dir })).rejects.toThrow(
      'migration functions failed: column "missing" does not exist',
    )
    expect(await query('select * from ones')).toEqual([{ n: 4, two: 8 }])
    await expect(query('delete from one')).rejects.toThrow('refused')
  })

  it('are created anew after a migration, which may drop one that is in its way', async () => {
    await migrate({ url, dir })
    await write('migrations/0001_wide.sql', 'drop view ones;\nalter table one add column m int;')
    expect(await migrate({ url, dir })).toMatchObject({ applied: ['0001_wide.sql', 'functions'] })
    expect(await query('select * from ones')).toEqual([])
  })

  it('a file of tables is not changed after it was applied', async () => {
    await migrate({ url, dir })
    await write('tables/02_two.sql', 'create table two (n int);')
    await expect(migrate({ url, dir })).rejects.toThrow(
      'migration tables was changed after it had been applied',
    )
  })
})
