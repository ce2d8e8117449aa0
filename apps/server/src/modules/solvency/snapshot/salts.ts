import { createCipheriv, createHash, createHmac } from 'node:crypto'
import type { Day } from '@rif/rules'

/** The salts of the leaves of a day, by member. */
export interface Salts {
  /** Identifies the key, without revealing it. */
  readonly keyId: string
  /** Returns the 32 bytes of a member. */
  readonly of: (memberId: bigint) => Uint8Array
  /** Returns an array that holds them, and their offset. */
  readonly at: (memberId: bigint) => readonly [Uint8Array, number]
}

const SALT_BYTES = 32
const BLOCK_MEMBERS = 1_024
const AES_BLOCK_BYTES = 16
const ZEROS = Buffer.alloc(BLOCK_MEMBERS * SALT_BYTES)

/**
 * Derives the salts of a day from the operator's key, which is not in the database: the keystream of AES-256 in counter mode
 * under a key of the day, 32 bytes for each member number. A salt says nothing about any other.
 */
export function saltsOf(key: Uint8Array, day: Day): Salts {
  const dayKey = createHmac('sha256', key).update(`RIF solvency salts ${day}`).digest()
  let block = -1
  let stream: Uint8Array = ZEROS
  function at(memberId: bigint): readonly [Uint8Array, number] {
    // Member numbers are counted up from 1, far below 2^53.
    const number = Number(memberId)
    if (Math.floor(number / BLOCK_MEMBERS) !== block) {
      block = Math.floor(number / BLOCK_MEMBERS)
      stream = createCipheriv('aes-256-ctr', dayKey, counterOf(block)).update(ZEROS)
    }
    return [stream, (number % BLOCK_MEMBERS) * SALT_BYTES]
  }
  return {
    ...{ keyId: saltKeyId(key), at },
    of(memberId) {
      const [salts, first] = at(memberId)
      return salts.subarray(first, first + SALT_BYTES)
    },
  }
}

/** Returns what identifies a key in the database and in messages. */
export function saltKeyId(key: Uint8Array): string {
  return createHash('sha256').update('RIF solvency key').update(key).digest('hex').slice(0, 16)
}

/** Returns the first counter of a block of members. */
function counterOf(block: number): Buffer {
  const counter = Buffer.alloc(AES_BLOCK_BYTES)
  counter.writeBigUInt64BE(BigInt((block * BLOCK_MEMBERS * SALT_BYTES) / AES_BLOCK_BYTES), 8)
  return counter
}
