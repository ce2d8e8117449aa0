import pg from 'pg'
import type { Config } from '../config.ts'
import { withConnection } from '../db/connection.ts'
import { migrate, type PendingStep } from '../db/migrate.ts'
import { locksOf } from '../db/migration-locks.ts'
import { APP_ROLE, READ_ROLE } from '../db/roles.ts'
import { StartError } from '../lib/start-error.ts'
import { checkDatabase, databasePlaceOf } from './database.ts'
import { placementText } from './distribute.ts'
import { usageOf } from './usage.ts'

const WHILE_CONNECTED = '--while-connected'
/** The time in which proxies notice that connected processes are not ready, and standing work ends. */
const TOLD_BEFORE_MS = 10_000

/** Errors of PostgreSQL: insufficient_privilege, and an unknown login or a wrong password. */
const FORBIDDEN = '42501'
const LOGIN_FAILS = new Set(['28000', '28P01'])

/**
 * Runs `rif migrate`: migrates the database to this version with the owner's login (MIGRATION_DATABASE_URL),
 * and creates the logins of DATABASE_URL and SIGNER_DATABASE_URL. Prints first what each step locks. Returns 1 and prints the
 * statements for an administrator if the owner may not create roles. Throws StartError while processes of the product are connected,
 * unless `--while-connected` says that they may fail: they are told a moment before.
 */
export async function runMigrate(config: Config, args: readonly string[] = []): Promise<number> {
  const [option, ...others] = args
  if ((option !== undefined && option !== WHILE_CONNECTED) || others.length > 0)
    throw new StartError(usageOf('migrate'))
  const { databaseUrl, migrationDatabaseUrl, signerDatabaseUrl } = config
  const ownerUrl = migrationDatabaseUrl ?? databaseUrl
  if (!ownerUrl)
    throw new StartError(
      'migrate needs MIGRATION_DATABASE_URL, the login of the owner; rif start migrates the local database',
    )
  await checkDatabase(ownerUrl, migrationDatabaseUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL')
  const before = async (client: pg.Client, pending: readonly PendingStep[]) => {
    for (const line of await lockLines(client, pending)) print(line)
    const connected = await connectedLogins(client)
    if (connected.length === 0) return 0
    if (option !== WHILE_CONNECTED)
      throw new StartError(
        `the product is connected (${connected.join(', ')}), and fails while its tables change: stop its processes first, or run \`rif migrate ${WHILE_CONNECTED}\``,
      )
    print(`telling ${connected.join(', ')}`)
    return TOLD_BEFORE_MS
  }
  const { applied, missingRoles, placement } = await migrate({ url: ownerUrl, before }).catch(
    (error: unknown) => {
      if (migrationDatabaseUrl !== undefined || (error as pg.DatabaseError).code !== FORBIDDEN) throw error
      throw new StartError(
        `the login of DATABASE_URL may not migrate (${(error as Error).message}): set MIGRATION_DATABASE_URL to the owner's login`,
        { cause: error },
      )
    },
  )
  print(applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date')
  if (placement !== undefined) print(placementText(placement))
  const left = missingRoles.map((role) => `create role ${role} login password '...';`)
  const logins = [
    { setting: 'DATABASE_URL', url: databaseUrl, role: APP_ROLE },
    { setting: 'SIGNER_DATABASE_URL', url: signerDatabaseUrl, role: READ_ROLE },
  ].flatMap(({ url, ...login }) => (url === undefined || url === ownerUrl ? [] : [{ ...login, url }]))
  if (missingRoles.length === 0) {
    for (const login of logins) left.push(...(await provideLogin(ownerUrl, login)))
  }
  if (left.length === 0) {
    for (const { url, setting } of logins) await checkDatabase(url, setting)
    return 0
  }
  print(
    [
      `the login of ${databasePlaceOf(ownerUrl)} may not create roles. Let an administrator of the server run this, then run`,
      '`rif migrate` again:',
      ...left.map((statement) => `  ${statement}`),
    ].join('\n'),
  )
  return 1
}

/** Returns a line for each step: the tables that it locks, their rows, and what waits for it. */
async function lockLines(client: pg.Client, pending: readonly PendingStep[]): Promise<string[]> {
  const lines: string[] = []
  for (const { name, files } of pending) {
    const locks = await locksOf(client, files.map(({ sql }) => sql).join('\n'))
    const tables = locks.map(({ table, rows, waiting }) => `${table} (${rows} rows, ${waiting} wait)`)
    lines.push(`${name} ${tables.length > 0 ? `locks ${tables.join(', ')}` : 'locks no table'}`)
  }
  return lines
}

/**
 * Returns the connections of the product's processes to this database, as login and number: those of the application's logins, and
 * those that carry the product's name under the owner's.
 */
async function connectedLogins(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ login: string; count: number }>(
    `select a.usename as login, count(*)::int as count from pg_stat_activity as a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.usename is not null
      and a.application_name is distinct from 'rif-migrate'
      and (a.application_name like 'rif%' or a.usename <> session_user and exists (
        select from pg_roles as r join pg_roles as login on login.rolname = a.usename and not login.rolsuper
        where r.rolname in ($1, $2) and pg_has_role(login.oid, r.oid, 'member')))
    group by a.usename order by a.usename`,
    [APP_ROLE, READ_ROLE],
  )
  return rows.map(({ login, count }) => `${login} x${count}`)
}

/**
 * Lets the login of `url` act as `role`: the role itself gets the password of the URL, and another login is
 * created if needed and becomes a member of the role. Returns the statements that the owner may not run,
 * without the password.
 */
async function provideLogin(
  ownerUrl: string,
  { url, role }: { url: string; role: string },
): Promise<string[]> {
  const { username, password } = new URL(url)
  const name = decodeURIComponent(username)
  return withConnection(ownerUrl, async (client) => {
    const secret = client.escapeLiteral(decodeURIComponent(password))
    const left: string[] = []
    for (const statement of await statementsFor(client, { name, role, logsIn: await canLogIn(url) })) {
      try {
        await client.query(statement.replace("'...'", secret))
      } catch (error) {
        if ((error as pg.DatabaseError).code !== FORBIDDEN) throw error
        left.push(statement)
      }
    }
    return left
  })
}

async function statementsFor(
  client: pg.Client,
  { name, role, logsIn }: { name: string; role: string; logsIn: boolean },
): Promise<string[]> {
  const login = client.escapeIdentifier(name)
  if (name === role) {
    return logsIn ? [] : [`alter role ${login} login password '...';`]
  }
  const { rows } = await client.query<{ member: boolean }>(
    "select pg_has_role(oid, $2, 'usage') as member from pg_roles where rolname = $1",
    [name, role],
  )
  const [membership] = rows
  if (membership === undefined) return [`create role ${login} login password '...' in role ${role};`]
  return membership.member ? [] : [`grant ${role} to ${login};`]
}

/** Returns whether the login of an address exists with its password. */
async function canLogIn(url: string): Promise<boolean> {
  try {
    await withConnection(url, async () => undefined)
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && LOGIN_FAILS.has(error.code ?? '')) return false
    throw error
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
