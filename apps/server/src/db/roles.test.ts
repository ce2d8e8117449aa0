import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { TABLES } from '../tables.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { migrate } from './migrate.ts'
import type { Table } from './tables.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let app: pg.Client
let read: pg.Client

beforeAll(async () => {
  database = await createEmptyDatabase()
  expect(await migrate({ url: database.urls.owner })).toMatchObject({ missingRoles: [] })
  app = await connect(database.urls.app)
  read = await connect(database.urls.read)
})
afterAll(async () => {
  await Promise.all([app.end(), read.end()])
  await database.drop()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Runs a statement in a transaction that is rolled back, and returns PostgreSQL's error code. */
async function outcomeOf(client: pg.Client, statement: string): Promise<string> {
  await client.query('begin')
  try {
    await client.query(statement)
    return 'done'
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'unknown'
  } finally {
    await client.query('rollback')
  }
}

const REFUSED = '42501'
const SUPERUSER = new URL(inject('databaseServerUrl')).username

/** Statements with which a login would gain rights, change the schema or leave the database. */
const POWERS = [
  'set role rif_owner',
  `set role ${SUPERUSER}`,
  'set session authorization rif_owner',
  `set session authorization ${SUPERUSER}`,
  'grant rif_owner to rif_app',
  'alter role rif_app superuser',
  'alter role rif_app createrole',
  'alter role rif_app createdb',
  "alter role rif_owner password 'taken'",
  'create role another login',
  'create schema another',
  'create extension pg_stat_statements',
  'create table another (n int)',
  'create temporary table another (n int)',
  'create view another as select 1',
  "create function another() returns int language sql as 'select 1'",
  "create function pg_temp.another() returns int language sql as 'select 1'",
  'create policy another on graphile_worker._private_jobs using (true)',
  'create event trigger another on ddl_command_start execute function refuse_change()',
  'create trigger another before insert on members execute function refuse_change()',
  'create rule another as on insert to ledger_entries do instead nothing',
  'alter table ledger_entries disable trigger all',
  'alter table ledger_entries disable trigger append_only',
  'alter table ledger_entries drop constraint ledger_entries_flow',
  'alter table ledger_entries owner to rif_app',
  'alter table plans add column another int',
  'alter table graphile_worker._private_jobs disable row level security',
  'alter function ledger_post owner to rif_app',
  'alter function ledger_post set search_path = pg_temp',
  'alter database postgres set session_replication_role = replica',
  'alter role rif_app set session_replication_role = replica',
  'drop table ledger_entries',
  'drop trigger append_only on ledger_entries',
  'drop function ledger_post',
  'drop schema public cascade',
  'set session_replication_role = replica',
  'set local session_replication_role = replica',
  "select set_config('session_replication_role', 'replica', false)",
  'lock table ledger_entries in access exclusive mode',
  "copy (select 1) to program 'id'",
  "copy member_notes from program 'id'",
  "copy (select 1) to '/tmp/out'",
  "select pg_read_file('/etc/passwd')",
  "select pg_ls_dir('/')",
  "select lo_export(1, '/tmp/out')",
  'select rolpassword from pg_authid',
  'select pg_reload_conf()',
  'update graphile_worker.migrations set breaking = true',
  'comment on table members is null',
]

/** The same, for statements that PostgreSQL does not run in a transaction. */
const OUTSIDE_TRANSACTIONS = [
  'create database another',
  'alter system set fsync = off',
  'drop database postgres',
]

describe('the login of the running server', () => {
  test.each(POWERS)('cannot: %s', async (statement) => {
    expect(await outcomeOf(app, statement)).toBe(REFUSED)
  })

  test.each(OUTSIDE_TRANSACTIONS)('cannot: %s', async (statement) => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: REFUSED })
  })

  test('owns nothing and has no other role', async () => {
    const { rows } = await app.query(`
      select session_user::text as login, current_user::text as role,
        (select count(*)::int from pg_class where relowner = 'rif_app'::regrole) as relations,
        (select count(*)::int from pg_proc where proowner = 'rif_app'::regrole) as functions,
        (select count(*)::int from pg_roles where pg_has_role(oid, 'member') and rolname <> 'rif_app') as memberships,
        rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as powers
      from pg_roles where rolname = 'rif_app'`)
    expect(rows).toEqual([
      { login: 'rif_app', role: 'rif_app', relations: 0, functions: 0, memberships: 0, powers: false },
    ])
  })

  test('has exactly the listed rights on each table, and truncates none', async () => {
    const { rows } = await app.query<{ name: string; rights: string[] }>(`
      select relname as name, array(select r from unnest(array['insert', 'update', 'delete', 'truncate', 'references',
        'trigger']) as r where has_table_privilege(oid, r)) as rights
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and relname <> 'schema_migrations' order by relname`)
    const actual = Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))
    expect(actual).toEqual(
      Object.fromEntries(Object.entries<Table>(TABLES).map(([name, { rights }]) => [name, rights])),
    )
  })

  test.each(Object.keys(TABLES).filter((table) => table.startsWith('ledger_')))(
    'writes %s only through the functions of the ledger',
    async (table) => {
      for (const statement of [
        `insert into ${table} default values`,
        `update ${table} set ${/heads|transactions/.test(table) ? 'member_id = member_id' : 'asset = asset'}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        // A view of several tables refuses every change.
        expect([REFUSED, '55000', '42809', '42703']).toContain(await outcomeOf(app, statement))
      }
    },
  )

  test.each([
    "update plans set plan = '{}'",
    'delete from plans',
    'update prices set price_micros = 1',
    'update display_rates set rate_micros = 1',
    'delete from display_rates',
    'delete from admin_actions',
    'update admin_actions set actor = actor',
    'insert into admin_seals select * from admin_seals',
    'delete from admin_seals',
    'delete from attestations',
    'delete from revenue_deposits',
    'update revenue_deposits set amount_micros = 1',
    'delete from settlement_days',
    'delete from settlement_ranges',
    'update settlement_start set first_day = first_day',
    'delete from proposals',
    'delete from orders',
    'delete from withdrawals',
    'delete from members',
    'truncate settlement_members',
    'truncate members cascade',
    'delete from schema_migrations',
  ])('cannot rewrite what was recorded: %s', async (statement) => {
    expect(await outcomeOf(app, statement)).toBe(REFUSED)
  })

  test("cannot run the ledger's internal functions", async () => {
    const { rows } = await app.query<{ name: string }>(`
      select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege(oid, 'execute') order by 1`)
    expect(rows.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "delete_undone_claim",
        "delete_undone_deposit",
        "delete_undone_payment",
        "delete_undone_rewards",
        "jobs_enqueue",
        "ledger_close_chain",
        "ledger_close_parts",
        "ledger_divide_reserve",
        "ledger_fold_flows",
        "ledger_fold_pools",
        "ledger_lock",
        "ledger_open_custody",
        "ledger_post",
        "ledger_post_batches",
        "ledger_reserve",
        "settlement_clear_stage",
        "webhook_enqueue",
      ]
    `)
  })
})

