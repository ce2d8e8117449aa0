/** Named by what only they write; the first that fits, so what imitates others stands before them. */
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
 * Browser and system in plain words, out of what a browser sends with every request anyway: enough to tell the own phone
 * from the own computer, too little to tell anybody from anybody else. Null when neither is known.
 */
export function deviceOf(userAgent: string): string | null {
  const known = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1])
  const words = known.filter((word) => word !== undefined)
  return words.length === 0 ? null : words.join(' · ')
}
