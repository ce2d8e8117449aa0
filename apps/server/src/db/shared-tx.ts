import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { deferred } from '../lib/deferred.ts'
import { Held } from './held.ts'
import { type Answer, type Joint, type Send, sendJoined } from './joined.ts'
import { currentScope, forAll, type Lane } from './lanes.ts'
import type { DB } from './types.gen.ts'

/** The most operations of one transaction. */
const MOST = 32
/** The time after which a transaction keeps the next one waiting no longer: it waits for a lock, say. */
const PATIENCE_MS = 100

/** A transaction of several operations was undone, maybe by a fault of another one: this one may run once more, by itself. */
export class NotShared extends Error {}

const NOTHING: QueryResult<never> = { rows: [] }

/** A statement of an operation, and who waits for the answer, if anybody. */
interface Sent {
  readonly joint: Joint
  readonly answer?: { resolve(answer: Answer): void; reject(error: unknown): void }
}

/** The place of an operation in a transaction that it shares. To Kysely it is a connection. */
class Seat implements DatabaseConnection {
  readonly memberIds: readonly bigint[]
  readonly begun = deferred<void>()
  readonly #onStatement: ((text: string) => void) | undefined
  readonly #ended = deferred<void>()
  #tx: SharedTx | undefined
  #isOver = false
  /** Its statements of the next round. */
  #sent: Sent[] = []
  /** Its statements may have had an effect. */
  #hasEffect = false

  constructor(memberIds: readonly bigint[], onStatement: ((text: string) => void) | undefined) {
    this.memberIds = memberIds
    this.#onStatement = onStatement
    this.#ended.promise.catch(() => undefined)
  }

