/** A reason why a text cannot be announced. */
export type AnnouncementProblem = 'link' | 'address' | 'hidden'

/**
 * Control and format characters, which change how a text appears, except the line break and the joiner within
 * emoji.
 */
const HIDDEN = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
/**
 * A scheme, or a host name with or without one: mail programs turn both into links, also within an e-mail
 * address.
 */
const LINK = /[a-z][a-z0-9+.-]*:\/\/|\bmailto:|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*)\.)+\p{L}{2,}/iu
/** A wallet address, or enough of its beginning to be mistaken for one. */
const ADDRESS = /0x[0-9a-f]{20,}/i

/**
 * Returns why a text cannot be announced, or null. Links are refused and not merely shown as text, because
 * mail programs and phones turn them into links again. An announcement must not be able to lead members to a
 * page that requests a signature or a payment.
 */
export function announcementProblem(text: string): AnnouncementProblem | null {
  // Full-width letters and dots can also form a host name.
  const plain = text.normalize('NFKC')
  if (HIDDEN.test(text)) return 'hidden'
  if (ADDRESS.test(plain)) return 'address'
  return LINK.test(plain) ? 'link' : null
}
