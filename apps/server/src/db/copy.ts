import { once } from 'node:events'
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { DB } from './types.gen.ts'

/** COPY in PostgreSQL's binary format, which for many rows costs a fraction of statements. */

/** A row of COPY, read column by column. Columns are integers, where null reads as 0, or bytes. */
export interface CopiedRow {
  /** Returns the next column as a number. */
  int(): number
  /** Returns the next column as a bigint. */
  micros(): bigint
  /** Returns the next column, of type bytea; valid until the next row. */
  bytes(): Uint8Array
}

/** A column to write: its type, and its value in a row. */
export type CopyColumn =
  | { readonly name: string; readonly type: 'text'; readonly value: string }
  | {
      readonly name: string
      readonly type: 'bigint' | 'integer' | 'smallint'
      readonly value: (row: number) => bigint | number
    }

/** Identifies a COPY among the parameters of a statement. */
const RUN = Symbol('copy')

/** A COPY to run on a connection, passed as the only parameter of the statement. */
interface CopyOperation {
  readonly [RUN]: (client: pg.PoolClient, text: string) => Promise<pg.QueryResult>
}

/** The methods of pg's connection that its types lack. */
type Connection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** The handlers of COPY messages that pg calls on a submitted query. */
interface CopyMessages {
  handleCopyData?(message: { chunk: Buffer }): void
  handleCopyInResponse?(connection: Connection): void
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END = -1
const NULL = -1
const CHUNK_BYTES = 65_536
const BYTES_OF = { bigint: 8, integer: 4, smallint: 2 } as const

/** Runs a statement whose only parameter is a COPY. */
export function runCopy(
  client: pg.PoolClient,
  text: string,
  operation: CopyOperation,
): Promise<pg.QueryResult> {
  return operation[RUN](client, text)
}

/** Reports whether the parameter of a statement is a COPY. */
export function isCopy(value: unknown): value is CopyOperation {
  return typeof value === 'object' && value !== null && RUN in value
}

/** Passes the rows of a query without parameters to `use`, one by one. `use` must not keep a row. */
export async function copyOut(
  dbTx: Kysely<DB>,
  query: RawBuilder<unknown>,
  use: (row: CopiedRow) => void,
): Promise<void> {
  const { sql, parameters } = query.compile(dbTx)
  if (parameters.length > 0) throw new Error('COPY takes no parameters')
  await execute(dbTx, `copy (${sql}) to stdout (format binary)`, readRows(use))
}

/** Writes rows into a table. */
export async function copyIn(
  dbTx: Kysely<DB>,
  table: string,
  columns: readonly CopyColumn[],
  rows: number,
): Promise<void> {
  const names = columns.map((column) => column.name).join(', ')
  await execute(dbTx, `copy ${table} (${names}) from stdin (format binary)`, (settled) => ({
    handleCopyInResponse: (connection) => void send(connection, encode(columns, rows), settled),
  }))
}

async function execute(
  dbTx: Kysely<DB>,
  text: string,
  messages: (settled: Promise<unknown>) => CopyMessages,
): Promise<void> {
  const run: CopyOperation[typeof RUN] = async (client, statement) => {
    let settle: (error?: Error) => void = () => undefined
    const ended = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error))
    })
    // The sender of the rows also waits for the end, successful or not.
    const settled = ended.catch(() => undefined)
    let failure: Error | undefined
    client.query({
      submit: (connection: pg.Connection) => connection.query(statement),
      handleRowDescription: () => undefined,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => settle(failure),
      handleError: (error: Error) => settle(error),
      ...guarded(messages(settled), (error) => {
        failure ??= error
      }),
    } as pg.Submittable)
    await ended
    return { command: 'COPY', rowCount: null, oid: 0, fields: [], rows: [] }
  }
  await dbTx.executeQuery(CompiledQuery.raw(text, [{ [RUN]: run } satisfies CopyOperation]))
}

