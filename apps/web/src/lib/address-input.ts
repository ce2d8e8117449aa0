const LENGTH = 42

/**
 * Returns a typed code, address or number without spaces around it, and in plain letters and digits: Japanese
 * and Chinese keyboards type full-width ones.
 */
export const plainText = (typed: string): string => typed.normalize('NFKC').trim()

/**
 * The problem of a typed address: `short` and `long` with the number of characters, `letters` if it is not 0x
 * and hexadecimal digits, `checksum` if only the capitalisation can be wrong.
 */
export type AddressShape = { is: 'short' | 'long'; count: number } | { is: 'letters' | 'checksum' }

/** Returns the problem of a text that is not accepted as an address. */
export function addressShape(typed: string): AddressShape {
  const text = plainText(typed)
  if (!/^(0?|0x[0-9a-f]*)$/i.test(text)) return { is: 'letters' }
  if (text.length < LENGTH) return { is: 'short', count: LENGTH - text.length }
  return text.length > LENGTH ? { is: 'long', count: text.length - LENGTH } : { is: 'checksum' }
}
