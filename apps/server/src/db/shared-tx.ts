import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { type Deferred, deferred } from '../lib/deferred.ts'
import { Held } from './held.ts'
import { type Answer, hasEffect, type Joint, joined } from './joined.ts'
import type { PreparedClient } from './prepared-pool.ts'

/** The longest wait for a lock. Then each operation runs by itself, so that one whose member is locked elsewhere delays no other. */
const LOCK_TIMEOUT = '100ms'

/** A transaction of several operations was undone, maybe by a fault of another one: this one may run once more, by itself. */
export class NotShared extends Error {}

/** A statement that an operation has given to the next round. The answer is missing where nobody waits for it. */
interface Given {
  readonly joint: Joint
  readonly answer?: Deferred<Answer>
}

/** The place of an operation in a transaction that it shares. To Kysely it is a connection. */
export class Seat implements DatabaseConnection {
  readonly memberIds: readonly bigint[]
  /** Settles when the transaction begins, or will not. */
  readonly begun = deferred<void>()
  readonly #committed = deferred<void>()
  readonly #onStatement: ((text: string) => void) | undefined
  #tx: SharedTx | undefined
  #given: Given[] = []
  #unanswered = 0
  #isCommitting = false
  #hasEffect = false
  #isOver = false

  constructor(memberIds: readonly bigint[], onStatement?: (text: string) => void) {
    this.memberIds = memberIds
    this.#onStatement = onStatement
    this.#committed.promise.catch(() => undefined)
  }

  begin(tx: SharedTx): void {
    this.#tx = tx
    this.begun.resolve()
  }

  /** True while the operation does nothing until a statement is answered or the transaction has ended. */
  get isWaiting(): boolean {
    return this.#unanswered > 0 || this.#isCommitting
  }

  /** True when its statements may have changed something. */
  get hasEffect(): boolean {
    return this.#hasEffect
  }

  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const [first] = parameters
    if (!(first instanceof Held)) return this.ask({ how: 'alone', text, values: parameters })
    this.hold({ how: 'alone', text, values: first.values })
    return Promise.resolve({ rows: [] })
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('an operation that shares its transaction cannot read by a cursor')
  }

  /** Sends a statement with the next round or the commit. */
  hold(joint: Joint): void {
    this.#give({ joint })
  }

  /** Sends a statement as soon as all operations wait. */
  ask(joint: Extract<Joint, { how: 'alone' | 'read' }>): Promise<Answer> {
    const answer = deferred<Answer>()
    this.#give({ joint, answer })
    this.#unanswered++
    this.#tx!.note()
    return answer.promise
  }

  #give(given: Given): void {
    if (this.#isOver) throw new NotShared('the transaction has ended')
    this.#given.push(given)
    const { joint } = given
    this.#onStatement?.(joint.how === 'write' ? joint.alone().text : joint.text)
  }

  /** Waits for the commit of all. */
  commit(): Promise<void> {
    this.#isCommitting = true
    this.#tx!.note()
    return this.#committed.promise
  }

  /** Leaves the transaction, unless it has ended. */
  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#tx!.remove(this)
  }

  /** Takes what was given since the last round. */
  take(): readonly Given[] {
    const given = this.#given
    this.#given = []
    this.#hasEffect ||= given.some(({ joint }) => hasEffect(joint))
    return given
  }

  answer({ answer }: Given, result: Answer): void {
    if (!answer) return
    this.#unanswered--
    answer.resolve(result)
  }

  /** Ends the operation with the transaction: committed, or undone for an error. */
  end(error?: unknown): void {
    this.#isOver = true
    refuse(this.#given, error)
    if (error === undefined) this.#committed.resolve()
    else this.#committed.reject(error)
  }
}

/** Ends statements with an error. */
function refuse(given: readonly Given[], error: unknown): void {
  for (const { answer } of given) answer?.reject(error)
}

