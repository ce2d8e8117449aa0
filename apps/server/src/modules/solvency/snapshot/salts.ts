import { createCipheriv, createHash, createHmac } from 'node:crypto'
import type { Day } from '@rif/rules'
import { type Words, wordsOf } from '@rif/solvency'

/** The salts of the leaves of a day, by member. */
export interface Salts {
  /** Identifies the key, without revealing it. */
  readonly keyId: string
  /** Returns the 32 bytes of a member. */
  readonly of: (memberId: number) => Uint8Array
  /** Returns words that hold them; valid until the next call. */
  readonly blockOf: (memberId: number) => Words
  /** Returns the word at which they begin in the block. */
  readonly at: (memberId: number) => number
}

const SALT_BYTES = 32
const SALT_WORDS = SALT_BYTES / 4
const BLOCK_MEMBERS = 1_024
const AES_BLOCK_BYTES = 16
const ZEROS = Buffer.alloc(BLOCK_MEMBERS * SALT_BYTES)

/**
 * Derives the salts of a day from the operator's key, which is not in the database: the keystream of AES-256 in counter mode
 * under a key of the day, 32 bytes for each member number. A salt says nothing about any other.
 */
export function saltsOf(key: Uint8Array, day: Day): Salts {
  const dayKey = createHmac('sha256', key).update(`RIF solvency salts ${day}`).digest()
  const stream = new Uint8Array(ZEROS.length)
  const words = wordsOf(stream)
  let block = -1
  function blockOf(memberId: number): Words {
    const wanted = Math.floor(memberId / BLOCK_MEMBERS)
    if (wanted !== block) {
      stream.set(createCipheriv('aes-256-ctr', dayKey, counterOf(wanted)).update(ZEROS))
      block = wanted
    }
    return words
  }
  // A remainder of numbers that are no small integers costs as much as a tenth of a hash.
  const at = (memberId: number) =>
    (memberId - Math.floor(memberId / BLOCK_MEMBERS) * BLOCK_MEMBERS) * SALT_WORDS
  return {
    ...{ keyId: saltKeyId(key), blockOf, at },
    of(memberId) {
      blockOf(memberId)
      const first = at(memberId) * 4
      return stream.slice(first, first + SALT_BYTES)
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
