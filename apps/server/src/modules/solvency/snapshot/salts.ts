import { createCipheriv, createHash, createHmac } from 'node:crypto'
import type { Day } from '@rif/rules'

/** The salts of the leaves of a day, by member. */
export interface Salts {
  /** Identifies the key, without revealing it. */
  readonly keyId: string
  /** Returns the 32 bytes of a member. */
  readonly of: (memberId: bigint) => Uint8Array
}

const SALT_BYTES = 32
const BLOCK_MEMBERS = 1_024n
const AES_BLOCK_BYTES = 16
const ZEROS = Buffer.alloc(Number(BLOCK_MEMBERS) * SALT_BYTES)

/**
 * Derives the salts of a day from the operator's key, which is not in the database: the keystream of AES-256 in counter mode
 * under a key of the day, 32 bytes for each member number. A salt says nothing about any other.
 */
export function saltsOf(key: Uint8Array, day: Day): Salts {
  const dayKey = createHmac('sha256', key).update(`RIF solvency salts ${day}`).digest()
  let block = -1n
  let stream = Buffer.alloc(0)
  return {
    keyId: saltKeyId(key),
    of(memberId) {
      if (memberId / BLOCK_MEMBERS !== block) {
        block = memberId / BLOCK_MEMBERS
        stream = createCipheriv('aes-256-ctr', dayKey, counterOf(block)).update(ZEROS)
      }
      const at = Number(memberId % BLOCK_MEMBERS) * SALT_BYTES
      return stream.subarray(at, at + SALT_BYTES)
    },
  }
}

/** Returns what identifies a key in the database and in messages. */
export function saltKeyId(key: Uint8Array): string {
  return createHash('sha256').update('RIF solvency key').update(key).digest('hex').slice(0, 16)
}

/** Returns the first counter of a block of members. */
function counterOf(block: bigint): Buffer {
  const counter = Buffer.alloc(AES_BLOCK_BYTES)
  counter.writeBigUInt64BE((block * BLOCK_MEMBERS * BigInt(SALT_BYTES)) / BigInt(AES_BLOCK_BYTES), 8)
  return counter
}