describe('the login of the signing process', () => {
  test('reads only its own tables', async () => {
    const { rows } = await read.query<{ name: string; write: boolean }>(`
      select relname as name, has_table_privilege(oid, 'insert, update, delete, truncate') as write
      from pg_class where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and relkind in ('r', 'p', 'v') and has_table_privilege(oid, 'select, insert, update, delete, truncate')
      order by relname`)
    const readable = Object.entries<Table>(TABLES).flatMap(([name, { isReadBySigner }]) =>
      isReadBySigner ? [name] : [],
    )
    expect(rows).toEqual(readable.sort().map((name) => ({ name, write: false })))
  })

  test.each([
    ...POWERS,
    'select * from sessions',
    "select ledger_lock('{}', '{1}')",
    "update withdrawals set status = 'Withdrawable'",
    'insert into orders default values',
    'select * from withdrawals for update',
  ])('cannot: %s', async (statement) => {
    expect(await outcomeOf(read, statement)).toBe(REFUSED)
  })
})

test('a second migration leaves the rights unchanged', async () => {
  const rights = () =>
    app.query(
      `select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
    )
  const before = (await rights()).rows
  expect(await migrate({ url: database.urls.owner })).toEqual({ applied: [], missingRoles: [] })
  expect((await rights()).rows).toEqual(before)
})
