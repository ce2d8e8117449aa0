/** A published version of the terms and risks. */
export interface TermsVersion {
  /** The day of publication (YYYY-MM-DD). */
  readonly version: string
  /** The SHA-256 of the English text in `apps/web/public/terms/<version>.txt`, in hexadecimal digits. */
  readonly sha256: string
}

/** All published versions, the last one in force. A test compares each with its file, and the last one with the English texts. */
export const TERMS_VERSIONS: readonly [TermsVersion, ...TermsVersion[]] = [
  {
    version: '2026-11-23',
    sha256: '16eaddc709b8f10066a1e5040797218a68362642b49aea354b268fea73a19444',
  },
  {
    version: '2026-11-29',
    sha256: '8758d9b65cbeea524b7de860b9301fc3856ec9be4a636251ca4c2d56d1420654',
  },
]

/** Returns the version in force. */
export const currentTerms = (versions: readonly TermsVersion[] = TERMS_VERSIONS): TermsVersion =>
  versions.at(-1)!

/** Returns where the English text of a version is published, relative to the origin. */
export const termsPath = (version: string): string => `/terms/${version}.txt`

/** Returns the resource of a sign-in message (EIP-4361) that names a version and the hash of its text. */
export const termsUri = (origin: string, { version, sha256 }: TermsVersion): string =>
  `${origin}${termsPath(version)}#sha256=${sha256}`
