import { AsyncLocalStorage } from 'node:async_hooks'

/** The pools of a server process: for calls, for background work, and for the health check. */
export const CONNECTION_POOLS = ['calls', 'work', 'health'] as const
export type PoolName = (typeof CONNECTION_POOLS)[number]

/**
 * The uses of connections: calls that only read, calls that write, calls that wait for a contended lock (sign-ups,
 * proposals), background work, the health check, and the checks that a process makes of itself at intervals.
 */
export type Lane = 'reads' | 'writes' | 'locks' | 'work' | 'health' | 'intervals'

const POOL_OF: Readonly<Record<Lane, PoolName>> = {
  reads: 'calls',
  writes: 'calls',
  locks: 'calls',
  work: 'work',
  health: 'health',
  intervals: 'health',
}

export const poolOf = (lane: Lane): PoolName => POOL_OF[lane]

/** The time limits of a pool's connections, in milliseconds. */
export interface PoolLimits {
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
 * A call is answered with 503 within a second if there is no connection for it, so callers wait for one for less
 * than that.
 */
const CALL_CONNECT_MS = 800

export const POOL_LIMITS: Readonly<Record<PoolName, PoolLimits>> = {
  calls: { statementMs: 10_000, lockMs: 3_000, idleInTxMs: 10_000, connectMs: CALL_CONNECT_MS },
  // Settlement, audits and comparisons read and write millions of rows, and compute between two statements.
  work: { statementMs: 1_800_000, lockMs: 30_000, idleInTxMs: 60_000, connectMs: 30_000 },
  health: { statementMs: 1_000, lockMs: 1_000, idleInTxMs: 1_000, connectMs: CALL_CONNECT_MS },
}

/** The minimum total, which leaves reads some connections beside calls that wait for locks. */
export const MIN_CONNECTIONS = 8

const fifth = (total: number) => Math.floor(total / 5)

/** Divides the connections of a process among the pools. One more monitors whether the database answers. */
export function poolSizes(total: number): Readonly<Record<PoolName, number>> {
  return { health: 1, work: fifth(total), calls: total - 2 - fifth(total) }
}

/**
 * Returns how many connections of the calls' pool those have at most that may wait for a lock: calls that write, and
 * those that wait for a contended one. Whoever holds a lock and hangs then never delays the reads, and with a contended
 * one only calls that need it.
 */
export const waitersOf = (total: number): Readonly<Record<'writes' | 'locks', number>> => ({
  writes: 2 * fifth(total),
  locks: fifth(total),
})

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
