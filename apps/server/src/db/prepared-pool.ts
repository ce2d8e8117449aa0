import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { runCopy } from './copy.ts'
import { currentScope, isForCalls, refuseInTx, type Scope } from './lanes.ts'

/** The maximum of prepared statements per connection. The product has a few hundred, all with constant text. */
const MAX_STATEMENTS = 1000

/** A statement, as the connection sends it. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A connection as Kysely sees it, and what uses it. */
interface Wrapped extends PostgresPoolClient {
  holdFor(scope: Scope, giveBack: (() => void) | undefined): void
}

/** A pool for Kysely. */
export interface PreparedPool extends PostgresPool {
  /** Closes the connections that calls use, or what several calls share. */
  closeHeld(): void
}

export interface PreparedPoolOptions {
  /** Returns a connection for the current scope, and what to call when it is free again. */
  readonly connectInScope: () => Promise<{ client: pg.PoolClient; giveBack: (() => void) | undefined }>
  readonly end: () => Promise<void>
  /** Receives each statement. */
  readonly onStatement: ((statement: SentStatement) => void) | undefined
}

/** The part of a connection that its type lacks. */
type Connected = pg.PoolClient & { readonly connection: { readonly stream: { destroy(): void } } }

/**
 * Creates a pool for Kysely that names every parameterised statement by its text, so that PostgreSQL parses and plans it once per
 * connection (a posting is a fifth faster). When the request that
 * holds a connection has ended, lets its statement end, which the limits of its pool stop at the latest, and sends no further one, so
 * that the transaction is rolled back and the connection stays. (A cancelled statement could be that of the next request.) Refuses a
 * second connection within a transaction. Needs connections that keep their session: a pooler in transaction mode cannot be used.
 */
export function createPreparedPool({ connectInScope, end, onStatement }: PreparedPoolOptions): PreparedPool {
  const names = new Map<string, string>()
  const closers = new Set<() => void>()
  const wrapped = new WeakMap<pg.PoolClient, Wrapped>()

  function nameOf(text: string): string | undefined {
    const preparedName = names.get(text)
    if (preparedName !== undefined || names.size >= MAX_STATEMENTS) return preparedName
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }

  function wrap(client: pg.PoolClient): Wrapped {
    const close = () => (client as Connected).connection.stream.destroy()
    let request: AbortSignal | undefined
    let whenFree: (() => void) | undefined
    return {
      // The other overload takes a cursor, which the dialect does not use.
      query: (async (text: string, values: readonly unknown[]) => {
        if (text !== 'rollback') request?.throwIfAborted()
        onStatement?.({ text, values })
        const copied = runCopy(client, text, values)
        if (copied) return copied
        const name = values.length > 0 ? nameOf(text) : undefined
        return client.query({ name, text, values: values as unknown[] })
      }) as unknown as PostgresPoolClient['query'],
      holdFor({ lane, signal }, giveBack) {
        request = signal
        whenFree = giveBack
        if (isForCalls(lane)) closers.add(close)
      },
      release() {
        closers.delete(close)
        request = undefined
        client.release()
        whenFree?.()
        whenFree = undefined
      },
    }
  }

  return {
    options: {},
    async connect() {
      const scope = currentScope()
      refuseInTx(scope)
      scope.signal?.throwIfAborted()
      const { client, giveBack } = await connectInScope()
      // Kysely identifies a connection by its object, so each keeps one wrapper.
      const wrapper = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, wrapper)
      wrapper.holdFor(scope, giveBack)
      return wrapper
    },
    end,
    closeHeld() {
      for (const close of closers) close()
    },
  }
}
