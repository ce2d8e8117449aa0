// On plain http outside localhost, where a phone on the same network may open the app, `crypto` has neither `randomUUID` nor `subtle`.

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns random bytes as hexadecimal digits. */
export const randomHex = (bytes: number): string => hexOf(crypto.getRandomValues(new Uint8Array(bytes)))

/** Returns the SHA-256 of bytes, or of a text in UTF-8, as hexadecimal digits. */
export async function sha256Hex(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const { subtle } = crypto as Partial<Pick<Crypto, 'subtle'>>
  if (subtle !== undefined) return hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes)))
  const { sha256 } = await import('./sha256.ts')
  return sha256(bytes).slice(2)
}
