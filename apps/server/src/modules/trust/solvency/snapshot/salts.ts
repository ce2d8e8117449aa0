import { createCipheriv, createHash, createHmac } from 'node:crypto'
import type { Day } from '@rif/rules'
import { type Lanes, lanesOf } from '@rif/solvency'

/** The salts of the leaves of a day, by member. */
export interface Salts {
  /** Identifies the key, without revealing it. */
  readonly keyId: string
  /** Returns the 32 bytes of a member. */
  readonly of: (memberId: number) => Uint8Array
  /** Returns lanes that contain them; valid until the next call. */
  readonly blockOf: (memberId: number) => Lanes
  /** Returns the lane at which they begin in the block. */
  readonly at: (memberId: number) => number
}

const SALT_BYTES = 32
const SALT_LANES = SALT_BYTES / 8
const BLOCK_MEMBERS = 1_024
const AES_BLOCK_BYTES = 16
const ZEROS = Buffer.alloc(BLOCK_MEMBERS * SALT_BYTES)

/**
 * Derives the salts of a day from the operator's key, which is not in the database: the keystream of AES-256
 * in counter mode under a key of the day, 32 bytes for each member number. A salt reveals nothing about any
 * other.
 */
export function saltsOf(key: Uint8Array, day: Day): Salts {
  const dayKey = createHmac('sha256', key).update(`RIF solvency salts ${day}`).digest()
  let stream = createCipheriv('aes-256-ctr', dayKey, counterOf(0))
  let [block, blockBytes, lanes] = [-1, new Uint8Array(0), lanesOf(new Uint8Array(0))]
  function blockOf(memberId: number): Lanes {
    const wanted = Math.floor(memberId / BLOCK_MEMBERS)
    if (wanted !== block) {
      // The stream continues with the next block; a new stream costs more than its bytes.
      if (wanted !== block + 1) stream = createCipheriv('aes-256-ctr', dayKey, counterOf(wanted))
      blockBytes = stream.update(ZEROS)
      lanes = lanesOf(blockBytes)
      block = wanted
    }
    return lanes
  }
  // A remainder of numbers that are not small integers costs a tenth of a hash.
  const at = (memberId: number) =>
    (memberId - Math.floor(memberId / BLOCK_MEMBERS) * BLOCK_MEMBERS) * SALT_LANES
  return {
    keyId: saltKeyId(key),
    blockOf,
    at,
    of(memberId) {
      blockOf(memberId)
      const first = at(memberId) * 8
      return Uint8Array.prototype.slice.call(blockBytes, first, first + SALT_BYTES)
    },
  }
}

/** Returns the identifier of a key in the database and in messages. */
export function saltKeyId(key: Uint8Array): string {
  return createHash('sha256').update('RIF solvency key').update(key).digest('hex').slice(0, 16)
}

/** Returns the first counter of a block of members. */
function counterOf(block: number): Buffer {
  const counter = Buffer.alloc(AES_BLOCK_BYTES)
  counter.writeBigUInt64BE(BigInt((block * BLOCK_MEMBERS * SALT_BYTES) / AES_BLOCK_BYTES), 8)
  return counter
}
