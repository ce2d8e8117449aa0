import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The purpose of an encrypted text, which cannot be decrypted for another purpose. */
export type Purpose = 'address' | 'unsubscribe'

export type Sealing = ReturnType<typeof createSealing>

/**
 * Creates the encryption of personal data and links, with keys derived from the operator's key. AES-256-GCM:
 * a text that was changed or made without the key cannot be decrypted.
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

    /** Returns the text, or null unless it was encrypted for this purpose with this key. */
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

    /** Returns a keyed hash, so that the text cannot be found by guessing. */
    hash: (use: 'address' | 'code', text: string): Buffer =>
      createHmac('sha256', hashKey).update(`${use}/${text}`).digest(),
  }
}