/** Makes an error in the handling of a row fail the statement instead of the connection. */
function guarded(messages: CopyMessages, fail: (error: Error) => void): CopyMessages {
  const { handleCopyData } = messages
  if (handleCopyData === undefined) return messages
  return {
    handleCopyData: (message) => {
      try {
        handleCopyData(message)
      } catch (error) {
        fail(error as Error)
      }
    },
  }
}

/** Each message is one row; the first one starts with the signature, and the last one is the trailer. */
function readRows(use: (row: CopiedRow) => void): () => CopyMessages {
  let data: Buffer = Buffer.alloc(0)
  let at = 0
  const next = () => {
    const bytes = data.readInt32BE(at)
    const begin = at + 4
    at = begin + Math.max(bytes, 0)
    return { bytes, begin }
  }
  const row: CopiedRow = {
    int() {
      const { bytes, begin } = next()
      if (bytes === NULL) return 0
      return bytes === 8
        ? data.readInt32BE(begin) * 2 ** 32 + data.readUInt32BE(begin + 4)
        : data.readIntBE(begin, bytes)
    },
    micros() {
      const { bytes, begin } = next()
      if (bytes === NULL) return 0n
      return bytes === 8 ? data.readBigInt64BE(begin) : BigInt(data.readIntBE(begin, bytes))
    },
    bytes() {
      const { bytes, begin } = next()
      return data.subarray(begin, begin + Math.max(bytes, 0))
    },
  }
  let begun = false
  return () => ({
    handleCopyData({ chunk }) {
      data = chunk
      at = begun ? 0 : SIGNATURE.length
      begun = true
      if (data.readInt16BE(at) === END) return
      at += 2
      use(row)
    },
  })
}

/** Encodes the rows in the binary format, in chunks. */
function* encode(columns: readonly CopyColumn[], rows: number): Generator<Buffer> {
  const texts = columns.map((column) => (column.type === 'text' ? Buffer.from(column.value) : undefined))
  const rowBytes = columns.reduce(
    (sum, column, index) => sum + 4 + (column.type === 'text' ? texts[index]!.length : BYTES_OF[column.type]),
    2,
  )
  const rowsPerChunk = Math.max(1, Math.floor(CHUNK_BYTES / rowBytes))
  yield SIGNATURE
  for (let start = 0; start < rows; start += rowsPerChunk) {
    const end = Math.min(start + rowsPerChunk, rows)
    const chunk = Buffer.allocUnsafe((end - start) * rowBytes)
    let at = 0
    for (let row = start; row < end; row++) {
      at = chunk.writeInt16BE(columns.length, at)
      for (let index = 0; index < columns.length; index++) {
        at = writeColumn(chunk, at, columns[index]!, texts[index], row)
      }
    }
    yield chunk
  }
  const end = Buffer.alloc(2)
  end.writeInt16BE(END)
  yield end
}

function writeColumn(
  chunk: Buffer,
  at: number,
  column: CopyColumn,
  text: Buffer | undefined,
  row: number,
): number {
  if (column.type === 'text') {
    const begin = chunk.writeInt32BE(text!.length, at)
    return begin + text!.copy(chunk, begin)
  }
  const value = column.value(row)
  const begin = chunk.writeInt32BE(BYTES_OF[column.type], at)
  if (column.type === 'bigint') return chunk.writeBigInt64BE(BigInt(value), begin)
  return column.type === 'integer'
    ? chunk.writeInt32BE(Number(value), begin)
    : chunk.writeInt16BE(Number(value), begin)
}

/** Sends chunks as fast as the server accepts them, and stops when the statement has failed. */
async function send(
  connection: Connection,
  chunks: Iterable<Buffer>,
  settled: Promise<unknown>,
): Promise<void> {
  let over = false
  void settled.then(() => {
    over = true
  })
  try {
    for (const chunk of chunks) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) {
        await Promise.race([once(connection.stream, 'drain').catch(() => undefined), settled])
      }
      if (over) return
    }
    connection.endCopyFrom()
  } catch (error) {
    connection.sendCopyFail((error as Error).message)
  }
}
