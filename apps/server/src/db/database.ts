import { setTimeout as sleep } from 'node:timers/promises'
import { type AccessMode, Kysely, sql } from 'kysely'
import pg from 'pg'
import { notingChanges } from './changes.ts'
import { columnTypes } from './column-types.ts'
import { sessionOptions } from './connection.ts'
import { COMMITTING_LOCK, inCut } from './cut.ts'
import { executeWithNext } from './held.ts'
import {
  currentScope,
  type Home,
  isForCalls,
  LANE_LIMITS,
  LANES,
  type Lane,
  type LaneLimits,
  laneSizes,
  withinTx,
} from './lanes.ts'
import { createOneDialect, type Direct, DistributedDialect, spansMachines, writeAtHome } from './machines.ts'
import { areSpread, isBeside, MemberMachines, NotHere, type Shard } from './member-machines.ts'
import { watchOutages } from './outage.ts'
import { createPreparedPool } from './prepared-pool.ts'
import type { SentStatement } from './sender.ts'
import { NotShared } from './shared-tx.ts'
import { createSharedTransactions, type SharedTransactions } from './sharing.ts'
import type { DB } from './types.gen.ts'
import { DatabaseUnavailable, isShardMissing } from './unavailable.ts'

/** A database or transaction to run queries on. */
export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  /** The maximum number of connections. */
  max: number
  /**
   * Divides the connections into the lanes of a server; otherwise there is one pool, by default with the
   * limits of background work.
   */
  hasLanes?: boolean
  /** The limits of that one pool. */
  limitsOf?: Lane
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** A role with fewer rights than the connecting one (the running server: rif_app). */
  role?: string
  /** True if the tables are distributed over several machines. */
  isDistributed?: boolean
  /** One of these machines, for statements about its own tables. */
  machine?: MachineOptions
  /** Receives the text of each statement. */
  onStatement?: (text: string) => void
  /** Receives the statements of each message, which is one round trip. */
  onMessage?: (statements: readonly SentStatement[]) => void
}

/** The use of a cluster machine by statements about its own tables. */
export type MachineOptions = {
  /** Returns the text to send for a statement. */
  ownText(text: string): string
  /**
   * The coordinator, which transactions on a members' machine read. Without it, the machine is the
   * coordinator.
   */
  coordinator?: Db
}

export type Database = {
  db: Db
  /** The pool of background work. */
  pool: pg.Pool
  pools: Readonly<Record<Lane, pg.Pool>>
  close(): Promise<void>
}

/** The limit for connecting, so that on a slow network the next caller gets the connection. */
const CONNECTING_MS = 10_000
/** The interval at which PostgreSQL checks that the client of a running statement is still connected. */
const CONNECTION_CHECK_MS = 500
const MAX_ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/**
 * deadlock_detected, serialization_failure, and a day that was settled while the transaction waited: the
 * transaction had no effect and can be repeated.
 */
const RETRYABLE = new Set(['40P01', '40001', 'RL005'])

/**
 * Returns the settings of every connection. The product's statements look up rows by key, so one plan fits
 * all values. By default PostgreSQL plans a statement with an array of ids every time, at ten times the cost
 * of executing it. Citus needs the values to plan a statement on several machines, and refuses it without
 * them (`limit $1`); direct statements on a machine do not need values.
 */
const settingsOf = ({ role, isDistributed, machine }: DatabaseOptions, limits: LaneLimits): string =>
  sessionOptions(limits, {
    plan_cache_mode: isDistributed && !machine ? 'auto' : 'force_generic_plan',
    // Otherwise a transaction that read several shards at once may not write to a reference table.
    ...(isDistributed && { 'citus.multi_shard_modify_mode': 'sequential' }),
    client_connection_check_interval: CONNECTION_CHECK_MS,
    ...(role && { role }),
  })

/** A connection that gives up connecting before the pool gives up waiting for it. */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECTING_MS })
  }
}

function createPool(options: DatabaseOptions, lane: Lane, max: number): pg.Pool {
  const { url, applicationName } = options
  const limits = LANE_LIMITS[lane]
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    // The pool includes its queue in this limit, which must therefore exceed the lane's wait.
    connectionTimeoutMillis: limits.connectMs + CONNECTING_MS,
    Client: Connection,
    keepAlive: true,
    types: columnTypes,
    options: settingsOf(options, limits),
  })
  // The pool replaces a connection that breaks while idle. A connection that breaks in use fails its query and also emits
  // an error event, which must not end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function createPools(options: DatabaseOptions): Readonly<Record<Lane, pg.Pool>> {
  const only = options.hasLanes ? undefined : createPool(options, options.limitsOf ?? 'work', options.max)
  const sizes = laneSizes(options.max)
  const poolOf = (lane: Lane) => only ?? createPool(options, lane, sizes[lane])
  return Object.fromEntries(LANES.map((lane) => [lane, poolOf(lane)])) as Record<Lane, pg.Pool>
}

