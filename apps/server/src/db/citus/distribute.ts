import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { TABLE_CLASSES } from '../../tables.ts'
import { withConnection } from '../connection.ts'
import { APP_ROLE, READ_ROLE } from '../roles.ts'
import type { TableClass } from '../tables.ts'

/** The table with which the others are co-located: a member's rows of all tables are on one machine. */
const FIRST = 'ledger_heads'

/**
 * The functions that write to several tables, some of them distributed. Citus opens a connection to a machine
 * for each role, and refuses to read through one what was written through another, so they run with the
 * rights of their caller (`clusterRights`).
 */
const CALLERS_FUNCTIONS = [
  'delete_undone_claim',
  'delete_undone_payment',
  'delete_undone_rewards',
  'ledger_close_chain',
  'ledger_lock',
  'ledger_post',
  'ledger_post_batches',
  'settlement_clear_stage',
]

/**
 * Row triggers that read tables of another class, which a shard cannot. The rights prevent what they would
 * refuse.
 */
const COORDINATORS_TRIGGERS = ['keep_standing']

/** The distribution of a database's tables. */
export interface Placement {
  readonly nodes: number
  readonly distributed: number
  readonly reference: number
}

/** Returns whether the tables of a database are distributed. Works without Citus too. */
export async function isDistributed(client: pg.Client | pg.PoolClient): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rowCount } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.${FIRST}')`,
  )
  return rowCount === 1
}

/**
 * Returns whether a distribution of the tables was begun and not finished: Citus manages some of the tables,
 * but not all.
 */
export async function isHalfDistributed(client: pg.Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rows } = await client.query<{ managed: number; others: number }>(
    `select count(part.logicalrelid)::int as managed, (count(*) - count(part.logicalrelid))::int as others
     from pg_class as c left join pg_dist_partition as part on part.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any ($1)`,
    [Object.keys(TABLE_CLASSES)],
  )
  return rows[0]!.managed > 0 && rows[0]!.others > 0
}

async function hasCitus(client: pg.Client | pg.PoolClient): Promise<boolean> {
  return (await client.query("select from pg_extension where extname = 'citus'")).rowCount === 1
}

/**
 * Prepares a session for schema changes: triggers guard the rows of each shard, and a transaction that
 * changes distributed and reference tables works on one shard after the other.
 */
export async function prepareSession(client: pg.Client): Promise<void> {
  await client.query('set citus.enable_unsafe_triggers = on')
  await client.query("set citus.multi_shard_modify_mode = 'sequential'")
}

/** Returns the distribution of the tables: the number of machines with shards, and of tables of each kind. */
export async function placementOf(client: pg.Client): Promise<Placement> {
  const { rows } = await client.query<Placement>(`
    select (select count(*)::int from pg_dist_node where isactive and shouldhaveshards) as nodes,
      count(*) filter (where partmethod = 'h')::int as distributed,
      count(*) filter (where partmethod = 'n' and repmodel = 't')::int as reference
    from pg_dist_partition where logicalrelid in (
      select oid from pg_class where relnamespace = 'public'::regnamespace)`)
  return rows[0]!
}

/**
 * Distributes the tables of a migrated database by the declarations of `tables.ts`: reference tables to every machine,
 * distributed ones by member_id, co-located. The others stay on the coordinator, where Citus manages them too,
 * so that a transaction that writes there and on a machine commits in two phases. Tables that Citus manages
 * already are skipped, so a killed run is continued by the next. `report` receives each step. The client has the
 * owner's login. Throws StartError without Citus, or without a machine that accepts shards.
 */
export async function distributeTables(client: pg.Client, report: (step: string) => void): Promise<void> {
  if (!(await hasCitus(client)))
    throw new StartError(
      'this database has no Citus: `create extension citus` on every machine, see docs/scale.md',
    )
  const { rows: nodes } = await client.query<{ groupId: number; takesShards: boolean }>(
    'select groupid as "groupId", shouldhaveshards as "takesShards" from pg_dist_node where isactive',
  )
  if (!nodes.some(({ groupId }) => groupId === 0))
    throw new StartError("Citus does not know the coordinator: select citus_set_coordinator_host('its name')")
  if (!nodes.some(({ takesShards }) => takesShards))
    throw new StartError("there is no machine for the members' rows: select citus_add_node('its name', 5432)")
  await prepareSession(client)
  for (const table of await tablesLeft(client, 'reference')) {
    await client.query('select create_reference_table($1)', [table])
    report(`${table}: on every machine`)
  }
  await dropTriggers(client)
  for (const table of await tablesLeft(client, 'distributed')) {
    await distributeTable(client, table)
    report(`${table}: by member`)
  }
  // A table brings those that its foreign keys lead to.
  for (let [table] = await tablesLeft(client, 'coordinator'); table !== undefined; ) {
    await client.query('select citus_add_local_table_to_metadata($1, cascade_via_foreign_keys => true)', [
      table,
    ])
    report(`${table}: on the coordinator`)
    ;[table] = await tablesLeft(client, 'coordinator')
  }
  await runAsCaller(client)
  await shareFunctions(client, report)
}

