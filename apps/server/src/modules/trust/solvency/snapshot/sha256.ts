import { hash } from 'node:crypto'
import type { HashInto } from '@rif/solvency'

/**
 * A buffer with the method that `write` calls for texts of this encoding; its cost matters compared with a
 * hash.
 */
export type Latin1Buffer = Buffer & { latin1Write(text: string, at: number, bytes: number): number }

const HASH_BYTES = 32

/**
 * Creates a SHA-256 for many short inputs whose results go into one array. Text output costs a quarter of a
 * new buffer for each hash.
 */
export function createSha256(): HashInto {
  let target: Uint8Array | undefined
  let buffer: Latin1Buffer
  return (data, into, at) => {
    if (into !== target) {
      target = into
      buffer = Buffer.from(into.buffer, into.byteOffset, into.byteLength) as Buffer as Latin1Buffer
    }
    buffer.latin1Write(hash('sha256', data, 'binary'), at, HASH_BYTES)
  }
}

export const sha256Into: HashInto = createSha256()
