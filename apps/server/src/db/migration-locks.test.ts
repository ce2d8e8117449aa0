import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { migrate } from './migrate.ts'
import { locksOf } from './migration-locks.ts'
import { readSchema, SCHEMA_DIR, statementsOf } from './schema-files.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrate({ url: database.urls.owner })
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

/** Migrations of every kind that tables need: [what, text]. */
const MIGRATIONS: [string, string][] = [
  ['a column', "alter table orders add column note text not null default '';"],
  [
    'a column that is filled',
    'alter table withdrawals add column place integer;\nupdate withdrawals set place = 1;\nalter table withdrawals alter column place set not null;',
  ],
  ['a constraint less', 'alter table pauses drop constraint pauses_area_check;'],
  ['a key to another table', 'alter table banks add column plan bigint references plans;'],
  ['a key to another table less', 'alter table sessions drop constraint sessions_member_id_fkey;'],
  [
    'a type that a view names',
    'drop view ledger_pool_sums, ledger_pool_day_sums;\nalter table ledger_pool_credits alter column amount type numeric(40);',
  ],
  ['an index', 'create index orders_by_level on orders (level);'],
  [
    'an index with conditions over lines',
    "create unique index exits_named\n  on exits (purpose)\n  where state = 'Approved';",
  ],
  ['an index less', 'drop index withdrawals_by_worth, transfers_by_worth;'],
  [
    'another name',
    'alter table guard_audits rename to audits;\nalter index guard_audits_newest rename to audits_newest;',
  ],
  ['a storage setting', 'alter table member_visits set (fillfactor = 50);'],
  ['a table less', 'drop table address_notes;'],
  ['a lock and rows', 'lock table rate_limits in access exclusive mode;\ndelete from rate_limits;'],
  [
    'a trigger',
    'create trigger kept before delete on jobs for each statement execute function refuse_change();',
  ],
  ['a trigger less', 'drop trigger append_only on plans;'],
  ['an emptied table', 'truncate notice_counts;'],
  [
    'statements that are put together',
    `do $$
declare
  v_table text;
begin
  foreach v_table in array array['rewards', 'reward_batches'] loop
    execute format('alter table %I add column note text', v_table);
  end loop;
end $$;`,
  ],
  ['a new table that refers to one', 'create table fresh_notes (member_id bigint references members);'],
]

test('what a migration is said to lock contains what it locks', async () => {
  const missed: string[] = []
  const { once, functions } = await readSchema(SCHEMA_DIR)
  const released = once.slice(1).map(({ name, files }) => [name, files[0]!.sql] as const)
  for (const [name, text] of [...released, ...MIGRATIONS]) {
    const { rows: before } = await client.query<{ oid: string; name: string }>(
      "select oid::text, relname as name from pg_class where relnamespace = 'public'::regnamespace",
    )
    const said = new Map((await locksOf(client, text)).map(({ table, waiting }) => [table, waiting]))
    await client.query('begin')
    for (const statement of statementsOf(text)) await client.query(statement)
    const { rows } = await client.query<{ oid: string; stopsReads: boolean }>(HELD, [
      before.map(({ oid }) => oid),
    ])
    await client.query('rollback')
    for (const lock of rows) {
      // A migration may rename a table.
      const table = before.find(({ oid }) => oid === lock.oid)!.name
      const waiting = said.get(table)
      if (waiting === undefined || (lock.stopsReads && waiting === 'writes'))
        missed.push(`${name}: ${table} ${lock.stopsReads ? 'reads and writes' : 'writes'}`)
    }
  }
  expect(missed).toEqual([])
  const triggers = await client.query<{ table: string }>(
    'select distinct tgrelid::regclass::text as "table" from pg_trigger where not tgisinternal',
  )
  const locked = await locksOf(client, functions!.files.map(({ sql }) => sql).join('\n'))
  const stopped = locked.flatMap(({ table, waiting }) => (waiting === 'reads and writes' ? [table] : []))
  expect(stopped).toEqual(expect.arrayContaining(triggers.rows.map(({ table }) => table)))
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
