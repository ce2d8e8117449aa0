import pg from 'pg'
import { columnTypes } from './column-types.ts'

/** The part of pg's connection that its types lack. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { text: string; name: string | undefined }): void
  bind(message: { statement: string | undefined; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: '' }): void
  execute(message: object): void
  flush(): void
  sync(): void
}

/** A statement of pg with the handlers of its messages, which pg's types lack. */
interface Statement extends pg.Query {
  readonly text: string
  readonly name: string | undefined
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: Error, connection: Connection | undefined): void
}

/** A statement with its values in the form of the protocol. */
interface Sending {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** A statement to send: its text, the name under which it is prepared, and its values. */
export interface StatementConfig {
  readonly text: string
  readonly name?: string | undefined
  readonly values: readonly unknown[]
}

type Answer = (error: Error | null | undefined, result: pg.QueryResult) => void

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * A transaction without `begin` and `commit`. In PostgreSQL's extended protocol, the statements before a Sync message are one
 * transaction, which Sync commits; this sends a Flush after each instead, and Sync at the end. Statements whose results nobody
 * reads are held back and go with the next one, or with the Sync, in one packet. After an error, or when the connection ends before
 * Sync, PostgreSQL undoes all of them. Submit it as a query to a client, and nothing else until it has ended.
 */
export class CallTransaction implements pg.Submittable {
  readonly #client: pg.PoolClient
  #connection: Connection | undefined
  #held: Sending[] = []
  /** Sent statements without an answer; the answers come in the same order. */
  #sent: Statement[] = []
  #isSubmitted = false
  #isSynced = false
  #failure: Error | undefined
  #ended: { resolve(): void; reject(error: Error): void } | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Executes a statement and returns its result. */
  query(config: StatementConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const isQueued = this.#queue(config, (error, result) => (error ? reject(error) : resolve(result)))
      if (isQueued) this.#send()
    })
  }

  /** Holds a statement back until the next one or the commit, which throws its error, changed by `refusal`. */
  hold(config: StatementConfig, refusal: (error: Error) => Error): void {
    this.#queue(config, (error) => {
      if (error) this.#failure ??= refusal(error)
    })
  }

  /** Commits. Throws the error of a statement that was held back, or of the commit. */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#failure
    if (!this.#isSubmitted && this.#held.length === 0) return
    await this.#end()
  }

  /** Undoes all statements. */
  async rollback(): Promise<void> {
    this.#held = []
    if (this.#failure || !this.#isSubmitted) return
    // PostgreSQL warns of a ROLLBACK without BEGIN, which makes the transaction an explicit one here.
    for (const text of ['begin', 'rollback']) this.#queue({ text, values: [] }, () => undefined)
    await this.#end()
  }

  /** Makes it a transaction with `begin`, for statements that need one; from then on it is the client's. */
  async becomeExplicit(): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#queue({ text: 'begin', values: [] }, () => undefined)
    await this.#end()
  }

  #queue({ text, name, values }: StatementConfig, answer: Answer): boolean {
    if (this.#failure) {
      answer(this.#failure, undefined as never)
      return false
    }
    const statement = new pg.Query({
      text,
      name,
      values: [],
      types: columnTypes,
    } as pg.QueryConfig) as Statement
    Object.assign(statement, { callback: answer })
    // A value that cannot be sent throws here, before anything was.
    this.#held.push({ statement, values: values.map(prepareValue) })
    return true
  }

  #end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ended = { resolve, reject }
      this.#isSynced = true
      this.#send()
    })
  }

  /** Sends what is held back in one packet. */
  #send(): void {
    if (!this.#isSubmitted) {
      this.#isSubmitted = true
      this.#client.query(this)
      return
    }
    const connection = this.#connection
    if (connection === undefined) return
    connection.stream.cork()
    for (const { statement, values } of this.#held) {
      const { name, text } = statement
      const isPrepared =
        name !== undefined &&
        (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) !== undefined
      if (!isPrepared) {
        connection.parse({ text, name })
        if (name !== undefined) connection.submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values })
      connection.describe({ type: 'P', name: '' })
      connection.execute({})
      this.#sent.push(statement)
    }
    this.#held = []
    if (this.#isSynced) connection.sync()
    else connection.flush()
    connection.stream.uncork()
  }

  // From here on: what pg's client calls.

  /** The name and text of the statement that is being answered. */
  get name(): string | undefined {
    return this.#sent[0]?.name
  }

  get text(): string | undefined {
    return this.#sent[0]?.text
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as unknown as Connection
    this.#send()
  }

  handleRowDescription(message: unknown): void {
    this.#sent[0]!.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#sent[0]!.handleDataRow(message)
  }

  handleCommandComplete(message: unknown): void {
    const statement = this.#sent.shift()!
    statement.handleCommandComplete(message, this.#connection!)
    statement.handleReadyForQuery(this.#connection!)
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#ended?.reject(this.#failure)
    else this.#ended?.resolve()
  }

  /** Fails all statements without an answer, and lets PostgreSQL end the transaction, which it has undone. */
  handleError(error: Error): void {
    const unanswered = [...this.#sent, ...this.#held.map(({ statement }) => statement)]
    this.#sent = []
    this.#held = []
    for (const statement of unanswered) {
      // PostgreSQL skips what comes after an error, so later statements are not prepared.
      if (statement.name !== undefined) delete this.#connection?.submittedNamedStatements[statement.name]
      statement.handleError(this.#failure ?? error, this.#connection)
    }
    this.#failure ??= error
    if (!this.#isSynced) this.#connection?.sync()
    this.#isSynced = true
    this.#ended?.reject(this.#failure)
  }
}
