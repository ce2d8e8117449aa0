import type pg from 'pg'
import { TABLES } from '../tables.ts'
import type { Right, Table } from './tables.ts'

/** Owns the database and migrates it. A hosting provider's owner may have another name. */
export const OWNER_ROLE = 'rif_owner'
/** The login of the API, the worker and the indexer. It owns nothing. */
export const APP_ROLE = 'rif_app'
/** The login of the signing process, which can only read. */
export const READ_ROLE = 'rif_read'

const RIGHTS: readonly Right[] = ['insert', 'update', 'delete', 'truncate']

/** The functions of the application's login that run with the owner's rights. */
const OWNER_FUNCTIONS = [
  'delete_undone_claim',
  'delete_undone_deposit',
  'delete_undone_payment',
  'delete_undone_rewards',
  'jobs_enqueue',
  'ledger_close_chain',
  'ledger_close_parts',
  'ledger_divide_reserve',
  'ledger_fold_flows',
  'ledger_fold_pools',
  'ledger_lock',
  'ledger_open_custody',
  'ledger_post',
  'ledger_post_batches',
  'ledger_reserve',
  'settlement_clear_stage',
  'webhook_enqueue',
] as const

/** The insufficient_privilege error of PostgreSQL. */
const FORBIDDEN = '42501'

/** Creates the application's roles that do not exist, and returns those that the connected user may not create. */
export async function ensureRoles(client: pg.Client): Promise<string[]> {
  const missing: string[] = []
  for (const role of [APP_ROLE, READ_ROLE]) {
    if (!(await ensureRole(client, role))) missing.push(role)
  }
  return missing
}

/**
 * Grants the application's roles exactly the rights that `tables.ts` declares, in the open transaction. The connected user owns the schema. On
 * a distributed database the functions of the ledger run with the caller's rights (`clusterRights`).
 */
export async function grantRights(
  client: pg.Client,
  { missingRoles, isDistributed }: { missingRoles: readonly string[]; isDistributed: boolean },
): Promise<void> {
  await client.query(LOCK_DOWN)
  if (!missingRoles.includes(APP_ROLE)) await grantApp(client, isDistributed)
  if (!missingRoles.includes(READ_ROLE)) await grantSigner(client)
}

/** Creates a role that cannot log in yet, unless it exists. Returns false when the connected user may not create roles. */
async function ensureRole(client: pg.Client, role: string): Promise<boolean> {
  const exists = async () =>
    ((await client.query('select from pg_roles where rolname = $1', [role])).rowCount ?? 0) > 0
  if (await exists()) return true
  try {
    await client.query(`create role ${role} nologin`)
    return true
  } catch (error) {
    // Another database of the same cluster may be migrated at the same time.
    if (await exists()) return true
    if ((error as pg.DatabaseError).code === FORBIDDEN) return false
    throw error
  }
}

/** The objects that the connected user may grant, as their owner or as a member of their owner. */
const OWN = "pg_has_role(o.owner, 'usage')"

const OBJECTS = `(select relname as name, relowner as owner, relkind as kind, relrowsecurity as secured,
  relnamespace as space from pg_class where relkind in ('r', 'p', 'v', 'S')) as o`

/** Revokes every right from everybody except the owner. */
const LOCK_DOWN = `
do $$
declare
  v_role text;
  v_object record;
begin
  if exists (select from pg_database where datname = current_database() and pg_has_role(datdba, 'usage')) then
    execute format('revoke create, temporary on database %I from public', current_database());
  end if;
  if exists (select from pg_namespace where nspname = 'public' and pg_has_role(nspowner, 'usage')) then
    revoke create on schema public from public;
  end if;
  for v_role in select quote_ident(rolname) from pg_roles where rolname in ('${APP_ROLE}', '${READ_ROLE}')
    union all select 'public'
  loop
    for v_object in select name, kind from ${OBJECTS} where space = 'public'::regnamespace and ${OWN} loop
      execute format('revoke all on %s %I from %s',
        case v_object.kind when 'S' then 'sequence' else 'table' end, v_object.name, v_role);
    end loop;
    for v_object in select oid::regprocedure as name from (select oid, proowner as owner, pronamespace as space from pg_proc
        where prokind = 'f') as o where space = 'public'::regnamespace and ${OWN} loop
      execute format('revoke all on function %s from %s', v_object.name, v_role);
    end loop;
    if v_role <> 'public' then
      execute format('alter default privileges in schema public revoke all on tables from %s', v_role);
      execute format('alter default privileges in schema public revoke all on sequences from %s', v_role);
    end if;
  end loop;
end $$`

