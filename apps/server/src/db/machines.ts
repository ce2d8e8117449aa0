import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type RawBuilder,
  sql,
  type TransactionSettings,
} from 'kysely'
import { COMMITTING_LOCK } from './cut.ts'
import type { HomeRead, HomeWrite, MachineState, MemberMachines } from './member-machines.ts'
import type { DB } from './types.gen.ts'

/** Commits on all machines, but not while a snapshot of all of them is taken (cut.ts). */
const COMMIT = `select pg_advisory_xact_lock_shared(${COMMITTING_LOCK}), public.commit_together(); commit`

/** The databases that reads outside transactions query directly, bypassing the planner of Citus. */
export interface Direct {
  /** The coordinator, for its own tables and its copies of reference tables. */
  readonly coordinator: Kysely<DB>
  readonly machines: MemberMachines
}

/** Marks the database, and its transactions, as distributed over several machines. */
class DistributedAdapter extends PostgresAdapter {
  readonly direct: Direct | undefined

  constructor(direct: Direct | undefined) {
    super()
    this.direct = direct
  }
}

/** Marks the database of a machine of members, and its transactions. */
class HomeAdapter extends PostgresAdapter {
  readonly coordinator: Kysely<DB>

  constructor(coordinator: Kysely<DB>) {
    super()
    this.coordinator = coordinator
  }
}

/** Returns the dialect of one database: with a coordinator, that of a members' machine. */
export function createOneDialect(config: PostgresDialectConfig, coordinator?: Kysely<DB>): PostgresDialect {
  const dialect = new PostgresDialect(config)
  if (coordinator) dialect.createAdapter = () => new HomeAdapter(coordinator)
  return dialect
}

/** Commits on all machines, including the coordinator, or on none. */
class DistributedDriver extends PostgresDriver {
  /**
   * The connections with a read-only transaction, which needs neither a two-phase commit nor the right to it.
   */
  readonly #reading = new WeakSet<DatabaseConnection>()

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.accessMode === 'read only') this.#reading.add(connection)
    else this.#reading.delete(connection)
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#reading.has(connection)) return super.commitTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw(COMMIT))
  }
}

/** The dialect of a distributed database. */
export class DistributedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #direct: Direct | undefined

  constructor(config: PostgresDialectConfig, direct?: Direct) {
    super(config)
    this.#config = config
    this.#direct = direct
  }

  override createDriver(): PostgresDriver {
    return new DistributedDriver(this.#config)
  }

  override createAdapter(): PostgresAdapter {
    return new DistributedAdapter(this.#direct)
  }
}

/** Returns whether a database or transaction is distributed over several machines. */
export const spansMachines = (db: Kysely<DB>): boolean =>
  db.getExecutor().adapter instanceof DistributedAdapter

/** Returns the direct ways that a read can use: none in a transaction, and none on one machine. */
function directOf(db: Kysely<DB>): Direct | undefined {
  const { adapter } = db.getExecutor()
  return !db.isTransaction && adapter instanceof DistributedAdapter ? adapter.direct : undefined
}

/** Returns whether this is a transaction on its member's machine, which has no tables of the coordinator. */
export const isAtHome = (db: Kysely<DB>): boolean => db.getExecutor().adapter instanceof HomeAdapter

/**
 * Returns whether this is a database or transaction of a cluster, where a statement about rows of several
 * members may have to be split.
 */
export const isOfCluster = (db: Kysely<DB>): boolean => spansMachines(db) || isAtHome(db)

/**
 * Returns the database for reads of tables that are not distributed, which Citus then does not plan for each
 * call.
 */
export function coordinatorOf(db: Kysely<DB>): Kysely<DB> {
  const { adapter } = db.getExecutor()
  return adapter instanceof HomeAdapter ? adapter.coordinator : (directOf(db)?.coordinator ?? db)
}

/**
 * Runs a transaction about members of one machine on that machine; on one machine, or if it cannot be
 * reached, runs `write.otherwise`.
 */
export function writeAtHome<T>(
  db: Kysely<DB>,
  memberIds: readonly bigint[],
  write: HomeWrite<T>,
): Promise<T> {
  return directOf(db)?.machines.write(db, memberIds, write) ?? write.otherwise()
}

/**
 * Reads members' rows on the machines of their shards, without the coordinator. In a transaction, on one
 * machine, or if a machine cannot be reached, runs `read.otherwise`.
 */
export function readAtHome<Row>(
  db: Kysely<DB>,
  memberIds: readonly bigint[],
  read: HomeRead<Row>,
): Promise<readonly Row[]> {
  return directOf(db)?.machines.read(db, memberIds, read) ?? read.otherwise(memberIds)
}

/** Asks the machines with members' rows whether they answer. Returns none if all tables are on one machine. */
export const machineStates = async (db: Kysely<DB>): Promise<readonly MachineState[]> =>
  directOf(db)?.machines.states(db) ?? []

/**
 * Returns an id found by a query of the coordinator's tables, for use in a statement about members' rows: the
 * query itself if all tables are on one machine, otherwise its result.
 */
export async function idOf(db: Kysely<DB>, query: RawBuilder<bigint>): Promise<RawBuilder<bigint>> {
  if (!isOfCluster(db)) return sql<bigint>`(${query})`
  const { rows } = await sql<{ id: bigint | null }>`select (${query}) as id`.execute(coordinatorOf(db))
  return sql<bigint>`${rows[0]!.id}::bigint`
}
