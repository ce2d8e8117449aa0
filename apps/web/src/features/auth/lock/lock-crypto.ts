/**
 * The encryption of the session's token. The token is encrypted with a public key, so that a new sign-in
 * needs no PIN; the private key is encrypted with a key derived from the PIN or the passkey (the box).
 */
export interface SealedKey {
  readonly publicKey: JsonWebKey
  /** Base64 of the encrypted private key (PKCS #8). */
  readonly privateKey: string
  /** Base64. */
  readonly iv: string
}

const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' }
const RSA_BITS = 2048
const IV_BYTES = 12

/** Creates a key pair and puts the private key into the box. */
export async function sealKey(box: CryptoKey): Promise<SealedKey> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { ...RSA, modulusLength: RSA_BITS, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['encrypt', 'decrypt'],
  )
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', privateKey)
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, box, pkcs8)
  return {
    publicKey: await crypto.subtle.exportKey('jwk', publicKey),
    privateKey: toBase64(data),
    iv: toBase64(iv.buffer),
  }
}

/** Encrypts a token for the owner of the private key, as base64. */
export async function sealToken({ publicKey }: SealedKey, token: string): Promise<string> {
  const key = await crypto.subtle.importKey('jwk', publicKey, RSA, false, ['encrypt'])
  return toBase64(await crypto.subtle.encrypt(RSA, key, new TextEncoder().encode(token)))
}

/** Returns the private key, or null if the key does not open the box. */
export async function openBox(sealed: SealedKey, box: CryptoKey): Promise<CryptoKey | null> {
  try {
    const pkcs8 = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: fromBase64(sealed.iv) },
      box,
      fromBase64(sealed.privateKey),
    )
    return await crypto.subtle.importKey('pkcs8', pkcs8, RSA, false, ['decrypt'])
  } catch {
    return null
  }
}

/** Returns the token, or null if it was encrypted for another key. */
export async function openToken(privateKey: CryptoKey, sealed: string): Promise<string | null> {
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(RSA, privateKey, fromBase64(sealed)))
  } catch {
    return null
  }
}

export const toBase64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))

export const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
