import type pg from 'pg'
import { isCopy, runCopy } from './copy.ts'
import { Held } from './held.ts'
import { literalOf } from './literals.ts'

/** A statement in the form that a connection sends. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Sending extends SentStatement {
  readonly refusal?: Held['refusal']
}

export interface SenderOptions {
  /** Returns the name under which a statement with parameters is prepared. */
  readonly nameOf: (text: string) => string | undefined
  /** Receives the statements of each message. */
  readonly onMessage: ((statements: readonly SentStatement[]) => void) | undefined
}

/** Sends the statements of one connection. */
export interface Sender {
  send(text: string, values: readonly unknown[]): Promise<pg.QueryResult>
  /**
   * Sends held statements and then statements of a transaction, in one message if possible. Returns their
   * results.
   */
  sendAll(statements: readonly SentStatement[]): Promise<readonly pg.QueryResult[]>
}

/** `commit`, and the text with which a distributed database commits. */
const COMMITS = /(^|; )commit$/

const NOTHING: pg.QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] }

/**
 * Creates the sender of a connection. `begin`, and statements whose results are not needed, are held until
 * the next statement or the commit and sent with it in one message: a text of several statements, which
 * PostgreSQL executes in order until one fails. Statements with parameters are called in it by their prepared
 * names (`execute`), so their first execution is sent separately.
 */
export function createSender(client: pg.PoolClient, { nameOf, onMessage }: SenderOptions): Sender {
  const prepared = new Set<string>()
  let waiting: Sending[] = []
  let isInTx = false

  async function sendOne({ text, values }: Sending): Promise<pg.QueryResult> {
    const name = values.length > 0 ? nameOf(text) : undefined
    onMessage?.([{ text, values }])
    const result = await client.query({ name, text, values: values as unknown[] })
    if (name !== undefined) prepared.add(name)
    return result
  }

  /** Returns statements as one text; undefined if one is not prepared yet or a value has no safe literal. */
  function merged(statements: readonly Sending[]): string | undefined {
    const texts: string[] = []
    for (const { text, values } of statements) {
      if (text === 'begin' || COMMITS.test(text)) {
        texts.push(text)
        continue
      }
      const name = values.length > 0 ? nameOf(text) : undefined
      if (name === undefined || !prepared.has(name)) return undefined
      const literals = values.map(literalOf)
      if (literals.includes(undefined)) return undefined
      texts.push(`execute ${name}(${literals.join(',')})`)
    }
    return texts.join(';')
  }

  async function sendWithWaiting(last: readonly Sending[]): Promise<readonly pg.QueryResult[]> {
    const statements = [...waiting, ...last]
    waiting = []
    const text = statements.length > 1 ? merged(statements) : undefined
    try {
      const results: pg.QueryResult[] = []
      if (text === undefined) {
        for (const statement of statements) results.push(await sendOne(statement))
      } else {
        onMessage?.(statements)
        results.push(...((await client.query(text)) as unknown as pg.QueryResult[]))
      }
      return results.slice(-last.length)
    } catch (error) {
      throw statements.reduce<unknown>((kept, { refusal }) => refusal?.(kept) ?? kept, error)
    }
  }

  /** Sends the held statements alone. */
  async function flush(): Promise<void> {
    const last = waiting.pop()
    if (last !== undefined) await sendWithWaiting([last])
  }

  async function send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const [first] = values
    if (text === 'begin' || (first instanceof Held && isInTx)) {
      isInTx = true
      waiting.push(first instanceof Held ? { text, ...first } : { text, values })
      return NOTHING
    }
    if (text.startsWith('start transaction')) isInTx = true
    const isCommit = COMMITS.test(text)
    if (isCommit || text === 'rollback') {
      isInTx = false
      const hasBegun = waiting[0]?.text !== 'begin'
      // Held statements have no effect if the transaction is rolled back.
      if (text === 'rollback') waiting = []
      if (!hasBegun && waiting.length <= 1) {
        waiting = []
        return { ...NOTHING, command: isCommit ? 'COMMIT' : 'ROLLBACK' }
      }
    }
    if (isCopy(first)) {
      await flush()
      return runCopy(client, text, first)
    }
    // Nothing to send with it: the way of nearly every statement outside a transaction.
    if (waiting.length === 0 && !(first instanceof Held)) return sendOne({ text, values })
    const [result] = await sendWithWaiting([first instanceof Held ? { text, ...first } : { text, values }])
    return result!
  }

  return { send, sendAll: sendWithWaiting }
}
