import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { CallTransaction } from './call-transaction.ts'
import { isCopy, runCopy } from './copy.ts'
import { heldOf } from './held.ts'
import { currentScope, isForCalls, LANE_LIMITS, refuseInTx, type Scope } from './lanes.ts'

/** The maximum of prepared statements per connection. The product has a few hundred, all with constant text. */
const MAX_STATEMENTS = 1000

/** A connection as Kysely sees it, and what uses it. */
interface Wrapped extends PostgresPoolClient {
  holdFor(scope: Scope): void
}

/** A pool for Kysely. */
export interface PreparedPool extends PostgresPool {
  /** Closes the connections that calls use, or what several calls share. */
  closeHeld(): void
}

/** The part of a connection that its type lacks. */
type Connected = pg.PoolClient & { readonly connection: { readonly stream: { destroy(): void } } }

export interface PreparedPoolOptions {
  /** Returns a connection of the pool that the current scope names. */
  readonly connectInScope: () => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
  /** Reports whether PostgreSQL ends a transaction of this connection that takes too long, even one without `begin`. */
  readonly isTimed: (client: pg.PoolClient) => boolean
  /** Is told of each statement that is sent. */
  readonly onSent?: ((sent: SentStatement) => void) | undefined
}

/** A statement that was sent. `begin` and `commit` are statements too where they are sent. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether it is part of a transaction without `begin` and `commit`. */
  readonly isInCall: boolean
}

const NOTHING: pg.QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] }

/**
 * Creates a pool for Kysely that names every parameterised statement by its text, so that PostgreSQL parses and plans it
 * once per connection (a posting is a fifth faster). Closes a connection when the request that holds it ends: the server
 * then stops the statement and frees its locks. (A cancelled statement could be that of the next request.) Transactions of
 * calls that write go without `begin` and `commit`. Refuses a second connection within a transaction. Needs connections that
 * keep their session: a pooler in transaction mode cannot be used.
 */
export function createPreparedPool({
  connectInScope,
  end,
  isTimed,
  onSent,
}: PreparedPoolOptions): PreparedPool {
  const names = new Map<string, string>()
  const held = new Set<() => void>()
  const wrapped = new WeakMap<pg.PoolClient, Wrapped>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }

  function wrap(client: pg.PoolClient): Wrapped {
    const close = () => (client as Connected).connection.stream.destroy()
    let request: AbortSignal | undefined
    let mayBeImplicit = false
    let transaction: CallTransaction | undefined

    function send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
      onSent?.({ text, values, isInCall: false })
      const name = values.length > 0 ? nameOf(text) : undefined
      return client.query({ ...(name && { name }), text, values: [...values] })
    }

    /** Executes a statement of a transaction without `begin`. One that needs `begin` has no parameters, or copies. */
    async function inTransaction(
      open: CallTransaction,
      text: string,
      values: readonly unknown[],
    ): Promise<pg.QueryResult> {
      if (text === 'commit' || text === 'rollback') {
        transaction = undefined
        await (text === 'commit' ? open.commit() : open.rollback())
        return { ...NOTHING, command: text.toUpperCase() }
      }
      const held = heldOf(values)
      if (held !== undefined) {
        onSent?.({ text, values: held.values, isInCall: true })
        open.hold({ text, name: nameOf(text), values: held.values }, held.refusal)
        return NOTHING
      }
      if (values.length > 0 && !isCopy(values)) {
        onSent?.({ text, values, isInCall: true })
        return open.query({ text, name: nameOf(text), values })
      }
      transaction = undefined
      onSent?.({ text: 'begin', values: [], isInCall: false })
      await open.becomeExplicit()
      return query(text, values)
    }

    async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
      if (transaction !== undefined) return inTransaction(transaction, text, values)
      if (text === 'begin' && mayBeImplicit && isTimed(client)) {
        transaction = new CallTransaction(client)
        return NOTHING
      }
      const held = heldOf(values)
      if (held !== undefined)
        return send(text, held.values).catch((error: Error) => Promise.reject(held.refusal(error)))
      return runCopy(client, text, values) ?? send(text, values)
    }

    return {
      // The other overload takes a cursor, which the dialect does not use.
      query: query as unknown as PostgresPoolClient['query'],
      holdFor({ lane, signal }) {
        request = signal
        mayBeImplicit = LANE_LIMITS[lane].txMs !== undefined
        if (isForCalls(lane)) held.add(close)
        if (request === undefined) return
        if (request.aborted) close()
        else request.addEventListener('abort', close)
      },
      release() {
        held.delete(close)
        request?.removeEventListener('abort', close)
        client.release()
      },
    }
  }

  return {
    options: {},
    async connect() {
      const scope = currentScope()
      refuseInTx(scope)
      scope.signal?.throwIfAborted()
      const client = await connectInScope()
      // Kysely identifies a connection by its object, so each keeps one wrapper.
      const known = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, known)
      known.holdFor(scope)
      return known
    },
    end,
    closeHeld() {
      for (const close of held) close()
    },
  }
}
