import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { currentScope, forAll } from './lanes.ts'
import { isOfCoordinator } from './places.ts'
import { TABLE_CLASSES } from './table-classes.ts'
import type { DB } from './types.gen.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** The interval at which the locations of the shards are looked up. */
const REFRESH_MS = 60_000
/** The minimum interval between two look-ups while a machine does not answer. */
const RETRY_MS = 5_000

/** The errors of an unavailable machine: of its connection, resources or shutdown, and of a refused login. */
const REFUSED = /^(08|53|57P|28|3D)/

/** The tables that hold the rows of some members, and their machine. */
export interface Shard {
  /** The id of the shard of the first table, and the hashes of its members. */
  readonly id: string
  readonly from: number
  readonly to: number
  readonly host: string
  readonly port: number
  /** Returns a statement on the shard of each members' table, and the copy of each reference table. */
  inTables(text: string): string
  /**
   * Returns a statement in the form for a transaction on the machine, also with the shard's functions. Throws
   * NotHere for tables of the coordinator.
   */
  ownText(text: string): string
}

/** Thrown if a shard, or a requested object, is not on the queried machine. */
export class NotHere extends Error {}

/**
 * The errors of a transaction that needs another machine: distributed/home.sql, undefined_table,
 * undefined_function.
 */
const NOT_HERE = /^(RL013|42P01|42883)$/

type ShardRow = Omit<Shard, 'inTables' | 'ownText'> & { readonly tables: Readonly<Record<string, string>> }

/**
 * Returns the query of the names that all tables on a machine have for a shard `own` of the first one, as one
 * JSON object.
 */
export const TABLES_OF_SHARD = `
  select json_object_agg(part.logicalrelid::text, shard_name(part.logicalrelid, other.shardid))
  from pg_dist_partition as part join pg_dist_shard as other on other.logicalrelid = part.logicalrelid
  where (part.partmethod = 'h' and other.shardminvalue = own.shardminvalue) or part.repmodel = 't'`

const SHARDS = sql<ShardRow>`
  select own.shardid::text as id, own.shardminvalue::integer as "from", own.shardmaxvalue::integer as "to", node.nodename as host,
    node.nodeport as port, (${sql.raw(TABLES_OF_SHARD)}) as tables
  from pg_dist_shard as own join pg_dist_placement using (shardid) join pg_dist_node as node using (groupid)
  where own.logicalrelid = 'ledger_heads'::regclass and node.noderole = 'primary'`

/** The two ways of a read of members' rows. */
export interface HomeRead<Row> {
  /** Reads some of the members, all of one shard, on its machine. */
  there(machine: Kysely<DB>, shard: Shard, memberIds: readonly bigint[]): Promise<readonly Row[]>
  /** Reads some of the members through the coordinator. */
  otherwise(memberIds: readonly bigint[]): Promise<readonly Row[]>
}

/** The two ways of a transaction about members. */
export interface HomeWrite<T> {
  /**
   * Runs it on the first member's machine, with the shard of each member, and calls `decide` before the
   * commit; it is not repeated after that.
   */
  there(machine: Kysely<DB>, shards: readonly Shard[], decide: () => void): Promise<T>
  /** Runs it through the coordinator. */
  otherwise(): Promise<T>
}

/** A database with its pools. */
interface Opened {
  readonly db: Kysely<DB>
  close(): Promise<void>
}

interface Machine {
  readonly database: Opened
  isAnswering: boolean
}

/** A machine with members' rows, and whether it answers this process. */
export interface MachineState {
  /** Host and port. */
  readonly address: string
  readonly isAnswering: boolean
}

export interface MemberMachinesOptions {
  /** Opens the database in the form for a machine. */
  readonly open: (host: string, port: number) => Opened
  readonly now?: () => number
}

/**
 * Creates the direct access to the machines of a cluster for members' rows, so that such reads cost the
 * coordinator nothing. A machine is used once it has answered a first time. While it does not answer, refuses
 * this process's login, or no longer has the shard, the coordinator is used instead.
 */
export class MemberMachines {
  readonly #options: MemberMachinesOptions
  readonly #now: () => number
  readonly #machines = new Map<string, Machine>()
  #shards: readonly Shard[] = []
  #inReferences = renaming(new Map())
  #refreshAt = 0
  #refreshing: Promise<void> | undefined
  #isClosed = false

