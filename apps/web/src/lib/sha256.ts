/** The SHA-256 of bytes, 0x and 64 digits; null where the browser offers no hashing: on plain http outside localhost. */
export async function sha256(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `0x${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
