import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'
import {
  checkLogins,
  distributeTables,
  isDistributed,
  type Placement,
  placementOf,
  prepareSession,
  type RoleLogin,
} from './citus/distribute.ts'
import { withConnection } from './connection.ts'
import type { Db } from './database.ts'
import { migrateJobQueue } from './job-queue.ts'
import { ensureRoles, grantRights } from './roles.ts'
import {
  readSchema,
  SCHEMA_DIR,
  type Schema,
  type SchemaFile,
  type SchemaStep,
  statementsOf,
} from './schema-files.ts'

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

const REMEDY = 'use the version that migrated the database, or an empty database (locally, a new DATA_DIR)'

const HELD =
  'waited for a lock that somebody holds: end the long transaction (pg_stat_activity shows it), then run it again'

/** A step that a database lacks. */
export type PendingStep = Pick<SchemaStep, 'name' | 'files'>

export type MigrateOptions = {
  /** The owner's login. */
  url: string
  dir?: string
  /**
   * Called with the steps that the database lacks, if any, before the first is applied. Whatever it throws stops the run. Returns
   * for how long running processes are told before, in milliseconds.
   */
  before?: (client: pg.Client, pending: readonly PendingStep[]) => Promise<number>
  /** The wait for one lock and for all attempts, in milliseconds. */
  lockMs?: number
  patienceMs?: number
}

export type Migrated = {
  /** The names of the product's steps that were applied. */
  readonly applied: readonly string[]
  /** The roles of the application that do not exist and that the owner may not create. */
  readonly missingRoles: readonly string[]
  /** The distribution of the tables, if they are distributed over several machines. */
  readonly placement: Placement | undefined
}

/**
 * Applies the migrations of the job queue (schema graphile_worker) and then what the database lacks of the product's schema: the tables
 * and migrations in order, each step in its own transaction. When a text of the functions, views and triggers has changed, they are
 * created anew with the rights of the application's roles, in one transaction. `url` is the owner's login. Processes that start together
 * wait for each other. Throws StartError for a database that another version of the product migrated, with files that are missing or
 * different here, and if a lock is held for too long.
 */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const schema = await readSchema(options.dir ?? SCHEMA_DIR)
  const { lockMs = LIMITS.lockMs, patienceMs = PATIENCE_MS } = options
  const patiently: Patiently = (what, work) => retryLocked(what, work, patienceMs)
  const run = async (client: pg.Client): Promise<Migrated> => {
    await patiently('another process that migrates the database', () =>
      client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]),
    )
    await client.query(`create table if not exists schema_migrations (
      version text primary key, name text not null, checksum text not null, applied_at timestamptz not null)`)
    const pending = await findPending(client, schema)
    if (pending.length > 0) {
      const toldMs = (await options.before?.(client, pending)) ?? 0
      await client.query('select pg_advisory_lock($1)', [CHANGING_LOCK])
      await sleep(toldMs)
    }
    const isSpread = await isDistributed(client)
    if (isSpread) await prepareSession(client)
    await patiently('the migration of the job queue', () => migrateJobQueue(options.url))
    const missingRoles = await ensureRoles(client)
    const grant = () => grantRights(client, { missingRoles, isDistributed: isSpread })
    const once = pending.filter((step) => step !== schema.functions)
    if (once.length > 0)
      await patiently('the functions of checks', () =>
        inTransaction(client, () => runFiles(client, schema.checks)),
      )
    for (const step of once)
      await patiently(`migration ${step.name}`, () => apply(client, step, () => runFiles(client, step.files)))
    for (const step of pending.filter((step) => step === schema.functions))
      await patiently(`migration ${step.name}`, () =>
        apply(client, step, async () => {
          await client.query(DROP_FUNCTIONS)
          await runFiles(client, step.files)
          await grant()
        }),
      )
    if (isSpread) await distributeTables(client, () => undefined)
    await patiently('the rights of the logins', () => inTransaction(client, grant))
    return {
      applied: pending.map((step) => step.name),
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
  const schema = await readSchema(SCHEMA_DIR)
  const run = async (client: pg.Client): Promise<Placement> => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const { rows } = await client.query<{ isKnown: boolean }>(
      `select to_regclass('schema_migrations') is not null as "isKnown"`,
    )
    if (!rows[0]?.isKnown || (await findPending(client, schema)).length > 0)
      throw new StartError('the database is not migrated to this version: run `rif migrate` first')
    await distributeTables(client, options.report)
    const missingRoles = await ensureRoles(client)
    await inTransaction(client, () => grantRights(client, { missingRoles, isDistributed: true }))
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

/** Returns the names of the steps that a database lacks. Throws StartError for a schema that this version does not know. */
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
  /** The names of the steps that it lacks. Functions of another version, older or newer, are among them. */
  readonly pending: readonly string[]
  /** Why this version does not know it, in one line. */
  readonly unknown: string | undefined
  /** True while `rif migrate` changes it, and in the moment before. */
  readonly isChanging: boolean
}

