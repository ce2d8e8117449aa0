import {
  AMOUNTS_BYTES,
  type Amounts,
  copyBytes,
  depthOf,
  ENTRY_BYTES,
  FormatError,
  HASH_BYTES,
  type HashInto,
  hexOf,
  NODE_BYTES,
  NODE_PREFIX,
  readAmounts,
  viewOf,
} from './format.ts'

/** A node beside a path: its hash in hex and its amounts. */
export interface Sibling extends Amounts {
  readonly hash: string
}

/** Leaves are kept and reduced in groups of this size: 57 KB, which fit the cache of a core. */
export const GROUP_LEAVES = 1_024

/** Returns the node above two entries that follow each other at `from`; writes it into `target` at `to`. */
type Join = (entries: Uint8Array, view: DataView, from: number, to: number) => void

/**
 * Creates the step from two entries to their node, with scratch space of its own. It throws FormatError when an amount is
 * not below 2^63 or a sum is not.
 */
function createJoin(hashInto: HashInto): Join {
  const input = new Uint8Array(NODE_BYTES)
  input[0] = NODE_PREFIX
  return (entries, view, from, to) => {
    copyBytes([entries, from], [input, 1], 2 * ENTRY_BYTES)
    // The sums are read before `to` is written, which may be the place of the left entry.
    for (let at = HASH_BYTES; at < ENTRY_BYTES; at += 8) {
      const leftHigh = view.getUint32(from + at)
      const rightHigh = view.getUint32(from + ENTRY_BYTES + at)
      const low = view.getUint32(from + at + 4) + view.getUint32(from + ENTRY_BYTES + at + 4)
      const high = leftHigh + rightHigh + (low > 0xffffffff ? 1 : 0)
      if (leftHigh > 0x7fffffff || rightHigh > 0x7fffffff || high > 0x7fffffff)
        throw new FormatError('an amount or a sum is not below 2^63')
      view.setUint32(to + at, high)
      view.setUint32(to + at + 4, low >>> 0)
    }
    hashInto(input, entries, to)
  }
}

/** Returns the number of places of a tree or group: the least power of two that holds so many leaves. */
const placesFor = (leaves: number): number => 2 ** depthOf(leaves)

/** Returns a copy of entries, padded with empty ones (zero bytes) to `places`. */
function padded(entries: Uint8Array, places: number): Uint8Array {
  const copy = new Uint8Array(places * ENTRY_BYTES)
  copy.set(entries)
  return copy
}

/**
 * Reduces 2^k entries in place to their top, which it returns as a copy; `onLevel` sees each level before it is reduced.
 * Throws FormatError for an amount or a sum that does not fit.
 */
function reduce(
  entries: Uint8Array,
  join: Join,
  onLevel: (level: Uint8Array) => void = () => undefined,
): Uint8Array {
  const view = viewOf(entries)
  let count = entries.length / ENTRY_BYTES
  for (; count > 1; count /= 2) {
    onLevel(entries.subarray(0, count * ENTRY_BYTES))
    for (let pair = 0; pair < count / 2; pair++)
      join(entries, view, pair * 2 * ENTRY_BYTES, pair * ENTRY_BYTES)
  }
  return entries.slice(0, ENTRY_BYTES)
}

/** Creates the reducer of a list of entries that comes in groups, so that the memory needed does not grow with the list. */
export function createTreeReducer(leaves: number, hashInto: HashInto) {
  const join = createJoin(hashInto)
  const groupPlaces = Math.min(placesFor(leaves), GROUP_LEAVES)
  const groups = placesFor(leaves) / groupPlaces
  const tops = new Uint8Array(groups * ENTRY_BYTES)
  let added = 0
  /** The top of a group without leaves. */
  let emptyTop: Uint8Array | undefined

  function put(top: Uint8Array): void {
    tops.set(top, added * ENTRY_BYTES)
    added++
  }

  return {
    /** Adds the next group: GROUP_LEAVES entries, or fewer in the last one. */
    add(entries: Uint8Array): void {
      put(reduce(padded(entries, groupPlaces), join))
    },
    /** Returns the entry at the top of the tree, and those at the tops of all groups. */
    finish(): { readonly top: Uint8Array; readonly groupTops: Uint8Array } {
      emptyTop ??= added < groups ? reduce(padded(new Uint8Array(0), groupPlaces), join) : undefined
      while (added < groups) put(emptyTop as Uint8Array)
      return { top: groups === 1 ? tops.slice() : reduce(tops.slice(), join), groupTops: tops }
    },
  }
}

/** Returns the siblings on the way up from one entry among 2^k, and the top. */
function pathWithin(
  entries: Uint8Array,
  index: number,
  hashInto: HashInto,
): { siblings: Sibling[]; top: Uint8Array } {
  const siblings: Sibling[] = []
  let place = index
  const top = reduce(entries, createJoin(hashInto), (level) => {
    siblings.push(siblingOf(level, place ^ 1))
    place >>= 1
  })
  return { siblings, top }
}

/**
 * Returns the siblings of a leaf from the bottom to the top of the tree, from the leaves of its group and the tops of all
 * groups.
 */
export function pathOf(
  tree: { readonly leaves: number; readonly group: Uint8Array; readonly groupTops: Uint8Array },
  index: number,
  hashInto: HashInto,
): Sibling[] {
  const places = Math.min(placesFor(tree.leaves), GROUP_LEAVES)
  const { siblings } = pathWithin(padded(tree.group, places), index % places, hashInto)
  const groups = tree.groupTops.length / ENTRY_BYTES
  if (groups === 1) return siblings
  const above = pathWithin(tree.groupTops.slice(), Math.floor(index / places), hashInto)
  return [...siblings, ...above.siblings]
}

function siblingOf(level: Uint8Array, place: number): Sibling {
  const entry = level.subarray(place * ENTRY_BYTES, (place + 1) * ENTRY_BYTES)
  return { hash: hexOf(entry.subarray(0, HASH_BYTES)), ...amountsOf(entry) }
}

/** Returns the hash of an entry, in hex. */
export const entryHash = (entry: Uint8Array): string => hexOf(entry.subarray(0, HASH_BYTES))

/** Returns the amounts of an entry. Throws FormatError for one that does not fit. */
export function amountsOf(entry: Uint8Array): Amounts {
  return readAmounts(viewOf(entry.subarray(HASH_BYTES, HASH_BYTES + AMOUNTS_BYTES)), 0)
}

/** Returns the node above two entries. Throws FormatError for a sum that does not fit. */
export function joined(left: Uint8Array, right: Uint8Array, hashInto: HashInto): Uint8Array {
  const pair = new Uint8Array(2 * ENTRY_BYTES)
  pair.set(left)
  pair.set(right, ENTRY_BYTES)
  return reduce(pair, createJoin(hashInto))
}

/** Compares the hashes of two entries of a list, as bytes. */
export function compareHashes(entries: Uint8Array, left: number, right: number): number {
  for (let byte = 0; byte < HASH_BYTES; byte++) {
    const difference = entries[left * ENTRY_BYTES + byte]! - entries[right * ENTRY_BYTES + byte]!
    if (difference !== 0) return difference
  }
  return 0
}
