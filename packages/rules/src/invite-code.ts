import { randomInt } from 'node:crypto'

/** Digits and capital letters without similar-looking ones: 0 O, 1 I L, U V. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/** Returns a new invitation code. 30^8 codes (39 bits) cannot be guessed, because guesses are rate-limited. */
export function newInviteCode(): string {
  let rest = randomInt(ALPHABET.length ** LENGTH)
  let code = ''
  while (code.length < LENGTH) {
    code += ALPHABET[rest % ALPHABET.length]
    rest = Math.floor(rest / ALPHABET.length)
  }
  return code
}

/** Returns a typed code in the stored form, without characters that no code contains. */
export function normaliseInviteCode(text: string): string {
  return text.replaceAll(/[^0-9a-z]/gi, '').toUpperCase()
}