/** Compares the schema of a database with that of this version. */
export async function schemaState(db: Db): Promise<SchemaState & { pending: string[] }> {
  const { rows } = await sql<AppliedStep & { isChanging: boolean }>`
    select version, name, checksum, exists (
      select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${CHANGING_LOCK} and granted
        and database = (select oid from pg_database where datname = current_database())) as "isChanging"
    from schema_migrations order by version`.execute(db)
  const { pending, unknown } = compare(rows, await ownSchema())
  return { pending: pending.map(({ name }) => name), unknown, isChanging: rows[0]?.isChanging ?? false }
}

/** The schema of this version, which does not change while it runs. */
let ownFiles: Promise<Schema> | undefined
function ownSchema(): Promise<Schema> {
  ownFiles ??= readSchema(SCHEMA_DIR)
  return ownFiles
}

type AppliedStep = Pick<SchemaStep, 'version' | 'name' | 'checksum'>

async function findPending(client: pg.Client, schema: Schema): Promise<SchemaStep[]> {
  const { rows } = await client.query<AppliedStep>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const { pending, unknown } = compare(rows, schema)
  if (unknown !== undefined) throw new StartError(`${unknown}; ${REMEDY}`)
  return pending
}

/**
 * Returns the steps that a database lacks, and in one line why the applied ones are not the first of this schema; undefined if they are.
 */
function compare(
  applied: readonly AppliedStep[],
  { once, functions }: Schema,
): { pending: SchemaStep[]; unknown: string | undefined } {
  const isFunctions = ({ version }: AppliedStep) => version === functions?.version
  const done = applied.filter((row) => !isFunctions(row))
  const hasFunctions = applied.some((row) => isFunctions(row) && row.checksum === functions?.checksum)
  const missing = once.slice(done.length)
  // A migration may drop a view or a trigger that is in its way, so they are created anew after it.
  const pending = functions && (!hasFunctions || missing.length > 0) ? [...missing, functions] : missing
  for (const [index, row] of done.entries()) {
    const step = once[index]
    if (step?.version !== row.version)
      return {
        pending,
        unknown: `the database has the migration ${row.name}, which this version does not know`,
      }
    if (step.checksum !== row.checksum)
      return { pending, unknown: `migration ${step.name} was changed after it had been applied` }
  }
  return { pending, unknown: undefined }
}

/**
 * Drops the triggers, the views, and the functions that no table needs, which are created anew; what is in no file any more is gone then.
 * A function that a check, a default or an index calls stays, and is replaced.
 */
const DROP_FUNCTIONS = `
do $$
declare
  v_statement text;
begin
  for v_statement in
    with recursive needed (id) as (
      select refobjid from pg_depend where refclassid = 'pg_proc'::regclass
        and classid in ('pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_class'::regclass)
      union
      select d.refobjid from needed join pg_depend as d on d.classid = 'pg_proc'::regclass and d.objid = needed.id
        and d.refclassid = 'pg_proc'::regclass
    )
    select format('drop trigger if exists %I on %s', tgname, tgrelid::regclass) from pg_trigger as t
      join pg_class as c on c.oid = tgrelid where c.relnamespace = 'public'::regnamespace and not tgisinternal
    union all
    select format('drop view if exists %s cascade', oid::regclass) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'v' and pg_has_role(relowner, 'usage')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
      where pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'usage') and oid not in (select id from needed)
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  loop
    execute v_statement;
  end loop;
end $$`

/** Applies a step in one transaction and records it. */
async function apply(
  client: pg.Client,
  { version, name, checksum }: SchemaStep,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await work()
      await client.query(
        `insert into schema_migrations values ($1, $2, $3, $4)
         on conflict (version) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`,
        [version, name, checksum, new Date()],
      )
    })
  } catch (error) {
    throw new StartError(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function runFiles(client: pg.Client, files: readonly SchemaFile[]): Promise<void> {
  for (const file of files) {
    for (const statement of statementsOf(file.sql)) await client.query(statement)
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
