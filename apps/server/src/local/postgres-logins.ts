import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withConnection } from '../db/connection.ts'
import { APP_ROLE, OWNER_ROLE, READ_ROLE } from '../db/roles.ts'
import { createFileAtomically } from './atomic-file.ts'

/** The passwords of the product's logins on the server that it starts itself. */
export type Logins = Readonly<Record<(typeof ROLES)[number], string>>

const ROLES = [OWNER_ROLE, APP_ROLE, READ_ROLE] as const
const FOLDER = 'postgres-logins'

/** Returns the passwords of the logins, one file each in the data folder. The first start generates them. */
export async function readLogins(dataDir: string): Promise<Logins> {
  const folder = join(dataDir, FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = ROLES.map(async (role) => [role, await passwordOf(join(folder, role))] as const)
  return Object.fromEntries(await Promise.all(entries)) as Logins
}

async function passwordOf(file: string): Promise<string> {
  await createFileAtomically(file, `${randomBytes(24).toString('hex')}\n`)
  return (await readFile(file, 'utf8')).trim()
}

/**
 * Creates the logins on the server and makes the database's owner the owner of everything that an earlier
 * version of the product created as the superuser. `url` is the superuser's URL of the database. Repeating it
 * changes nothing.
 */
export async function provideLogins(url: URL, logins: Logins): Promise<void> {
  const database = url.pathname.slice(1)
  const databaseOf = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` })
  await withConnection(databaseOf('postgres'), async (client) => {
    for (const role of ROLES) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      if (rowCount === 0) await client.query(`create role ${role}`)
      await client.query(
        `alter role ${role} login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password '${logins[role]}'`,
      )
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
    await client.query(`alter database ${database} owner to ${OWNER_ROLE}`)
  })
  await withConnection(url, (client) => client.query(HAND_OVER))
}

/** Makes the owner's role the owner of every schema, table, view, sequence and function of the product. */
const HAND_OVER = `
do $$
declare
  v_statement text;
begin
  for v_statement in
    select format('alter schema %I owner to ${OWNER_ROLE}', nspname) from pg_namespace
    where nspname = 'graphile_worker' and nspowner <> '${OWNER_ROLE}'::regrole
    union all
    select format('alter %s %s owner to ${OWNER_ROLE}',
      case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class as c
    where relnamespace::regnamespace::text in ('public', 'graphile_worker') and relkind in ('r', 'p', 'v', 'S')
      and relowner <> '${OWNER_ROLE}'::regrole
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i'))
    union all
    select format('alter function %s owner to ${OWNER_ROLE}', oid::regprocedure) from pg_proc
    where pronamespace::regnamespace::text in ('public', 'graphile_worker') and proowner <> '${OWNER_ROLE}'::regrole
    union all
    select format('alter type %s owner to ${OWNER_ROLE}', oid::regtype) from pg_type
    where typnamespace::regnamespace::text in ('public', 'graphile_worker') and typowner <> '${OWNER_ROLE}'::regrole
      and typtype in ('d', 'e') or (typtype = 'c' and typnamespace::regnamespace::text in ('public', 'graphile_worker')
        and typowner <> '${OWNER_ROLE}'::regrole
        and exists (select from pg_class where oid = typrelid and relkind = 'c'))
  loop
    execute v_statement;
  end loop;
end $$`
