/** A reason why a text is not announced. */
export type AnnouncementProblem = 'link' | 'address' | 'hidden'

/** Control and format characters, which change how a text reads; a line break and the joiner within emoji are none of them. */
const HIDDEN = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
/** A scheme, or a host name with or without one: mail programs make a link of both, also within an e-mail address. */
const LINK = /[a-z][a-z0-9+.-]*:\/\/|\bmailto:|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*)\.)+\p{L}{2,}/iu
/** A wallet address, or enough of its beginning to be taken for one. */
const ADDRESS = /0x[0-9a-f]{20,}/i

/**
 * Returns why a text cannot be announced, or null. Links are refused and not merely shown as text: mail programs and phones make
 * a link of them again, and an announcement must be no way to lead members to a page that asks them to sign or to pay.
 */
export function announcementProblem(text: string): AnnouncementProblem | null {
  // Full-width letters and dots read as a host name too.
  const plain = text.normalize('NFKC')
  if (HIDDEN.test(text)) return 'hidden'
  if (ADDRESS.test(plain)) return 'address'
  return LINK.test(plain) ? 'link' : null
}
