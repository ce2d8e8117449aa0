import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { AppError } from './errors.ts'

/** Within this time, lines with the same text about the same outage are one line. */
const ONCE_IN_MS = 60_000
const PARTS_AWAY = new Set(['UNAVAILABLE', 'CHAIN_UNAVAILABLE', 'SIGNER_UNAVAILABLE'])

/** An error of a part that is away, in the form of a log line: without a stack, which shows nothing about it. */
export interface OutageLine {
  readonly cause: string
  readonly reason: string
  /** The lines that were left out since the last one. */
  readonly leftOut?: number
}

/** Returns what is away when a part of the product fails with this error; undefined for any other error. */
function causeOf(error: unknown): string | undefined {
  if (error instanceof AppError) return PARTS_AWAY.has(error.code) ? error.code : undefined
  return isDatabaseUnavailable(error) ? 'database' : undefined
}

/**
 * Returns a function that turns an error of an outage into one line a minute for each text. It returns 'none' for a line to leave out,
 * and undefined for an error that is no outage.
 */
export function createOutageLines(now: () => number = Date.now) {
  const last = new Map<string, { at: number; leftOut: number }>()
  return (error: unknown, text: string): OutageLine | 'none' | undefined => {
    const cause = causeOf(error)
    if (cause === undefined) return undefined
    const key = `${cause} ${text}`
    const before = last.get(key)
    if (before !== undefined && now() - before.at < ONCE_IN_MS) {
      before.leftOut++
      return 'none'
    }
    last.set(key, { at: now(), leftOut: 0 })
    const { message, errors } = error as Error & { errors?: Error[] }
    const reason = (message || errors?.[0]?.message || cause).split('\n', 1)[0]!
    return { cause, reason, ...(before !== undefined && before.leftOut > 0 && { leftOut: before.leftOut }) }
  }
}
