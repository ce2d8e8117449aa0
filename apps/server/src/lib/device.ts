/** Patterns of user agents. The first match counts, so browsers that imitate others come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MetaMaskMobile/, 'MetaMask'],
  [/\bTrust\//, 'Trust Wallet'],
  [/CoinbaseWallet|CoinbaseBrowser/, 'Coinbase Wallet'],
  [/OKApp|OKEx/, 'OKX Wallet'],
  [/imToken/, 'imToken'],
  [/TokenPocket/, 'TokenPocket'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]

/**
 * Returns the browser and system of a user agent, or null if neither is recognised. This distinguishes a
 * member's own devices and identifies nobody.
 */
export function deviceOf(userAgent: string): string | null {
  const matches = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1])
  const names = matches.filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(' · ')
}
