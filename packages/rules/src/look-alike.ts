/** The number of equal characters at the start and the end, added, from which people confuse two addresses. */
const CONFUSABLE_CHARACTERS = 6

/** Counts the equal characters at the start of two texts. */
function sharedStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

const reversed = (text: string): string => [...text].reverse().join('')

/**
 * Returns the known address that another address could be mistaken for, or null. A known address is never reported. People
 * compare the first and the last characters, so forged addresses ("address poisoning") copy these, and typing errors in the
 * middle keep them. By chance, one pair in two million matches. Ignores case. Rules, section 10.
 */
export function looksLike(address: string, knownAddresses: readonly string[]): string | null {
  const wanted = address.toLowerCase().replace(/^0x/, '')
  const candidates = knownAddresses.map((original) => ({
    original,
    hex: original.toLowerCase().replace(/^0x/, ''),
  }))
  if (candidates.some(({ hex }) => hex === wanted)) return null
  const sharedEnds = (hex: string) => sharedStart(hex, wanted) + sharedStart(reversed(hex), reversed(wanted))
  const closest = candidates
    .map(({ original, hex }) => ({ original, shared: sharedEnds(hex) }))
    .reduce((best, candidate) => (candidate.shared > best.shared ? candidate : best), {
      original: '',
      shared: 0,
    })
  return closest.shared >= CONFUSABLE_CHARACTERS ? closest.original : null
}
