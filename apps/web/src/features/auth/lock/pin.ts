import { fromBase64 } from './lock-crypto.ts'

/** PBKDF2 with SHA-256, as recommended by OWASP: about a fifth of a second on a phone. */
export const PIN_ITERATIONS = 600_000
export const PIN_MIN = 6
export const PIN_MAX = 12

export type PinProblem = 'digits' | 'short' | 'easy'

/**
 * Returns the problem of a new PIN, or null. One repeated digit and a sequence such as 123456 are too easy.
 */
export function pinProblem(pin: string): PinProblem | null {
  if (!/^\d*$/.test(pin)) return 'digits'
  if (pin.length < PIN_MIN) return 'short'
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])))
  const [step] = steps
  return steps.size === 1 && [0, 1, -1].includes(step!) ? 'easy' : null
}

/** Derives the key of the box from a PIN, deliberately slowly. */
export async function keyOfPin(pin: string, salt: string, iterations: number): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveKey',
  ])
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64(salt), iterations },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
