import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { runCopy } from './copy.ts'

/** The maximum of prepared statements per connection. The product has a few hundred, all with constant text. */
const MAX_STATEMENTS = 1000

/**
 * Creates a pool for Kysely that names every parameterised statement by its text, so that PostgreSQL parses and plans it
 * once per connection (a posting is a fifth faster). Needs connections that keep their session: a pooler in transaction
 * mode cannot be used.
 */
export function createPreparedPool(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    const query = (text: string, values: readonly unknown[]) => {
      const copying = runCopy(client, text, values)
      if (copying !== undefined) return copying
      const name = values.length > 0 ? nameOf(text) : undefined
      return client.query({ ...(name && { name }), text, values: [...values] })
    }
    // The other overload takes a cursor, which the dialect does not use.
    return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
  }

  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      // Kysely identifies a connection by its object, so each keeps one wrapper.
      const known = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