/** Creates the pools of connections. The first query of each connects. */
export function createDatabase(options: DatabaseOptions): Database {
  const pools = createPools(options)
  // Not a connection of a lane, because it must not wait for a slow one.
  const watchPool = options.hasLanes ? createPool(options, 'health', 1) : undefined
  async function end(): Promise<void> {
    watch?.stop()
    const all = new Set([...Object.values(pools), ...(watchPool ? [watchPool] : [])])
    const open = [...all].filter((pool) => !pool.ending)
    await Promise.all(open.map((pool) => pool.end()))
  }
  const connectInScope = async () => {
    const { lane } = currentScope()
    if (isForCalls(lane) && watch?.isAnswering() === false) throw new DatabaseUnavailable('does not answer')
    return connectWithin(pools[lane], LANE_LIMITS[lane].connectMs)
  }
  const { isDistributed = false, machine, onStatement, onMessage } = options
  const isBesideTx = machine !== undefined && machine.coordinator === undefined
  const prepared = createPreparedPool({
    connectInScope,
    end,
    onMessage,
    ownText: machine?.ownText,
    isBesideTx,
  })
  const watch = watchPool && watchOutages(watchPool, prepared.closeHeld)
  const direct = isDistributed && !machine ? openDirect(options) : undefined
  const config = { pool: prepared }
  const db = new Kysely<DB>({
    dialect: direct ? new DistributedDialect(config, direct) : createOneDialect(config, machine?.coordinator),
    ...(onStatement && { log: ({ query }) => onStatement(query.sql) }),
  })
  if (!isDistributed) shared.set(db, createSharedTransactions(prepared, onStatement))
  async function close(): Promise<void> {
    await direct?.close()
    await db.destroy()
    // Kysely does not end pools that it never used.
    await end()
  }
  return { db, pool: pools.work, pools, close }
}