  begin(tx: SharedTx): void {
    this.#tx = tx
    this.begun.resolve()
  }

  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const [first] = parameters
    if (!(first instanceof Held)) return this.ask({ how: 'alone', text, values: parameters })
    this.hold({ how: 'alone', text, values: first.values })
    return Promise.resolve(NOTHING)
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('an operation that shares its transaction cannot read by a cursor')
  }

  /** Sends a statement with the next one or the commit. */
  hold(joint: Joint): void {
    this.#send({ joint })
  }

  /** Sends a statement as soon as all operations of the transaction have one to send. */
  async ask(joint: Joint): Promise<Answer> {
    const answer = deferred<Answer>()
    this.#send({ joint, answer })
    this.#tx!.wait(this)
    return answer.promise
  }

  #send(sent: Sent): void {
    this.#sent.push(sent)
    this.#onStatement?.(sent.joint.how === 'write' ? sent.joint.alone().text : sent.joint.text)
  }

  /** Waits for the commit of all. */
  async commit(): Promise<void> {
    this.#tx!.wait(this)
    await this.#ended.promise
  }

  /** Leaves the transaction, which is undone where this operation may have had an effect on it. */
  leave(): void {
    if (!this.#isOver) this.#tx!.leave(this, this.#hasEffect)
    this.#isOver = true
  }

  /** Takes what goes with this round. */
  take(): Sent[] {
    const sent = this.#sent
    this.#sent = []
    this.#hasEffect ||= sent.some(({ joint: { how } }) => how === 'alone' || how === 'write')
    return sent
  }

  /** Notes how the transaction ended. */
  end(error?: unknown): void {
    this.#isOver = true
    for (const { answer } of this.#sent) answer?.reject(error)
    if (error === undefined) this.#ended.resolve()
    else this.#ended.reject(error)
  }
}

/** One transaction of several operations, which run side by side and send their statements together, round by round. */
class SharedTx {
  readonly #seats: Set<Seat>
  /** The operations that are doing something and do not wait for an answer or the end. */
  readonly #busy: Set<Seat>
  #allWait = deferred<void>()
  #isFaulty = false

  constructor(seats: readonly Seat[]) {
    this.#seats = new Set(seats)
    this.#busy = new Set(seats)
  }

  wait(seat: Seat): void {
    this.#busy.delete(seat)
    if (this.#busy.size === 0) this.#allWait.resolve()
  }

  leave(seat: Seat, hasEffect: boolean): void {
    this.#seats.delete(seat)
    this.#isFaulty ||= hasEffect
    this.wait(seat)
  }

  /** Runs the operations on a connection, and tells each how the transaction ended. */
  async run(connect: () => Promise<PostgresPoolClient>): Promise<void> {
    for (const seat of this.#seats) seat.begin(this)
    try {
      await this.#allWait.promise
      if (this.#seats.size > 0) await this.#on(await connect())
      for (const seat of this.#seats) seat.end()
    } catch (error) {
      for (const seat of this.#seats) seat.end(error)
    }
  }

  async #on(client: PostgresPoolClient): Promise<void> {
    const send: Send = (text, values) => client.query(text, values as unknown[]) as Promise<Answer>
    let isCommitting = false
    try {
      await send('begin', [])
      while (await this.#round(send)) await this.#allWait.promise
      isCommitting = true
      await send('commit', [])
    } catch (error) {
      // A connection that cannot roll back is closed by the pool.
      await send('rollback', []).catch(() => undefined)
      // Nobody knows whether a commit was carried out whose answer is lost.
      const isUnknown = isCommitting && !(error instanceof pg.DatabaseError && error.severity === 'ERROR')
      throw isUnknown ? error : new NotShared('the transaction was undone', { cause: error })
    } finally {
      client.release()
    }
  }

  /** Sends what all operations have sent, and answers it. Returns whether any goes on. */
  async #round(send: Send): Promise<boolean> {
    if (this.#isFaulty) throw new Error('an operation that had an effect was undone')
    const queues = [...this.#seats].map((seat) => ({ seat, sent: seat.take() }))
    const places = Math.max(0, ...queues.map(({ sent }) => sent.length))
    const answered: { seat: Seat; answer: Answer; resolve: (answer: Answer) => void }[] = []
    try {
      for (let place = 0; place < places; place++) {
        const row = queues.filter(({ sent }) => place < sent.length)
        const all = row.map(({ sent }) => sent[place]!)
        const answers = await sendJoined(
          all.map(({ joint, answer }) => ({ joint, isAwaited: answer !== undefined })),
          send,
        )
        all.forEach(({ answer }, index) => {
          if (answer)
            answered.push({ seat: row[index]!.seat, answer: answers[index]!, resolve: answer.resolve })
        })
      }
    } catch (error) {
      const undone = new NotShared('the transaction was undone', { cause: error })
      for (const { sent } of queues) for (const { answer } of sent) answer?.reject(undone)
      throw error
    }
    this.#allWait = deferred()
    for (const { seat } of answered) this.#busy.add(seat)
    for (const { answer, resolve } of answered) resolve(answer)
    return answered.length > 0
  }
}

const seating = new AsyncLocalStorage<Seat>()

/** Marks a database whose transactions are places in shared ones. */
class SharedAdapter extends PostgresAdapter {}

/** Returns the place in a shared transaction; undefined for a transaction of one operation. */
export const seatOf = (dbTx: Kysely<DB>): Seat | undefined =>
  dbTx.getExecutor().adapter instanceof SharedAdapter ? seating.getStore() : undefined

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

/** Runs operations that come at the same time in one transaction. */
export interface SharedTransactions {
  /**
   * Runs an operation as the one transaction of `db`. It locks the heads of members before anything else, and writes rows of these
   * members alone. Operations of one transaction have no member in common. Throws NotShared where the transaction was undone.
   */
  run<T>(memberIds: readonly bigint[], operation: (db: Kysely<DB>) => Promise<T>): Promise<T>
}

/** The operations of a lane that wait for a transaction. */
interface Queue {
  readonly lane: Lane
  waiting: Seat[]
  isBusy: boolean
}

/** Creates the shared transactions of a pool. `onStatement` receives the statements as each operation has sent them. */
export function createSharedTransactions(
  pool: PostgresPool,
  onStatement?: (text: string) => void,
): SharedTransactions {
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new SharedAdapter(),
      createDriver: () => driver,
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const queues = new Map<Lane, Queue>()

  function queueOf(lane: Lane): Queue {
    const queue = queues.get(lane) ?? { lane, waiting: [], isBusy: false }
    queues.set(lane, queue)
    return queue
  }

  /** Begins the next transaction in the next turn of the event loop, unless one is open. What comes meanwhile shares the one after. */
  function schedule(queue: Queue): void {
    if (queue.isBusy || queue.waiting.length === 0) return
    queue.isBusy = true
    setImmediate(async () => {
      let isFree = false
      const next = () => {
        if (isFree) return
        isFree = true
        queue.isBusy = false
        schedule(queue)
      }
      const timer = setTimeout(next, PATIENCE_MS)
      await forAll(queue.lane, () => new SharedTx(taken(queue)).run(() => pool.connect()))
      clearTimeout(timer)
      next()
    })
  }

  return {
    async run(memberIds, operation) {
      const queue = queueOf(currentScope().lane)
      const seat = new Seat(memberIds, onStatement)
      queue.waiting.push(seat)
      schedule(queue)
      await seat.begun.promise
      return seating.run(seat, () => operation(db))
    },
  }
}

/** Takes the next operations that have no member in common out of a queue. */
function taken(queue: Queue): Seat[] {
  const memberIds = new Set<bigint>()
  const now: Seat[] = []
  const later: Seat[] = []
  for (const seat of queue.waiting) {
    const isFree = now.length < MOST && !seat.memberIds.some((id) => memberIds.has(id))
    // Also those of one that waits, so that no operation overtakes an earlier one of its member.
    for (const id of seat.memberIds) memberIds.add(id)
    ;(isFree ? now : later).push(seat)
  }
  queue.waiting = later
  return now
}
