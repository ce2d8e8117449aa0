/** A text of terms and risks. */
export interface TermsVersion {
  /** The day of its wording, and the first digits of its hash; texts without figures have only the day. */
  readonly version: string
  /** The SHA-256 of the English text, in hexadecimal digits. */
  readonly sha256: string
}

/**
 * The wording of this release: the day of its publication, and the SHA-256 of the file `apps/server/terms/wording.txt`, whose
 * figures are named in braces. A test compares the file with this hash and with the English texts of the app.
 */
export const TERMS_WORDING: TermsVersion = {
  version: '2026-11-29',
  sha256: 'badbf440108f9511f8a2dba56937f301535ab5f506a9e9aa9b5c5eb74bfd42f1',
}

/** Returns the name of the text with a hash: texts of one wording differ in their figures. */
export const termsVersion = (sha256: string): string => `${TERMS_WORDING.version}-${sha256.slice(0, 8)}`

/** Reports whether a text has the wording of this release, so that the app shows the same words. */
export const isOfWording = (version: string): boolean => version.startsWith(`${TERMS_WORDING.version}-`)

/** Returns where an English text is published, relative to the origin. */
export const termsPath = (version: string): string => `/terms/${version}.txt`

/** Returns the resource of a sign-in message (EIP-4361) that names a text and its hash. */
export const termsUri = (origin: string, { version, sha256 }: TermsVersion): string =>
  `${origin}${termsPath(version)}#sha256=${sha256}`

/** Reads the resource of a sign-in message; undefined if it is not exactly what `termsUri` returns. */
export function readTermsUri(origin: string, uri: string): TermsVersion | undefined {
  const [, version, sha256] =
    /\/terms\/([\d-]{10}(?:-[0-9a-f]{8})?)\.txt#sha256=([0-9a-f]{64})$/.exec(uri) ?? []
  if (version === undefined || sha256 === undefined) return undefined
  return uri === termsUri(origin, { version, sha256 }) ? { version, sha256 } : undefined
}
