import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'
import { withConnection } from './connection.ts'
import type { Db } from './database.ts'
import {
  checkLogins,
  distributeTables,
  isDistributed,
  type Placement,
  placementOf,
  prepareSession,
  type RoleLogin,
} from './distribute.ts'
import { migrateJobQueue } from './job-queue.ts'
import { grantRights } from './roles.ts'

/**
 * The product's migrations: `apps/server/migrations`. A released migration is never edited; a later one that changes a
 * function contains the whole function.
 */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The key of the advisory lock that all migrating processes take. */
const MIGRATION_LOCK = 7_243_001

/** The key of the advisory lock that `rif migrate` holds while it changes the schema, and for a moment before. */
const CHANGING_LOCK = 7_243_002
/** Returned by processes while that lock is held. */
const BEING_MIGRATED = 'is being migrated'

/**
 * The limits of a migration. Other statements queue behind a statement that waits for a lock, so it gives up
 * soon and is retried, until `patienceMs` have passed.
 */
const LIMITS = { statementMs: 1_800_000, lockMs: 2_000, idleInTxMs: 60_000 }
const PATIENCE_MS = 60_000
const PAUSE_MS = 500
/** lock_not_available */
const LOCKED = '55P03'

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

const REMEDY = 'use the version that migrated the database, or an empty database (locally, a new DATA_DIR)'

const HELD =
  'waited for a lock that somebody holds: end the long transaction (pg_stat_activity shows it), then run it again'

type Migration = { version: string; name: string; sql: string; checksum: string }

/** A migration that a database lacks. */
export type PendingMigration = Pick<Migration, 'name' | 'sql'>

export type MigrateOptions = {
  /** The owner's login. */
  url: string
  dir?: string
  /**
   * Called with the migrations that the database lacks, if any, before the first is applied. Whatever it throws stops the run. Returns
   * for how long running processes are told before, in milliseconds.
   */
  before?: (client: pg.Client, pending: readonly PendingMigration[]) => Promise<number>
  /** The wait for one lock and for all attempts, in milliseconds. */
  lockMs?: number
  patienceMs?: number
}

export type Migrated = {
  /** The names of the product's migrations that were applied. */
  readonly applied: readonly string[]
  /** The roles of the application that do not exist and that the owner may not create. */
  readonly missingRoles: readonly string[]
  /** The distribution of the tables, if they are distributed over several machines. */
  readonly placement: Placement | undefined
}

/**
 * Applies the migrations of the job queue (schema graphile_worker) and then those of the product that the
 * database lacks, in order, each in its own transaction, and then grants the application's roles their
 * rights. `url` is the owner's login. Processes that start together wait for each other. Throws StartError
 * for a database that another version of the product migrated, with files that are missing or different here,
 * and if a lock is held for too long.
 */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const migrations = await readMigrations(options.dir ?? MIGRATIONS_DIR)
  const { lockMs = LIMITS.lockMs, patienceMs = PATIENCE_MS } = options
  const patiently: Patiently = (what, work) => retryLocked(what, work, patienceMs)
  const run = async (client: pg.Client): Promise<Migrated> => {
    await patiently('another process that migrates the database', () =>
      client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]),
    )
    await client.query(`create table if not exists schema_migrations (
      version text primary key, name text not null, checksum text not null, applied_at timestamptz not null)`)
    const pending = await findPending(client, migrations)
    if (pending.length > 0) {
      const toldMs = (await options.before?.(client, pending)) ?? 0
      await client.query('select pg_advisory_lock($1)', [CHANGING_LOCK])
      await sleep(toldMs)
    }
    const isSpread = await isDistributed(client)
    if (isSpread) await prepareSession(client)
    await patiently('the migration of the job queue', () => migrateJobQueue(options.url))
    for (const migration of pending)
      await patiently(`migration ${migration.name}`, () => apply(client, migration))
    if (isSpread) await distributeTables(client, () => undefined)
    const missingRoles = await patiently('the rights of the logins', () =>
      grantRights(client, { isDistributed: isSpread }),
    )
    return {
      applied: pending.map((migration) => migration.name),
      missingRoles,
      placement: isSpread ? await placementOf(client) : undefined,
    }
  }
  return withConnection(options.url, run, { applicationName: 'rif-migrate', limits: { ...LIMITS, lockMs } })
}

/**
 * Distributes a migrated database over the machines of its Citus cluster and returns the distribution of the
 * tables. `report` receives each step. A killed run is continued by the next. Throws StartError without
 * Citus, if migrations are missing, and if one of `logins` cannot log in between machines.
 */
