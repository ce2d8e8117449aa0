import { createDatabase, type Database, type DatabaseOptions } from '../db/database.ts'

/**
 * Opens the database of a program that a test has started. On a cluster, `test:citus` also configures the
 * programs for it.
 */
export const createChildDatabase = (options: Omit<DatabaseOptions, 'isDistributed'>): Database =>
  createDatabase({ ...options, isDistributed: Boolean(process.env.CITUS_DATABASE_URL) })