  constructor(options: MemberMachinesOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /**
   * Reads members' rows on the machines of their shards, in parallel, or through the coordinator for machines
   * that cannot be reached. Returns the rows of all.
   */
  async read<Row>(
    coordinator: Kysely<DB>,
    memberIds: readonly bigint[],
    read: HomeRead<Row>,
  ): Promise<readonly Row[]> {
    this.#refreshIfDue(coordinator)
    const groups = new Map<Shard | undefined, bigint[]>()
    for (const memberId of memberIds) {
      const shard = this.#reachableShardOf(memberId)
      const group = groups.get(shard)
      if (group === undefined) groups.set(shard, [memberId])
      else group.push(memberId)
    }
    const found = await Promise.all(
      [...groups].map(async ([shard, some]) => {
        const ids = groups.size === 1 ? memberIds : some
        return shard === undefined ? read.otherwise(ids) : this.#readInShard(shard, ids, read)
      }),
    )
    return found.flat()
  }

  /**
   * Runs a transaction about members on the first member's machine. Runs it through the coordinator if a
   * member's machine cannot be reached or lacks what the transaction needs, unless the transaction may already
   * be committed.
   */
  async write<T>(coordinator: Kysely<DB>, memberIds: readonly bigint[], write: HomeWrite<T>): Promise<T> {
    this.#refreshIfDue(coordinator)
    const shards = memberIds
      .map((memberId) => this.#reachableShardOf(memberId))
      .filter((shard) => shard !== undefined)
    if (shards.length === 0 || shards.length < memberIds.length) return write.otherwise()
    const machine = this.#machines.get(addressOf(shards[0]!))!
    let isDecided = false
    try {
      return await write.there(machine.database.db, shards, () => {
        isDecided = true
      })
    } catch (error) {
      // With several machines it is unknown which one did not answer.
      if (!this.#isElsewhere(areSpread(shards) ? undefined : machine, error)) throw error
      if (isDecided && !isNotHere(error)) throw error
      return write.otherwise()
    }
  }

  /**
   * Returns a statement on the coordinator's copies of reference tables, so that Citus does not plan it;
   * unchanged until they are known.
   */
  inReferences(text: string): string {
    return this.#inReferences(text)
  }

  /** Asks every machine, in the lane of the caller, whether it answers. */
  async states(coordinator: Kysely<DB>): Promise<readonly MachineState[]> {
    this.#refreshIfDue(coordinator)
    if (this.#machines.size === 0) await this.#refreshing
    return Promise.all(
      [...this.#machines].map(async ([address, { database }]) => ({
        address,
        isAnswering: await isAnswering(database),
      })),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#refreshing
    await Promise.all([...this.#machines.values()].map(({ database }) => database.close()))
  }

  #reachableShardOf(memberId: bigint): Shard | undefined {
    const hash = hashOfMember(memberId)
    const shard = this.#shards.find(({ from, to }) => from <= hash && hash <= to)
    return shard && this.#machines.get(addressOf(shard))?.isAnswering ? shard : undefined
  }

  async #readInShard<Row>(
    shard: Shard,
    memberIds: readonly bigint[],
    read: HomeRead<Row>,
  ): Promise<readonly Row[]> {
    const machine = this.#machines.get(addressOf(shard))!
    try {
      return await read.there(machine.database.db, shard, memberIds)
    } catch (error) {
      if (!this.#isElsewhere(machine, error)) throw error
      return read.otherwise(memberIds)
    }
  }

  #refreshIfDue(coordinator: Kysely<DB>): void {
    if (this.#now() >= this.#refreshAt) this.#refreshing ??= this.#refresh(coordinator)
  }

  /**
   * Returns whether to use the coordinator after an error of a machine, and in that case soon repeats the
   * look-up.
   */
  #isElsewhere(machine: Machine | undefined, error: unknown): boolean {
    const isMoved = isNotHere(error)
    if (!isMoved && (currentScope().signal?.aborted || !isUnreachable(error))) return false
    if (!isMoved && machine) machine.isAnswering = false
    this.#refreshAt = Math.min(this.#refreshAt, this.#now() + RETRY_MS)
    return true
  }

  /** Looks up the locations of the shards and the machines that answer, while reads continue as before. */
  async #refresh(coordinator: Kysely<DB>): Promise<void> {
    const isFound = await forAll('reads', () => this.#find(coordinator)).then(
      () => true,
      () => false,
    )
    const isComplete = isFound && [...this.#machines.values()].every(({ isAnswering }) => isAnswering)
    this.#refreshAt = this.#now() + (isComplete ? REFRESH_MS : RETRY_MS)
    this.#refreshing = undefined
  }

  async #find(coordinator: Kysely<DB>): Promise<void> {
    const { rows } = await SHARDS.execute(coordinator)
    const shards = rows.map(shardOf)
    if (this.#isClosed) return
    const addresses = new Map(shards.map((shard) => [addressOf(shard), shard]))
    for (const [address, { database }] of this.#machines) {
      if (addresses.has(address)) continue
      this.#machines.delete(address)
      void database.close().catch(() => undefined)
    }
    this.#shards = shards
    const references = Object.entries(rows[0]?.tables ?? {}).filter(
      ([table]) => TABLE_CLASSES[table] === 'reference',
    )
    this.#inReferences = renaming(new Map(references))
    const answering = [...addresses].map(async ([address, { host, port }]) => {
      const machine = this.#machines.get(address) ?? {
        database: this.#options.open(host, port),
        isAnswering: false,
      }
      this.#machines.set(address, machine)
      machine.isAnswering = await isAnswering(machine.database)
    })
    await Promise.all(answering)
  }
}

/**
 * The functions that exist per shard, with its tables. The names with this suffix replace those of the whole
 * database.
 */
export const SHARD_FUNCTIONS = [
  'ledger_enter_day_here',
  'ledger_lock_here',
  'ledger_post_own_here',
  'ledger_post_side',
  'ledger_post_side_here',
  'ledger_write_batches',
  'ledger_write_member',
]
const HERE = '_here'

function shardOf({ tables, ...row }: ShardRow): Shard {
  const names = Object.entries(tables)
  const functions = SHARD_FUNCTIONS.filter((name) => name.endsWith(HERE)).map(
    (name) => [name.slice(0, -HERE.length), `${name}_${row.id}`] as const,
  )
  const inOwn = renaming(new Map([...names, ...functions]))
  return {
    ...row,
    inTables: renaming(new Map(names)),
    ownText(text) {
      if (isOfCoordinator(text)) throw new NotHere(`stands on the coordinator: ${text}`)
      return inOwn(text)
    },
  }
}

const isAnswering = ({ db }: Opened): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )

const isNotHere = (error: unknown): boolean =>
  error instanceof NotHere || (error instanceof pg.DatabaseError && NOT_HERE.test(error.code ?? ''))

/** The product has a few hundred statements. */
const MAX_TEXTS = 1_000
const WORDS = /'(?:[^']|'')*'|\b[a-z_]+\b/g

