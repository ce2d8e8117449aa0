import pg from 'pg'
import { isShardMissing } from './citus/session.ts'

/** Thrown if the database cannot serve now, before a statement was sent. */
export class DatabaseUnavailable extends Error {
  constructor(problem: string) {
    super(`the database ${problem}`)
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Temporary conditions of PostgreSQL: of the connection (08), of resources (53: connections, disk, memory), a
 * server that stops or starts (57P), time limits (57014, 55P03, 25P03), and conflicts that remained after the
 * retries. The ledger refuses a day that was settled in the meantime (RL005) and a deviating clock (RL006).
 */
const PASSING_CLASSES = ['08', '53', '57P']
const PASSING_CODES = new Set(['57014', '55P03', '25P03', '40P01', '40001', 'RL005', 'RL006'])

/** The errors of the driver without a code: a broken connection, or none in time. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout expired|timeout exceeded when trying to connect)/

/** Errors of Node.js for a write to a closed connection, which do not name a system call. */
const ENDED_SOCKET_CODES = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/**
 * Reports whether an error means that the database could not serve now, so that the same request may succeed
 * later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable) return true
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error
    return (
      isShardMissing(error) ||
      PASSING_CODES.has(code) ||
      PASSING_CLASSES.some((start) => code.startsWith(start))
    )
  }
  // Errors of sockets name the system call. Several addresses of one host fail as an AggregateError.
  if ('syscall' in error || 'errors' in error || DRIVER_MESSAGES.test(error.message)) return true
  return 'code' in error && ENDED_SOCKET_CODES.has(String(error.code))
}
