import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { MIGRATIONS_DIR, statementsOf } from './migrate.ts'
import { locksOf } from './migration-locks.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await createEmptyDatabase()
  client = new pg.Client({ connectionString: database.urls.owner })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The locks of this transaction on tables and views that existed before it, by what waits for them. */
const HELD = `
  select c.oid::text as oid,
    bool_or(l.mode in ('AccessExclusiveLock')) as "stopsReads"
  from pg_locks as l join pg_class as c on c.oid = l.relation
  where l.pid = pg_backend_pid() and c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace
    and c.oid = any($1::oid[])
    and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
  group by c.oid`

test('what a migration is said to lock contains what it locks: every migration', async () => {
  const missed: string[] = []
  const names = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql')).sort()
  for (const name of names) {
    const text = await readFile(`${MIGRATIONS_DIR}/${name}`, 'utf8')
    const { rows: before } = await client.query<{ oid: string; name: string }>(
      "select oid::text, relname as name from pg_class where relnamespace = 'public'::regnamespace",
    )
    const said = new Map((await locksOf(client, text)).map(({ table, waiting }) => [table, waiting]))
    await client.query('begin')
    for (const statement of statementsOf(text)) await client.query(statement)
    const { rows } = await client.query<{ oid: string; stopsReads: boolean }>(HELD, [
      before.map(({ oid }) => oid),
    ])
    await client.query('commit')
    for (const lock of rows) {
      // A migration may rename a table.
      const table = before.find(({ oid }) => oid === lock.oid)!.name
      const waiting = said.get(table)
      if (waiting === undefined || (lock.stopsReads && waiting === 'writes'))
        missed.push(`${name}: ${table} ${lock.stopsReads ? 'reads and writes' : 'writes'}`)
    }
  }
  expect(missed).toEqual([])
  expect(names.length).toBeGreaterThan(70)
})

test('new tables and the bodies of functions are not among the locks', async () => {
  const locks = await locksOf(
    client,
    `create table fresh (id bigint primary key, other bigint references orders);
create index on fresh (other);
alter table fresh add column more text;
create function f() returns void language sql as $$
  alter table packages add column x text;
$$;
create unique index one on members (address);
alter table
  plans add column note text;
`,
  )
  expect(locks.map(({ table, waiting }) => [table, waiting])).toEqual([
    ['members', 'writes'],
    ['orders', 'writes'],
    ['plans', 'reads and writes'],
  ])
})