async function distributeTable(client: pg.Client, table: string): Promise<void> {
  await client.query(
    table === FIRST
      ? 'select create_distributed_table($1, $2)'
      : "select create_distributed_table($1, $2, colocate_with => 'ledger_heads')",
    [table, 'member_id'],
  )
}

/**
 * Returns the tables of a class that are not distributed yet: referenced ones first, and the co-location
 * table first of all.
 */
async function tablesLeft(client: pg.Client, kind: TableClass): Promise<string[]> {
  const { rows } = await client.query<{ table: string; targets: string[] }>(`
    select c.relname as "table", array(
      select confrelid::regclass::text from pg_constraint
      where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as targets
    from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_dist_partition where logicalrelid = c.oid)
    order by c.relname <> '${FIRST}', c.relname`)
  const left = new Map(
    rows.filter(({ table }) => TABLE_CLASSES[table] === kind).map((row) => [row.table, row]),
  )
  const ordered = new Set<string>()
  const visit = (table: string): void => {
    for (const target of left.get(table)?.targets ?? []) if (!ordered.has(target)) visit(target)
    if (left.has(table)) ordered.add(table)
  }
  for (const table of left.keys()) visit(table)
  return [...ordered]
}

/**
 * Creates the functions on every machine: checks, triggers and statements beside the rows call them. Citus
 * refuses functions whose text or arguments depend on a table of the coordinator.
 */
async function shareFunctions(client: pg.Client, report: (step: string) => void): Promise<void> {
  // A function of a coordinator's rows depends on the table's one shard, which Citus hides from the catalogue.
  await client.query('set citus.override_table_visibility = off')
  const { rows } = await client.query<{ name: string }>(`
    with recursive coordinators (class, id) as (
      select 'pg_class'::regclass::oid, c.oid from pg_class as c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        and not exists (select from pg_dist_partition where logicalrelid = c.oid and (partmethod = 'h' or repmodel = 't'))
      union
      select next.class, next.id from coordinators as c, lateral (
        select 'pg_type'::regclass::oid as class, unnest(array[t.oid, t.typarray]) as id from pg_type as t where t.typrelid = c.id
        union all
        select d.classid, d.objid from pg_depend as d
        where d.refclassid = c.class and d.refobjid = c.id and d.classid = 'pg_proc'::regclass
      ) as next
    )
    select p.oid::regprocedure::text as name from pg_proc as p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = p.oid)
      and not exists (select from coordinators where class = 'pg_proc'::regclass and id = p.oid)
    order by p.oid`)
  for (const { name } of rows)
    await client.query('select create_distributed_function($1::regprocedure)', [name])
  await client.query('reset citus.override_table_visibility')
  if (rows.length > 0) report(`${rows.length} functions: on every machine`)
}

async function dropTriggers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as "table", tgname as name from pg_trigger
     where not tgisinternal and tgname = any ($1)`,
    [COORDINATORS_TRIGGERS],
  )
  for (const { table, name } of rows)
    if (TABLE_CLASSES[table] === 'distributed') await client.query(`drop trigger ${name} on ${table}`)
}

/** Makes the functions that write members' rows run with the rights of their caller. */
async function runAsCaller(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and prosecdef and proname = any ($1)`,
    [CALLERS_FUNCTIONS],
  )
  for (const { name } of rows) await client.query(`alter function ${name} security invoker`)
}

/** A login of the product, as its settings give it, and the role as which it works. */
export interface RoleLogin {
  readonly role: string
  readonly url: string
}

/**
 * Lets the application's roles log in between the machines, and checks that each of `logins` reaches all of
 * them. Throws StartError with instructions for the administrator.
 */
export async function checkLogins(client: pg.Client, logins: readonly RoleLogin[]): Promise<void> {
  for (const role of [APP_ROLE, READ_ROLE]) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1 and not rolcanlogin', [
      role,
    ])
    if (rowCount === 1) await client.query(`alter role ${role} login`)
  }
  for (const { role, url } of logins) {
    try {
      // Not with the owner's login, which need not be a member of the other roles.
      await withConnection(url, async (own) => {
        await own.query(`set role ${role}`)
        await own.query(`select count(*) from ${FIRST}`)
        const { rows: refused } = await own.query<{ from: string; result: string }>(
          `select nodename || ':' || nodeport as "from", result
           from run_command_on_workers('select count(*) from ${FIRST}') where not success`,
        )
        for (const { from, result } of refused) throw new Error(`from ${from}: ${result}`)
      })
    } catch (error) {
      throw new StartError(
        `${role} cannot log in from machine to machine (${(error as Error).message}): docs/scale.md, "Logins"`,
        { cause: error },
      )
    }
  }
}
