import { randomInt } from 'node:crypto'
import { INVITE_CODE_ALPHABET, INVITE_CODE_LENGTH } from '@rif/rules'

/** Returns a new invitation code. */
export function newInviteCode(): string {
  let rest = randomInt(INVITE_CODE_ALPHABET.length ** INVITE_CODE_LENGTH)
  let code = ''
  while (code.length < INVITE_CODE_LENGTH) {
    code += INVITE_CODE_ALPHABET[rest % INVITE_CODE_ALPHABET.length]
    rest = Math.floor(rest / INVITE_CODE_ALPHABET.length)
  }
  return code
}
