import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { executeWithNext } from './held.ts'
import { currentScope, forAll, LANE_LIMITS, type Lane, refuseInTx } from './lanes.ts'
import type { PreparedPool } from './prepared-pool.ts'
import { NotShared, Seat, SharedTx } from './shared-tx.ts'
import type { DB } from './types.gen.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** The most operations of one transaction. */
const MOST = 32
/** The time after which a slow transaction keeps the next one waiting no longer. */
const PATIENCE_MS = 100

const seating = new AsyncLocalStorage<Seat>()

/** Marks a database whose transactions are places in shared ones. */
class SharedAdapter extends PostgresAdapter {}

/** Returns the place in a shared transaction; undefined for a transaction of one operation. */
export const seatOf = (dbTx: Kysely<DB>): Seat | undefined =>
  dbTx.getExecutor().adapter instanceof SharedAdapter ? seating.getStore() : undefined

/** Has an operation leave a shared transaction for one of its own. Call it before the first write. */
export function leaveShared(dbTx: Kysely<DB>): void {
  if (seatOf(dbTx)) throw new NotShared('the operation needs a transaction of its own')
}

/**
 * Locks rows with the next statement, after the heads of members. `lock` takes them in their order, and their ids are its only value, an
 * array.
 */
export async function lockRows(dbTx: Kysely<DB>, lock: RawBuilder<unknown>): Promise<void> {
  const seat = seatOf(dbTx)
  if (!seat) return executeWithNext(dbTx, lock)
  const { sql: text, parameters } = lock.compile(dbTx)
  seat.hold({ how: 'rows', text, ids: parameters[0] as readonly unknown[] })
}

/** Gives each transaction the place that its operation has taken. */
const driver: Driver = {
  init: async () => undefined,
  acquireConnection: async () => seating.getStore()!,
  beginTransaction: async () => undefined,
  commitTransaction: (seat) => (seat as Seat).commit(),
  rollbackTransaction: async (seat) => (seat as Seat).leave(),
  releaseConnection: async (seat) => (seat as Seat).leave(),
  destroy: async () => undefined,
}

/** Operations run as the one transaction of this database. */
const sharedDb = new Kysely<DB>({
  dialect: {
    createAdapter: () => new SharedAdapter(),
    createDriver: () => driver,
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Runs operations that come at the same time in one transaction. */
export interface SharedTransactions {
  /**
   * Runs an operation as the one transaction of `db`. It locks the heads of members before anything else, and writes rows of these
   * members alone. Operations of one transaction have no member in common. Throws NotShared where the transaction was undone, and
   * DatabaseUnavailable.
   */
  run<T>(memberIds: readonly bigint[], operation: (db: Kysely<DB>) => Promise<T>): Promise<T>
}

/** The operations of a lane that wait for a transaction. */
interface Queue {
  readonly lane: Lane
  waiting: Seat[]
  /** True while a transaction is open that the next one waits for. */
  isBusy: boolean
  /** The operations of open transactions. */
  readonly open: Set<Seat>
}

/** Creates the shared transactions of a pool. `onStatement` receives the statements as each operation has given them. */
export function createSharedTransactions(
  pool: PreparedPool,
  onStatement?: (text: string) => void,
): SharedTransactions {
  const queues = new Map<Lane, Queue>()

  function queueOf(lane: Lane): Queue {
    const queue = queues.get(lane) ?? { lane, waiting: [], isBusy: false, open: new Set<Seat>() }
    queues.set(lane, queue)
    return queue
  }

  /**
   * Begins the next transaction in the next turn of the event loop, unless one is open that has not sent its commit. What comes meanwhile
   * shares the one after.
   */
  function schedule(queue: Queue): void {
    if (queue.isBusy || queue.waiting.length === 0) return
    queue.isBusy = true
    setImmediate(async () => {
      let isFree = false
      const next = () => {
        if (!isFree) queue.isBusy = false
        isFree = true
        schedule(queue)
      }
      const seats = taken(queue)
      // All wait for members of open transactions, whose end calls again.
      if (seats.length === 0) {
        queue.isBusy = false
        return
      }
      for (const seat of seats) queue.open.add(seat)
      const timer = setTimeout(next, PATIENCE_MS)
      await forAll(queue.lane, () => new SharedTx(seats).run(() => pool.connect(), next))
      clearTimeout(timer)
      for (const seat of seats) queue.open.delete(seat)
      next()
    })
  }

  /** Waits for the place of an operation as long as one by itself waits for a connection. */
  async function seated(queue: Queue, seat: Seat): Promise<void> {
    queue.waiting.push(seat)
    schedule(queue)
    const timer = setTimeout(() => {
      queue.waiting = queue.waiting.filter((one) => one !== seat)
      seat.begun.reject(new DatabaseUnavailable('has no free connection'))
      // Its members may have been kept for it.
      schedule(queue)
    }, LANE_LIMITS[queue.lane].connectMs)
    await seat.begun.promise.finally(() => clearTimeout(timer))
  }

  return {
    async run(memberIds, operation) {
      refuseInTx()
      const { lane, signal } = currentScope()
      const seat = new Seat(memberIds, onStatement)
      await seated(queueOf(lane), seat)
      try {
        signal?.throwIfAborted()
        return await seating.run(seat, () => operation(sharedDb))
      } finally {
        seat.leave()
      }
    },
  }
}

/**
 * Takes operations out of a queue that have no member in common, neither with each other nor with open transactions. The first is among
 * them or has its members kept for it, so that none waits for ever.
 */
function taken(queue: Queue): Seat[] {
  const memberIds = new Set([...queue.open].flatMap((seat) => seat.memberIds))
  const now: Seat[] = []
  const later: Seat[] = []
  for (const seat of queue.waiting) {
    const isFree = now.length < MOST && !seat.memberIds.some((id) => memberIds.has(id))
    if (isFree || seat === queue.waiting[0]) for (const id of seat.memberIds) memberIds.add(id)
    ;(isFree ? now : later).push(seat)
  }
  queue.waiting = later
  return now
}
