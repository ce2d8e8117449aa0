import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Db } from '../../../db/database.ts'
import { insertChunk } from './statements.repository.ts'

const compress = promisify(gzip)
/** The approximate size of chunks before compression. */
const CHUNK_BYTES = 1_048_576
/** Fast: a table of figures shrinks to a tenth at any level. */
const LEVEL = 1

/** Writes a file chunk by chunk within a transaction, so that it exists completely or not at all. */
export function createFileWriter(dbTx: Db, statementId: bigint) {
  const hash = createHash('sha256')
  let position = 0
  let sizeBytes = 0
  let texts: string[] = []
  let length = 0

  async function writeBytes(content: Buffer): Promise<void> {
    hash.update(content)
    sizeBytes += content.length
    await insertChunk(dbTx, statementId, position, await compress(content, { level: LEVEL }))
    position += 1
  }

  async function flush(): Promise<void> {
    const content = Buffer.from(texts.join(''))
    texts = []
    length = 0
    if (content.length > 0) await writeBytes(content)
  }

  return {
    /** Appends a text. */
    async write(text: string): Promise<void> {
      texts.push(text)
      length += text.length
      if (length >= CHUNK_BYTES) await flush()
    },

    /** Appends bytes. */
    async writeAll(content: Buffer): Promise<void> {
      for (let at = 0; at < content.length; at += CHUNK_BYTES)
        await writeBytes(content.subarray(at, at + CHUNK_BYTES))
    },

    /** Writes the remainder, and returns the number of chunks, and the size and SHA-256 of the whole. */
    async end(): Promise<{ chunks: number; sizeBytes: number; digest: Buffer }> {
      await flush()
      return { chunks: position, sizeBytes, digest: hash.digest() }
    },
  }
}
