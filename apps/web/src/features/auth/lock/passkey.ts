import { shortAddress } from '../../../lib/index.ts'
import { fromBase64, toBase64 } from './lock-crypto.ts'

const TIMEOUT_MS = 60_000
const ES256 = -7
const RS256 = -257
const INFO = new TextEncoder().encode('RIFund app lock')

/**
 * Thrown if the device's passkeys provide no key (WebAuthn extension `prf`), so that a lock with one would
 * encrypt nothing.
 */
export class NoPasskeyKey extends Error {
  constructor() {
    super('the authenticator has no PRF')
    this.name = 'NoPasskeyKey'
  }
}

/** Reports whether this device can verify its user, by fingerprint, face or its own code. */
export async function hasPasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in window)) return false
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)
}

/**
 * Creates a passkey of this device and derives the key of the box from it. Throws `NoPasskeyKey` without PRF,
 * and the browser's error if the member refuses (NotAllowedError).
 */
export async function createPasskey(address: string, salt: string) {
  const name = shortAddress(address)
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: random(),
      rp: { name: 'RIFund Portfolio' },
      user: { id: random(), name, displayName: name },
      pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: {
        authenticatorAttachment: 'platform',
        residentKey: 'required',
        userVerification: 'required',
      },
      timeout: TIMEOUT_MS,
      extensions: { prf: {} },
    },
  })) as PublicKeyCredential
  if (credential.getClientExtensionResults().prf?.enabled !== true) throw new NoPasskeyKey()
  const credentialId = toBase64(credential.rawId)
  return { credentialId, box: await keyOfPasskey(credentialId, salt) }
}

/**
 * Derives the key of the box from the passkey, whose authenticator verifies the user first. Its signature is
 * not checked: without the user's verification there is no key. Throws as `createPasskey`.
 */
export async function keyOfPasskey(credentialId: string, salt: string): Promise<CryptoKey> {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: random(),
      allowCredentials: [{ type: 'public-key', id: fromBase64(credentialId), transports: ['internal'] }],
      userVerification: 'required',
      timeout: TIMEOUT_MS,
      extensions: { prf: { eval: { first: fromBase64(salt) } } },
    },
  })) as PublicKeyCredential
  const secret = credential.getClientExtensionResults().prf?.results?.first
  if (secret === undefined) throw new NoPasskeyKey()
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: INFO },
    key,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

const random = () => crypto.getRandomValues(new Uint8Array(32))
