export interface ReachValues {
  readonly values: string[]
  /** The first text that is not a country or wallet. */
  readonly wrong: string | undefined
}

/**
 * Reads the countries (two letters) or wallets in a text, separated by spaces, commas or lines, without
 * duplicates.
 */
export function readReachValues(list: 'countries' | 'addresses', text: string): ReachValues {
  const written = text.split(/[\s,;]+/).filter((item) => item !== '')
  const isValid = (entry: string) =>
    list === 'countries' ? /^[A-Za-z]{2}$/.test(entry) : /^0x[0-9a-fA-F]{40}$/.test(entry)
  const stored = written.map((item) => (list === 'countries' ? item.toUpperCase() : item.toLowerCase()))
  return { values: [...new Set(stored)], wrong: written.find((item) => !isValid(item)) }
}
