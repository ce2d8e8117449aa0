import type { ErrorCode } from '@rif/api-schema'
import { OTHER_TIMEOUT_MS } from './api-routes.ts'
import type { Pause } from './connection.ts'

/**
 * Thrown if the server answered with a refusal. `error` is the stable code, `message` its text in the
 * member's language.
 */
export class ApiError extends Error {
  readonly status: number
  readonly error: ErrorCode | 'UNKNOWN'
  readonly details: Record<string, unknown>
  /** The server's Retry-After; 0 without one. */
  readonly retryAfterMs: number

  constructor(
    status: number,
    error: ErrorCode | 'UNKNOWN',
    message: string,
    details: Record<string, unknown> = {},
    retryAfterMs = 0,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.error = error
    this.details = details
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Codes of the specification, section 8: no response in time or no network; aborted by the app; a failed file
 * transfer.
 */
export const TRANSPORT_CODES = { timeout: 5, network: 5, abort: 600003, transfer: 602001 } as const
export type TransportCause = keyof typeof TRANSPORT_CODES

/** Thrown if the server was not reached, or the response is not one of the API. */
export class TransportError extends Error {
  readonly code: number
  readonly reason: TransportCause

  constructor(reason: TransportCause, message: string) {
    super(message)
    this.name = 'TransportError'
    this.reason = reason
    this.code = TRANSPORT_CODES[reason]
  }
}

const UNREACHABLE = [502, 503, 504]

const TOO_MANY_REQUESTS = 429
/** The pause after too many requests if the server specifies none. */
const LIMIT_PAUSE_MS = 5_000

/**
 * Returns the pause after an error that means that the server was not reached, could not serve or received
 * too many requests; null for any other error. Without the chain, the server serves all calls that do not
 * need it.
 */
export function pauseAfter(error: unknown): Pause | null {
  if (error instanceof TransportError)
    return error.reason === 'abort' ? null : { ms: 0, reason: 'unreachable' }
  if (!(error instanceof ApiError) || error.error === 'CHAIN_UNAVAILABLE') return null
  const { status, retryAfterMs } = error
  if (status === TOO_MANY_REQUESTS) return { ms: retryAfterMs || LIMIT_PAUSE_MS, reason: 'limited' }
  return UNREACHABLE.includes(status) ? { ms: retryAfterMs, reason: 'unreachable' } : null
}

/** The display of a failed call. Specification section 7. */
export type FailureDisplay =
  | { kind: 'none' }
  | { kind: 'toast'; text: string; signOut: boolean }
  | { kind: 'modal'; text: string }

/**
 * Returns the display of a failed call: a toast with the server's text for a refusal, which on 401 also ends
 * the session, a modal for a 500 or a failed transport, nothing for an abort.
 */
export function displayOf(failure: unknown): FailureDisplay {
  if (failure instanceof ApiError) {
    if (failure.status === 500) return { kind: 'modal', text: failure.message }
    return { kind: 'toast', text: failure.message, signOut: failure.status === 401 }
  }
  if (failure instanceof TransportError) {
    return failure.reason === 'abort' ? { kind: 'none' } : { kind: 'modal', text: failure.message }
  }
  return { kind: 'modal', text: failure instanceof Error ? failure.message : String(failure) }
}

/** Returns the promise's result, or throws a `TransportError` with the cause `timeout` after 60 s. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TransportError('timeout', 'timeout')), OTHER_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
