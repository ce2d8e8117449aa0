import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The pools of a server process, so that waiting in one does not delay the others: calls that only read,
 * calls that write, calls that wait for a contended lock (sign-ups, proposals), background work, and the
 * health check.
 */
export const LANES = ['reads', 'writes', 'locks', 'work', 'health'] as const
export type Lane = (typeof LANES)[number]

/** The time limits of a lane's connections, in milliseconds. */
export interface LaneLimits {
  /** Of one statement, including its wait for locks. */
  readonly statementMs: number
  /** Of the wait for one lock. */
  readonly lockMs: number
  /** Of a pause between two statements of a transaction. PostgreSQL then ends the connection and frees its locks. */
  readonly idleInTxMs: number
  /** Of the wait for a connection of the pool. */
  readonly connectMs: number
}

/**
 * A call is answered with 503 within a second if its lane is full, so callers wait for a connection for less
 * than that.
 */
const CALL_CONNECT_MS = 800

export const LANE_LIMITS: Readonly<Record<Lane, LaneLimits>> = {
  reads: { statementMs: 10_000, lockMs: 2_000, idleInTxMs: 5_000, connectMs: CALL_CONNECT_MS },
  writes: { statementMs: 10_000, lockMs: 3_000, idleInTxMs: 10_000, connectMs: CALL_CONNECT_MS },
  locks: { statementMs: 15_000, lockMs: 3_000, idleInTxMs: 10_000, connectMs: CALL_CONNECT_MS },
  // Settlement, audits and comparisons read and write millions of rows, and compute between two statements.
  work: { statementMs: 1_800_000, lockMs: 30_000, idleInTxMs: 60_000, connectMs: 30_000 },
  health: { statementMs: 1_000, lockMs: 1_000, idleInTxMs: 1_000, connectMs: CALL_CONNECT_MS },
}

/** The minimum total that gives each lane a connection, and the reads some. */
export const MIN_CONNECTIONS = 8

/** Divides the connections of a process among the lanes. One more monitors whether the database answers. */
export function laneSizes(total: number): Readonly<Record<Lane, number>> {
  const fifth = Math.floor(total / 5)
  return { health: 1, locks: fifth, writes: fifth, work: fifth, reads: total - 2 - 3 * fifth }
}

/** True in a lane whose work a caller waits for. It fails at once if the database does not answer. */
export const isForCalls = (lane: Lane): boolean => lane !== 'work'

/** The purpose of a query. */
export interface Scope {
  readonly lane: Lane
  /** Aborts when the request behind the work has ended. */
  readonly signal?: AbortSignal | undefined
  readonly isInTx: boolean
}

const BACKGROUND: Scope = { lane: 'work', isInTx: false }
const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope => scopes.getStore() ?? BACKGROUND

/** Runs the work of a request in a lane. It sends no further statement when `signal` has aborted. */
export function forRequest<T>(lane: Lane, signal: AbortSignal, work: () => T): T {
  return scopes.run({ lane, signal, isInTx: false }, work)
}

/** Runs part of a request in another lane; background work stays in its own. Call it outside transactions. */
export function inLane<T>(lane: Lane, work: () => T): T {
  const scope = currentScope()
  refuseInTx(scope)
  return scope.lane === 'work' ? work() : scopes.run({ ...scope, lane }, work)
}

/** Runs work shared by several requests, which none of them may cancel. */
export function forAll<T>(lane: Lane, work: () => T): T {
  return scopes.run({ lane, isInTx: false }, work)
}

/** Runs the function of a transaction, in which no second connection may be taken. */
export function withinTx<T>(work: () => T): T {
  return scopes.run({ ...currentScope(), isInTx: true }, work)
}

/**
 * Throws within a transaction: transactions that each hold one connection and wait for a second would
 * deadlock.
 */
export function refuseInTx({ isInTx }: Scope = currentScope()): void {
  if (isInTx) throw new Error('a second connection was requested inside a transaction: pass the dbTx instead')
}
