import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database } from '../db/database.ts'

export type TestDatabase = Database & { url: string }

/**
 * A fresh, migrated database for a test file: call it in `beforeAll`, and its `close` in `afterAll`, which drops it.
 * Files run side by side, each with a database of its own on the run's one server. With `copyOf` it is a copy of another
 * one, to which nobody may be connected.
 */
export async function createTestDatabase(
  options: { max?: number; role?: string; copyOf?: string } = {},
): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const template = options.copyOf === undefined ? 'rif_template' : new URL(options.copyOf).pathname.slice(1)
  // Copied as files, twice as fast as through the log; what a crash leaves of it does not matter.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('databaseServerUrl'))
  url.pathname = `/${name}`
  const database = createDatabase({
    url: url.href,
    max: options.max ?? 10,
    applicationName: 'rif-test',
    ...(options.role && { role: options.role }),
  })
  const close = async () => {
    await database.close()
    await onServer(`drop database ${name} with (force)`)
  }
  return { ...database, url: url.href, close }
}

/** An empty database, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name}`)
  const url = new URL(inject('databaseServerUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseServerUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
