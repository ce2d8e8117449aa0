/** How many characters two addresses must share at their two ends together for people to take one for the other. */
const CONFUSABLE_CHARACTERS = 6

/** The characters after `0x` on which two texts agree, from the front. */
function sharedStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

const reversed = (text: string): string => [...text].reverse().join('')

/**
 * The address among the known ones that another one could be mistaken for, or null; an address that is known itself
 * looks like nobody else. People compare the first and the last characters, so whoever makes an address to be mistaken
 * for another ("address poisoning") makes those equal; a slip in the middle leaves them equal too. By chance that
 * happens to one pair in two million. Case is not looked at. Rules, section 10.
 */
export function looksLike(address: string, known: readonly string[]): string | null {
  const wanted = address.toLowerCase().replace(/^0x/, '')
  const candidates = known.map((original) => ({
    original,
    hex: original.toLowerCase().replace(/^0x/, ''),
  }))
  if (candidates.some(({ hex }) => hex === wanted)) return null
  const sharedEnds = (hex: string) => sharedStart(hex, wanted) + sharedStart(reversed(hex), reversed(wanted))
  const closest = candidates
    .map(({ original, hex }) => ({ original, shared: sharedEnds(hex) }))
    .reduce((best, one) => (one.shared > best.shared ? one : best), { original: '', shared: 0 })
  return closest.shared >= CONFUSABLE_CHARACTERS ? closest.original : null
}
