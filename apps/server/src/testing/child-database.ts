import { createDatabase, type Database, type DatabaseOptions } from '../db/database.ts'

/** Opens the database of a program that a test has started; on a cluster, `test:citus` says so to the programs too. */
export const createChildDatabase = (options: Omit<DatabaseOptions, 'isDistributed'>): Database =>
  createDatabase({ ...options, isDistributed: Boolean(process.env.CITUS_DATABASE_URL) })
