import pg from 'pg'
import { StartError } from '../lib/start-error.ts'

/**
 * SQLSTATEs of problems outside the program: connection, sign-in, disk and memory, an operator's or a
 * system's intervention (classes 08, 28, 53, 57, 58); a missing right; a read-only server.
 */
const OUTSIDE = /^(08|28|53|57|58)|^42501$|^25006$/

/**
 * Returns one line for a problem outside the program; only a defect of the program itself is shown with its
 * stack.
 */
export function explain(error: unknown): string {
  if (error instanceof StartError) return error.message
  const refusal = databaseErrorIn(error)
  if (OUTSIDE.test(refusal?.code ?? '')) return `the database refuses: ${refusal?.message.split('\n', 1)[0]}`
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return `the disk is full${path ? `: ${path}` : ''} (DATA_DIR)`
  if (code && syscall) return `${code}: ${syscall} ${path ?? ''}`.trim()
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Errors of PostgreSQL that no waiting ends: an unknown login, a wrong password, and no database of the name. */
const WRONG_ADDRESS = new Set(['28000', '28P01', '3D000'])

/** Throws StartError for an error of a connection that only another value of the setting can mend. */
export function refuseWrongAddress(error: unknown, setting: string): void {
  const { code, message } = error as { code?: string; message: string }
  if (WRONG_ADDRESS.has(code ?? ''))
    throw new StartError(`the database refuses ${setting}: ${message}`, { cause: error })
}

function databaseErrorIn(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof pg.DatabaseError) return error
  return error instanceof Error && error.cause !== undefined ? databaseErrorIn(error.cause) : undefined
}