async function grantApp(client: pg.Client, isDistributed: boolean): Promise<void> {
  await client.query(`
do $$
declare
  v_object record;
begin
  for v_object in select name, kind from ${OBJECTS} where space = 'public'::regnamespace and ${OWN} loop
    execute format('grant %s %I to ${APP_ROLE}',
      case v_object.kind when 'S' then 'usage on sequence' else 'select on table' end, v_object.name);
  end loop;
  for v_object in select oid::regprocedure as name from (select oid, proowner as owner, pronamespace as space, proname,
      prosecdef from pg_proc where prokind = 'f') as o
    where space = 'public'::regnamespace and ${OWN}
      and (not prosecdef or proname in (${OWNER_FUNCTIONS.map((name) => `'${name}'`).join(', ')}))
  loop
    execute format('grant execute on function %s to ${APP_ROLE}', v_object.name);
  end loop;
end $$`)
  await client.query(`grant usage on schema public to ${APP_ROLE}`)
  const names = await existing(client, Object.keys(TABLES))
  for (const right of RIGHTS) {
    const tables = names.filter((name) => {
      const { rights, clusterRights = [] }: Table = TABLES[name as keyof typeof TABLES]
      return rights.includes(right) || (isDistributed && clusterRights.includes(right))
    })
    if (tables.length > 0) await client.query(`grant ${right} on ${tables.join(', ')} to ${APP_ROLE}`)
  }
  await grantQueue(client)
}

async function grantSigner(client: pg.Client): Promise<void> {
  await client.query(`grant usage on schema public to ${READ_ROLE}`)
  const read = Object.entries<Table>(TABLES).flatMap(([name, { isReadBySigner }]) =>
    isReadBySigner ? [name] : [],
  )
  const tables = await existing(client, read)
  if (tables.length > 0) await client.query(`grant select on ${tables.join(', ')} to ${READ_ROLE}`)
}

async function existing(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from ${OBJECTS} where space = 'public'::regnamespace and name = any ($1) order by name`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** Row security protects the queue's tables; without a policy only their owner passes it. */
async function grantQueue(client: pg.Client): Promise<void> {
  await client.query(`
do $$
declare
  v_table record;
begin
  if to_regnamespace('graphile_worker') is null then
    return;
  end if;
  grant usage on schema graphile_worker to ${APP_ROLE};
  grant execute on all functions in schema graphile_worker to ${APP_ROLE};
  for v_table in select name, kind, secured from ${OBJECTS} where space = 'graphile_worker'::regnamespace loop
    if v_table.kind = 'S' then
      execute format('grant usage on sequence graphile_worker.%I to ${APP_ROLE}', v_table.name);
    elsif v_table.name = 'migrations' or v_table.kind = 'v' then
      execute format('grant select on graphile_worker.%I to ${APP_ROLE}', v_table.name);
    else
      execute format('grant select, insert, update, delete on graphile_worker.%I to ${APP_ROLE}', v_table.name);
    end if;
    if v_table.secured and not exists (select from pg_policies
      where schemaname = 'graphile_worker' and tablename = v_table.name and policyname = '${APP_ROLE}')
    then
      execute format('create policy ${APP_ROLE} on graphile_worker.%I to ${APP_ROLE} using (true) with check (true)',
        v_table.name);
    end if;
  end loop;
end $$`)
}