export async function distribute(
  options: Pick<MigrateOptions, 'url'> & {
    report: (step: string) => void
    logins?: readonly RoleLogin[]
  },
): Promise<Placement> {
  const migrations = await readMigrations(MIGRATIONS_DIR)
  const run = async (client: pg.Client): Promise<Placement> => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const { rows } = await client.query<{ isKnown: boolean }>(
      `select to_regclass('schema_migrations') is not null as "isKnown"`,
    )
    if (!rows[0]?.isKnown || (await findPending(client, migrations)).length > 0)
      throw new StartError('the database is not migrated to this version: run `rif migrate` first')
    await distributeTables(client, options.report)
    await grantRights(client, { isDistributed: true })
    await checkLogins(client, options.logins ?? [])
    return placementOf(client)
  }
  return withConnection(options.url, run, {
    applicationName: 'rif-distribute',
    limits: { ...LIMITS, lockMs: PATIENCE_MS },
  })
}

type Patiently = <T>(what: string, work: () => Promise<T>) => Promise<T>

/** Repeats work without effects while a lock that it needs is held. Throws StartError after `patienceMs`. */
async function retryLocked<T>(what: string, work: () => Promise<T>, patienceMs: number): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== LOCKED) throw error
      if (performance.now() > deadline) throw new StartError(`${what} ${HELD}`, { cause: error })
      await sleep(PAUSE_MS)
    }
  }
}

/** Returns the PostgreSQL error code of an error or of its cause. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code ?? (cause === undefined || cause === null ? undefined : codeOf(cause))
}

/** Returns the names of the migrations that a database lacks. Throws StartError for a schema that this version does not know. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const { pending, unknown } = await schemaState(db)
  if (unknown !== undefined) throw new StartError(unknown)
  return pending
}

/** Returns in one line why this version cannot work with a database's schema, or soon cannot; null if it can. */
export async function schemaProblem(db: Db): Promise<string | null> {
  const { pending, unknown, isChanging } = await schemaState(db)
  if (unknown !== undefined) return unknown
  if (isChanging) return BEING_MIGRATED
  return pending.length === 0 ? null : `lacks migrations: ${pending.join(', ')}`
}

/** The state of a schema for this version of the product. */
export interface SchemaState {
  /** The names of the migrations that it lacks. */
  readonly pending: readonly string[]
  /** Why this version does not know it, in one line. */
  readonly unknown: string | undefined
  /** True while `rif migrate` changes it, and in the moment before. */
  readonly isChanging: boolean
}

/** Compares the schema of a database with the migrations of this version. */
export async function schemaState(db: Db): Promise<SchemaState & { pending: string[] }> {
  const { rows } = await sql<AppliedMigration & { isChanging: boolean }>`
    select version, name, checksum, exists (
      select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${CHANGING_LOCK} and granted
        and database = (select oid from pg_database where datname = current_database())) as "isChanging"
    from schema_migrations order by version`.execute(db)
  const migrations = await ownMigrations()
  return {
    pending: migrations.slice(rows.length).map(({ name }) => name),
    unknown: unknownIn(rows, migrations),
    isChanging: rows[0]?.isChanging ?? false,
  }
}

/** The migrations of this version, which do not change while it runs. */
let ownFiles: Promise<Migration[]> | undefined
function ownMigrations(): Promise<Migration[]> {
  ownFiles ??= readMigrations(MIGRATIONS_DIR)
  return ownFiles
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const version = FILE_NAME.exec(name)?.[1]
      if (!version) throw new StartError(`migration ${name} is not named like 0001_ledger.sql`)
      const sql = await readFile(`${dir}/${name}`, 'utf8')
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const unknown = unknownIn(rows, migrations)
  if (unknown !== undefined) throw new StartError(`${unknown}; ${REMEDY}`)
  return migrations.slice(rows.length)
}

/** Returns in one line why applied migrations are not the first of these; undefined if they are. */
function unknownIn(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): string | undefined {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index]
    if (migration?.version !== row.version)
      return `the database has the migration ${row.name}, which this version does not know`
    if (migration.checksum !== row.checksum)
      return `migration ${migration.name} was changed after it had been applied`
  }
  return undefined
}

/**
 * Splits a migration into its statements. A statement ends at a line that ends with `;`, outside a function's body, which
 * is in `$$` or between `begin atomic` and `end;`. Citus runs some DDL on the other machines with the text of its message,
 * which must be a single statement.
 */
export function statementsOf(migration: string): string[] {
  const statements: string[] = []
  let lines: string[] = []
  let body: '$$' | 'atomic' | undefined
  for (const line of migration.split('\n')) {
    lines.push(line)
    if (body !== 'atomic' && line.split('$$').length % 2 === 0) body = body ? undefined : '$$'
    else if (body === undefined && line === 'begin atomic') body = 'atomic'
    else if (body === 'atomic' && line === 'end;') body = undefined
    if (body !== undefined || !line.endsWith(';')) continue
    statements.push(lines.join('\n'))
    lines = []
  }
  return [...statements, lines.join('\n')].filter((statement) => statement.trim() !== '')
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of statementsOf(migration.sql)) await client.query(statement)
    await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.checksum,
      new Date(),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new StartError(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