/** Returns a function that renames the tables in a statement, and caches the results. */
export function renaming(names: ReadonlyMap<string, string>): (text: string) => string {
  const made = new Map<string, string>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const renamed = text.replace(WORDS, (word) => names.get(word) ?? word)
    if (made.size < MAX_TEXTS) made.set(text, renamed)
    return renamed
  }
}

const addressOf = ({ host, port }: Shard) => `${host}:${port}`

/** Returns whether two shards are on one machine. */
export const isBeside = (shard: Shard, other: Shard): boolean => addressOf(shard) === addressOf(other)

/** Returns whether shards are on several machines. */
export const areSpread = (shards: readonly Shard[]): boolean =>
  !shards.every((shard) => isBeside(shard, shards[0]!))

const isUnreachable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? REFUSED.test(error.code ?? '') : isDatabaseUnavailable(error)

/**
 * Returns the hash by which Citus chooses the shard of a member: PostgreSQL's `hashint8`, a signed 32-bit
 * integer.
 */
export function hashOfMember(memberId: bigint): number {
  const [low, high] = [Number(BigInt.asIntN(32, memberId)), Number(BigInt.asIntN(32, memberId >> 32n))]
  // `hash_bytes_uint32`, in PostgreSQL's src/common/hashfn.c, of a number whose halves are folded.
  const start = (0x9e3779b9 + 4 + 3923095) | 0
  let [a, b, c] = [(start + (low ^ (memberId >= 0n ? high : ~high))) | 0, start, start]
  const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}
