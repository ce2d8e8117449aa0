import { randomInt } from 'node:crypto'

/** Digits and capitals without those that are taken for one another: 0 O, 1 I L, U V. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/** A new invitation code: 30^8 (39 bits) are enough against guessing where each guess is rate-limited. */
export function newInviteCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** A code as somebody typed it, in the form in which codes are stored: what no code contains is left out. */
export function normaliseInviteCode(text: string): string {
  return text.replaceAll(/[^0-9a-z]/gi, '').toUpperCase()
}
