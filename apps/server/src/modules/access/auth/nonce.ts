import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM_BYTES = 8
const TIME_BYTES = 4
const TEXT_BYTES = 4
const CODE_BYTES = 16
const SAID_BYTES = RANDOM_BYTES + TIME_BYTES + TEXT_BYTES
/** Lower case only, so that no nonce can be written in two ways. */
const FORM = new RegExp(`^[0-9a-f]{${2 * (SAID_BYTES + CODE_BYTES)}}$`)

/** The wallet and the text that a nonce was issued for: the address in lower case, and the SHA-256 of the text of terms in hexadecimal digits. */
export interface NonceSubject {
  readonly address: string
  readonly sha256: string
}

/** A nonce that has the form of one. */
export interface ReadNonce {
  /** Accurate to a second. */
  readonly issuedAt: Date
  /** The first bytes of the hash of the text with which it was issued. */
  readonly textStart: Buffer
  /** Reports whether it was issued with a key for a wallet and a text. */
  isOf(key: Buffer, subject: NonceSubject): boolean
}

/**
 * Makes a nonce of a sign-in message (EIP-4361), of 64 hexadecimal digits: 8 random bytes, the second of issue, the first 4 bytes of
 * the hash of the text, and the first 16 bytes of an HMAC-SHA-256 of these and of the subject. No row keeps it (decision 60).
 */
export function makeNonce(key: Buffer, subject: NonceSubject, at: Date): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUInt32BE(Math.floor(at.getTime() / 1000))
  const text = Buffer.from(subject.sha256, 'hex').subarray(0, TEXT_BYTES)
  const said = Buffer.concat([randomBytes(RANDOM_BYTES), time, text])
  return Buffer.concat([said, codeOf(key, said, subject)]).toString('hex')
}

/** Reads a nonce; undefined if it has another form. Whether this product issued it only `isOf` says. */
export function readNonce(nonce: string): ReadNonce | undefined {
  if (!FORM.test(nonce)) return undefined
  const bytes = Buffer.from(nonce, 'hex')
  const [said, code] = [bytes.subarray(0, SAID_BYTES), bytes.subarray(SAID_BYTES)]
  return {
    issuedAt: new Date(said.readUInt32BE(RANDOM_BYTES) * 1000),
    textStart: said.subarray(RANDOM_BYTES + TIME_BYTES),
    isOf: (key, subject) => timingSafeEqual(code, codeOf(key, said, subject)),
  }
}

function codeOf(key: Buffer, said: Buffer, { address, sha256 }: NonceSubject): Buffer {
  const code = createHmac('sha256', key).update(said).update(`/${address}/${sha256}`)
  return code.digest().subarray(0, CODE_BYTES)
}