/** One transaction of several operations, which run side by side and send their statements together, round by round. */
export class SharedTx {
  readonly #seats: Set<Seat>
  #allWait = deferred<void>()
  #isFaulty = false

  constructor(seats: readonly Seat[]) {
    this.#seats = new Set(seats)
  }

  /** Lets the next round begin if all operations wait. */
  note(): void {
    if ([...this.#seats].every(({ isWaiting }) => isWaiting)) this.#allWait.resolve()
  }

  /** Removes an operation that was refused. What it has changed undoes the transaction. */
  remove(seat: Seat): void {
    this.#seats.delete(seat)
    this.#isFaulty ||= seat.hasEffect
    this.note()
  }

  /** Runs the operations on a connection, and tells each how the transaction ended. Calls `onCommit` when it sends the commit. */
  async run(connect: () => Promise<PreparedClient>, onCommit: () => void): Promise<void> {
    for (const seat of this.#seats) seat.begin(this)
    try {
      await this.#allWait.promise
      if (this.#seats.size > 0) await this.#runOn(await connect(), onCommit)
      for (const seat of this.#seats) seat.end()
    } catch (error) {
      for (const seat of this.#seats) seat.end(error)
    }
  }

  async #runOn(client: PreparedClient, onCommit: () => void): Promise<void> {
    let isCommitting = false
    try {
      await client.query('begin', [])
      await client.query("select set_config('lock_timeout', $1, true)", [held([LOCK_TIMEOUT])])
      while (await this.#round(client)) await this.#allWait.promise
      isCommitting = true
      onCommit()
      await client.query('commit', [])
    } catch (error) {
      // A connection that cannot roll back is closed by the pool.
      await client.query('rollback', []).catch(() => undefined)
      // Nobody knows whether a commit was carried out whose answer is lost.
      const isUnknown = isCommitting && !isRefusal(error)
      throw isUnknown ? error : new NotShared('the transaction was undone', { cause: error })
    } finally {
      client.release()
    }
  }

  /** Sends what all operations have given, in one message, and answers it. Returns whether any goes on. */
  async #round(client: PreparedClient): Promise<boolean> {
    if (this.#isFaulty) throw new Error('an operation that has changed something was refused')
    const queues = [...this.#seats].map((seat) => ({ seat, given: seat.take() }))
    const answered: (readonly [Seat, Given, Answer])[] = []
    try {
      const all = Array.from(
        { length: Math.max(...queues.map(({ given }) => given.length), 0) },
        (_, place) =>
          joined(
            queues.flatMap(({ seat, given: { [place]: given } }) => {
              if (!given) return []
              const onAnswer = (answer: Answer) => answered.push([seat, given, answer])
              return { joint: given.joint, onAnswer: given.answer && onAnswer }
            }),
          ),
      ).flat()
      if (all.some(({ onAnswer }) => onAnswer)) {
        const results = await client.queryAll(all)
        for (const [index, { onAnswer }] of all.entries()) onAnswer?.(results[index]!)
      } else {
        for (const { text, values } of all) await client.query(text, [held(values)])
      }
    } catch (error) {
      const undone = new NotShared('the transaction was undone', { cause: error })
      for (const { given } of queues) refuse(given, undone)
      throw error
    }
    this.#allWait = deferred()
    for (const [seat, given, answer] of answered) seat.answer(given, answer)
    this.note()
    return answered.length > 0
  }
}

/**
 * Errors that a server can send while it ends in the middle of a commit: of the connection, of resources, of its stop, of the system, and
 * internal ones. Their severity cannot tell them from others: it is in the language of the database.
 */
const OF_A_LOST_SERVER = /^(08|53|57P|58|XX)/

/** Reports whether the database refused a commit, so that the transaction is undone for certain. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !OF_A_LOST_SERVER.test(error.code ?? '')

/** The error of a statement undoes the transaction of all, so it means nothing yet. */
const held = (values: readonly unknown[]) => new Held(values, (error) => error)
