/** Digits and capital letters without similar-looking ones: 0 O, 1 I L, U V. */
export const INVITE_CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 30^8 codes (39 bits) cannot be guessed, because guesses are rate-limited. */
export const INVITE_CODE_LENGTH = 8

/**
 * Returns a typed invitation code in the stored form, without characters that no code contains. Japanese and
 * Chinese keyboards type full-width letters.
 */
export function normaliseInviteCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^0-9a-z]/gi, '')
    .toUpperCase()
}