/** Opens the machines of a cluster under the logins and limits of its coordinator. */
function openDirect(options: DatabaseOptions): Direct & { close(): Promise<void> } {
  const machines: MemberMachines = new MemberMachines({
    open(host, port) {
      const url = new URL(options.url)
      url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`
      const machine = { ownText: textAtHome, coordinator: coordinator.db }
      return createDatabase({ ...options, url: url.href, machine })
    },
  })
  const ownText = (text: string) => machines.inReferences(text)
  const coordinator = createDatabase({ ...options, machine: { ownText } })
  return {
    coordinator: coordinator.db,
    machines,
    async close() {
      await Promise.all([machines.close(), coordinator.close()])
    },
  }
}

/** Returns a statement with the tables of the shard for which a transaction is open. */
const textAtHome = (text: string): string => currentScope().home?.ownText(text) ?? text

/**
 * Takes a connection from a pool. Throws DatabaseUnavailable if there is none in time; a late connection
 * stays in the pool.
 */
async function connectWithin(pool: pg.Pool, ms: number): Promise<pg.PoolClient> {
  const connected = pool.connect()
  // The pool hands out idle connections in the next tick, one for each waiting caller.
  if (pool.idleCount >= pool.waitingCount) return connected
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const client = await Promise.race([connected, late]).finally(() => clearTimeout(timer))
  if (client !== undefined) return client
  connected.then((unused) => unused.release()).catch(() => undefined)
  throw new DatabaseUnavailable('has no free connection')
}

/**
 * Runs `fn` in one database transaction and returns its result. Inside an open transaction, `fn` joins it. A
 * transaction that lost a deadlock or a serialisation conflict is repeated a few times with growing pauses,
 * so `fn` must have no effect outside the database.
 */
export async function inTx<T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  return repeated(() =>
    notingChanges(db, (opened) => db.transaction().execute((dbTx) => withinTx(() => fn(opened(dbTx))))),
  )
}

/** The shared transactions of each database's operations. */
const shared = new WeakMap<Db, SharedTransactions>()

/** An operation about one member. */
export interface MemberOperation {
  readonly memberId: bigint
  /** Finds the other members in whose books `fn` posts. */
  readonly findOthers?: () => Promise<readonly bigint[]>
  /** True if `fn` writes tables of the coordinator, which the member's machine in a cluster does not have. */
  readonly needsCoordinator?: boolean
}

/**
 * Runs `fn`, which is about one member, as `inTx` does. On one machine, simultaneous operations share a
 * transaction; if it is rolled back, each runs again by itself. On a distributed database `fn` runs on the
 * member's machine, where a statement sees only the rows of the member's shard. If that machine cannot be
 * reached or lacks what `fn` needs, `fn` runs again in a transaction of the coordinator over all machines.
 */
export async function inMemberTx<T>(
  db: Db,
  { memberId, findOthers = async () => [], needsCoordinator = false }: MemberOperation,
  fn: (dbTx: Db, others?: readonly bigint[]) => Promise<T>,
): Promise<T> {
  const isJoined = spansMachines(db) ? !needsCoordinator : isForCalls(currentScope().lane)
  if (db.isTransaction || !isJoined) return inTx(db, (dbTx) => fn(dbTx))
  const others = await findOthers()
  if (!spansMachines(db)) return inSharedTx(db, [memberId, ...others], (dbTx) => fn(dbTx, others))
  return writeAtHome(db, [memberId, ...others], {
    async there(machine, shards, decide) {
      const home = homeOf([memberId, ...others], shards)
      const run = async (dbTx: Db) => {
        const ids = new Set(shards.filter((shard) => isBeside(shard, shards[0]!)).map(({ id }) => id))
        await executeWithNext(dbTx, sql`select hold_shard(shard) from unnest(${[...ids]}::bigint[]) as shard`)
        if (home.isSpread)
          await executeWithNext(dbTx, sql`select ledger_lock_spread(${[memberId, ...others]}::bigint[])`)
        const result = await fn(dbTx, others)
        if (home.isSpread)
          await executeWithNext(dbTx, sql`select pg_advisory_xact_lock_shared(${COMMITTING_LOCK}::bigint)`)
        decide()
        return result
      }
      try {
        return await notingChanges(db, (opened) =>
          machine.transaction().execute((dbTx) => withinTx(() => run(opened(dbTx)), home)),
        )
      } catch (error) {
        throw isRetryable(error) ? new NotHere('had no effect on the machine', { cause: error }) : error
      }
    },
    otherwise: () => inTx(db, (dbTx) => fn(dbTx, others)),
  })
}

/** Describes the members of a transaction by their shards. It runs on the machine of the first shard. */
function homeOf(memberIds: readonly bigint[], shards: readonly Shard[]): Home {
  const shardOf = (memberId: bigint) => {
    const shard = shards[memberIds.indexOf(memberId)]
    if (!shard) throw new NotHere(`member ${memberId} is not in the transaction`)
    return shard
  }
  return {
    isSpread: areSpread(shards),
    isElsewhere: (memberId) => !isBeside(shardOf(memberId), shards[0]!),
    ownText: (text, memberId = memberIds[0]!) => shardOf(memberId).ownText(text),
  }
}

async function inSharedTx<T>(db: Db, memberIds: readonly bigint[], fn: (dbTx: Db) => Promise<T>): Promise<T> {
  try {
    return await notingChanges(db, (opened) =>
      shared
        .get(db)!
        .run(memberIds, (one) => one.transaction().execute((dbTx) => withinTx(() => fn(opened(dbTx))))),
    )
  } catch (error) {
    if (!(error instanceof NotShared)) throw error
    return inTx(db, fn)
  }
}

/**
 * Runs `fn`, which writes with one statement, as `inTx` does; outside a transaction the statement commits
 * by itself.
 */
export async function inOneStatement<T>(db: Db, fn: (db: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? fn(db) : repeated(() => fn(db))
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()))
    }
  }
}

/**
 * The unique keys that a repeated transaction does not meet again: an operation's idempotency key, and a random
 * invitation code. Of a table or of a shard, because Citus passes on only the message.
 */
const REPEATED_KEYS = /\b(idempotency_keys_pkey(_\d+)?|members_invite_code_key)\b/

function isRetryable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  // Another operation used the same key in the meantime: when repeated, this one reads the stored result. A new
  // member gets another invitation code.
  if (error.code === '23505') return REPEATED_KEYS.test(error.constraint ?? error.message)
  return RETRYABLE.has(error.code ?? '') || isShardMissing(error)
}

/**
 * Runs `fn` on one read-only snapshot of the database. On a distributed database the snapshot covers all
 * machines at one moment, and commits wait while it is taken.
 */
export const inSnapshot = <T>(db: Db, fn: (snapshot: Db) => Promise<T>): Promise<T> =>
  inRepeatableRead(db, 'read only', spansMachines(db), fn)

/**
 * Runs `fn` as `inSnapshot` does, for the rows of one member. On a distributed database each machine has its
 * own moment.
 */
export const inLocalSnapshot = <T>(db: Db, fn: (snapshot: Db) => Promise<T>): Promise<T> =>
  inRepeatableRead(db, 'read only', false, fn)

/** Runs `fn` as `inSnapshot` does, and lets it write rows that no other transaction changes. */
export const inWritableSnapshot = <T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> =>
  inRepeatableRead(db, 'read write', spansMachines(db), fn)

function inRepeatableRead<T>(
  db: Db,
  access: AccessMode,
  isCut: boolean,
  fn: (dbTx: Db) => Promise<T>,
): Promise<T> {
  return notingChanges(db, (opened) => {
    const run = (on: Db, work: (dbTx: Db) => Promise<T>) =>
      on
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode(access)
        .execute((dbTx) => withinTx(() => work(opened(dbTx))))
    if (!isCut) return run(db, fn)
    return inCut(db, (connection, cut) =>
      run(connection, async (dbTx) => {
        await cut(dbTx)
        return fn(dbTx)
      }),
    )
  })
}

/** Runs `fn` in a transaction, rolls back its writes and releases its locks. Throws what `fn` throws. */
export async function inTrial<T>(dbTx: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(dbTx)
  try {
    return await fn(dbTx)
  } finally {
    await sql`rollback to savepoint trial`.execute(dbTx)
  }
}
