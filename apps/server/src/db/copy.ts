import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
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

/** A COPY to run on a connection, given as the only parameter of the statement. */
class CopyOperation {
  readonly run: (client: pg.PoolClient, text: string) => Promise<void>

  constructor(run: CopyOperation['run']) {
    this.run = run
  }
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END = -1
const NULL = -1
const CHUNK_BYTES = 65_536
const BYTES_OF = { bigint: 8, integer: 4, smallint: 2 } as const

/** Runs a statement whose only parameter is a COPY; returns undefined for any other statement. */
export function runCopy(
  client: pg.PoolClient,
  text: string,
  [operation]: readonly unknown[],
): Promise<Partial<pg.QueryResult>> | undefined {
  if (!(operation instanceof CopyOperation)) return undefined
  return operation.run(client, text).then(() => ({ command: 'COPY', rows: [] }))
}

async function execute(dbTx: Kysely<DB>, text: string, run: CopyOperation['run']): Promise<void> {
  await dbTx.executeQuery(CompiledQuery.raw(text, [new CopyOperation(run)]))
}

/** Passes the rows of a query without parameters to `use`, one by one. `use` must not keep a row. */
export async function copyOut(
  dbTx: Kysely<DB>,
  query: RawBuilder<unknown>,
  use: (row: CopiedRow) => void,
): Promise<void> {
  const { sql, parameters } = query.compile(dbTx)
  if (parameters.length > 0) throw new Error('COPY takes no parameters')
  await execute(dbTx, `copy (${sql}) to stdout (format binary)`, async (client, text) => {
    const reader = new RowReader(use)
    let failure: unknown
    // Read to its end in any case, so that the connection can be used again.
    for await (const chunk of client.query(copyTo(text))) {
      if (failure !== undefined) continue
      try {
        reader.read(chunk as Buffer)
      } catch (error) {
        failure = error
      }
    }
    if (failure !== undefined) throw failure
  })
}

/** Reads rows out of chunks, which end anywhere. The first row follows the signature, the last one the trailer. */
class RowReader implements CopiedRow {
  readonly #use: (row: CopiedRow) => void
  #data: Buffer = Buffer.alloc(0)
  #at = 0
  #isBegun = false

  constructor(use: (row: CopiedRow) => void) {
    this.#use = use
  }

  read(chunk: Buffer): void {
    const data = this.#data.length === 0 ? chunk : Buffer.concat([this.#data, chunk])
    let start = 0
    if (!this.#isBegun) {
      if (data.length < SIGNATURE.length) {
        this.#data = data
        return
      }
      start = SIGNATURE.length
      this.#isBegun = true
    }
    this.#data = data
    for (let end = rowEnd(data, start); end !== undefined; end = rowEnd(data, start)) {
      this.#at = start + 2
      this.#use(this)
      start = end
    }
    this.#data = data.subarray(start)
  }

  /** Returns the length of the next column, and moves to its value. */
  #next(): number {
    const bytes = this.#data.readInt32BE(this.#at)
    this.#at += 4
    return bytes
  }

  int(): number {
    const bytes = this.#next()
    if (bytes === NULL) return 0
    const at = this.#at
    this.#at += bytes
    return bytes === 8
      ? this.#data.readInt32BE(at) * 2 ** 32 + this.#data.readUInt32BE(at + 4)
      : this.#data.readIntBE(at, bytes)
  }

  micros(): bigint {
    const bytes = this.#next()
    if (bytes === NULL) return 0n
    const at = this.#at
    this.#at += bytes
    return bytes === 8 ? this.#data.readBigInt64BE(at) : BigInt(this.#data.readIntBE(at, bytes))
  }

  bytes(): Uint8Array {
    const bytes = Math.max(this.#next(), 0)
    const at = this.#at
    this.#at += bytes
    return this.#data.subarray(at, at + bytes)
  }
}

/** Returns where a row ends; undefined if the data end before, or at the trailer. */
function rowEnd(data: Buffer, start: number): number | undefined {
  if (start + 2 > data.length) return undefined
  const columns = data.readInt16BE(start)
  if (columns === END) return undefined
  let at = start + 2
  for (let column = 0; column < columns; column++) {
    if (at + 4 > data.length) return undefined
    at += 4 + Math.max(data.readInt32BE(at), 0)
  }
  return at > data.length ? undefined : at
}

/** Writes rows into a table. */
export async function copyIn(
  dbTx: Kysely<DB>,
  table: string,
  columns: readonly CopyColumn[],
  rows: number,
): Promise<void> {
  const names = columns.map((column) => column.name).join(', ')
  await execute(dbTx, `copy ${table} (${names}) from stdin (format binary)`, (client, text) =>
    pipeline(Readable.from(encode(columns, rows)), client.query(copyFrom(text))),
  )
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
