/** Random numbers that are the same in every run. */
export interface Random {
  /** Returns a number from 0 up to 1. */
  next(): number
  /** Returns a number between two others. */
  between(low: number, high: number): number
  /** Returns a whole number between two others, both included. */
  whole(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
}

/** Creates a generator of numbers from a name (mulberry32). It is for a demonstration, never for secrets. */
export function createRandom(name: string): Random {
  let state = [...name].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193), 0x811c9dc5)
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + (high - low) * next()
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}
