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
import type { HomeRead, MemberMachines } from './member-machines.ts'
import { MEMBER_VIEWS, TABLE_CLASSES, type TableClass } from './table-classes.ts'
import type { DB } from './types.gen.ts'

/** Commits on all machines, and not while a snapshot of all of them is taken (cut.ts). */
const COMMIT = `select pg_advisory_xact_lock_shared(${COMMITTING_LOCK}), public.commit_together(); commit`

/** The databases that reads outside transactions ask past the planner of Citus. */
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

/** Commits on all machines or on none, the coordinator among them. */
class DistributedDriver extends PostgresDriver {
  /** The connections with a transaction that only reads: it needs no commit in two phases, nor the right to ask for one. */
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

/** Returns the ways past Citus that a read has: none in a transaction, and on one machine. */
function directOf(db: Kysely<DB>): Direct | undefined {
  const { adapter } = db.getExecutor()
  return !db.isTransaction && adapter instanceof DistributedAdapter ? adapter.direct : undefined
}

/** Returns the database for a read of no distributed table, which Citus then does not plan for each call. */
export const coordinatorOf = (db: Kysely<DB>): Kysely<DB> => directOf(db)?.coordinator ?? db

/**
 * Reads members' rows on the machine of each of their shards, without the coordinator. In a transaction, on one machine, and while a machine
 * cannot be reached, it is `read.otherwise`.
 */
export function readAtHome<Row>(
  db: Kysely<DB>,
  memberIds: readonly bigint[],
  read: HomeRead<Row>,
): Promise<readonly Row[]> {
  return directOf(db)?.machines.read(db, memberIds, read) ?? read.otherwise(memberIds)
}

/** Where the tables of a statement stand: on the coordinator, with their member, or both. */
export type Place = 'coordinator' | 'members' | 'both'

const anyOf = (names: readonly string[]) => new RegExp(`\\b(${names.join('|')})\\b`)
const tablesOf = (kind: TableClass) =>
  Object.keys(TABLE_CLASSES).filter((table) => TABLE_CLASSES[table] === kind)
const COORDINATORS = anyOf(tablesOf('coordinator'))
const MEMBERS = anyOf([...tablesOf('distributed'), ...MEMBER_VIEWS])
const VIEWS = anyOf(MEMBER_VIEWS)

/** Returns where the tables that a statement names stand. A name in another meaning makes it `both`, which is always right. */
export function placeOf(text: string): Place {
  if (!MEMBERS.test(text)) return 'coordinator'
  return COORDINATORS.test(text) ? 'both' : 'members'
}

/** Returns whether a statement names a view of members' rows, of which a shard has none. */
export const namesView = (text: string): boolean => VIEWS.test(text)

/**
 * Returns an id that a query of the coordinator's tables finds, for a statement about members' rows: the query itself where all stand on
 * one machine, and otherwise what it has found.
 */
export async function idOf(db: Kysely<DB>, query: RawBuilder<bigint>): Promise<RawBuilder<bigint>> {
  if (!spansMachines(db)) return sql<bigint>`(${query})`
  const { rows } = await sql<{ id: bigint | null }>`select (${query}) as id`.execute(db)
  return sql<bigint>`${rows[0]!.id}::bigint`
}
