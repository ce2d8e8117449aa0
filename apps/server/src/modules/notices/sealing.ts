import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The purpose of a sealed text: one that was made for another cannot be opened. */
export type Purpose = 'address' | 'unsubscribe'

export type Sealing = ReturnType<typeof createSealing>

/**
 * Creates the encryption of personal data and links, with keys that are derived from the operator's. AES-256-GCM: what was
 * changed or made without the key does not open.
 */
export function createSealing(key: Uint8Array) {
  const derived = (use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `notices/${use}`, 32))
  const keys = { address: derived('address'), unsubscribe: derived('unsubscribe') }
  const hashKey = derived('hash')

  return {
    seal(purpose: Purpose, text: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[purpose], nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },

    /** Returns the text, or null for anything that was not sealed for this purpose with this key. */
    open(purpose: Purpose, sealed: Buffer): string | null {
      if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', keys[purpose], sealed.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },

    /** Returns a keyed hash, from which a text cannot be found by trying. */
    hash: (use: 'address' | 'code', text: string): Buffer =>
      createHmac('sha256', hashKey).update(`${use}/${text}`).digest(),
  }
}
