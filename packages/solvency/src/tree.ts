import {
  AMOUNTS_BYTES,
  type Amounts,
  copyEntry,
  depthOf,
  ENTRY_BYTES,
  ENTRY_LANES,
  FormatError,
  HASH_BYTES,
  type HashInto,
  hexOf,
  lanesOf,
  NODE_BYTES,
  NODE_PREFIX,
  readAmounts,
  viewOf,
} from './format.ts'

/** A node beside a path: its hash in hex and its amounts. */
export interface Sibling extends Amounts {
  readonly hash: string
}

/** Leaves are kept and reduced in groups of this size: 7 KB. A proof reads one and computes its nodes. */
export const GROUP_LEAVES = 128

const GROUP_BYTES = GROUP_LEAVES * ENTRY_BYTES
/**
 * A slot contains the input of a node's hash: the prefix, the left and the right entry. The prefix takes the
 * eighth byte, so that the entries begin at lanes.
 */
const SLOT_BYTES = 128
const LEFT_AT = 8
const PREFIX_AT = LEFT_AT - 1

/** A tree of 2^k places with all its nodes. */
interface Tree {
  /** Puts entries, bytes one after the other, into the first places, empty ones into the others, and computes all nodes. */
  fill(entries: Uint8Array): void
  /** Returns the entry at the top; valid until the next `fill`. */
  top(): Uint8Array
  /** Returns the siblings on the way up from a place. */
  siblings(place: number): Sibling[]
}

/**
 * Creates a tree. Its entries are numbered from the top: 1 is the top, 2n and 2n + 1 are the children of n, and the places come last.
 * The children of n are in slot n, so each hash is computed where its input already is. `fill` throws FormatError for an amount or a
 * sum that is not below 2^63.
 */
function createTree(places: number, hashInto: HashInto): Tree {
  const bytes = new Uint8Array(places * SLOT_BYTES)
  const view = viewOf(bytes)
  const lanes = lanesOf(bytes)
  const leaves = new Uint8Array(places * ENTRY_BYTES)
  const leafLanes = lanesOf(leaves)
  const inputs = Array.from({ length: places }, (_, slot) => {
    bytes[slot * SLOT_BYTES + PREFIX_AT] = NODE_PREFIX
    return bytes.subarray(slot * SLOT_BYTES + PREFIX_AT, slot * SLOT_BYTES + PREFIX_AT + NODE_BYTES)
  })
  const at = (entry: number) => (entry >> 1) * SLOT_BYTES + LEFT_AT + (entry & 1) * ENTRY_BYTES
  const entryAt = (entry: number) => bytes.subarray(at(entry), at(entry) + ENTRY_BYTES)

  return {
    fill(entries) {
      leaves.set(entries)
      leaves.fill(0, entries.length)
      for (let place = 0; place < places; place++)
        copyEntry(leafLanes, place * ENTRY_LANES, lanes, at(places + place) >> 3)
      for (let node = places - 1; node >= 1; node--) {
        addAmounts(view, node * SLOT_BYTES + LEFT_AT, at(node))
        hashInto(inputs[node]!, bytes, at(node))
      }
    },
    top: () => entryAt(1),
    siblings(place) {
      const siblings: Sibling[] = []
      for (let entry = places + place; entry > 1; entry >>= 1) {
        const sibling = entryAt(entry ^ 1)
        siblings.push({ hash: entryHash(sibling), ...amountsOf(sibling) })
      }
      return siblings
    },
  }
}

/** Writes the sums of two entries that follow each other at `from` into the entry at `to`. */
function addAmounts(view: DataView, from: number, to: number): void {
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
}

/** Returns the number of places of a tree or group: the least power of two that holds so many leaves. */
const placesFor = (leaves: number): number => 2 ** depthOf(leaves)

/** Returns the number of places of each group of a tree. */
const groupPlacesFor = (leaves: number): number => Math.min(placesFor(leaves), GROUP_LEAVES)

/** Creates the reducer of a list of entries that comes in groups, so that the memory needed does not grow with the list. */
export function createTreeReducer(leaves: number, hashInto: HashInto) {
  const groupPlaces = groupPlacesFor(leaves)
  const groups = placesFor(leaves) / groupPlaces
  const group = createTree(groupPlaces, hashInto)
  const tops = new Uint8Array(groups * ENTRY_BYTES)
  let added = 0

  return {
    /** Adds the next groups; only the last one may have fewer than GROUP_LEAVES entries. Throws FormatError for a sum that does not fit. */
    add(entries: Uint8Array): void {
      for (let first = 0; first < entries.length; first += GROUP_BYTES, added++) {
        group.fill(entries.subarray(first, first + GROUP_BYTES))
        tops.set(group.top(), added * ENTRY_BYTES)
      }
    },
    /** Returns the entry at the top of the tree, and those at the tops of all groups. */
    finish(): { readonly top: Uint8Array; readonly groupTops: Uint8Array } {
      if (added < groups) {
        group.fill(new Uint8Array(0))
        for (; added < groups; added++) tops.set(group.top(), added * ENTRY_BYTES)
      }
      const above = createTree(groups, hashInto)
      above.fill(tops)
      return { top: above.top(), groupTops: tops }
    },
  }
}

/**
 * Creates the function that returns the siblings of a leaf, from the bottom to the top of a tree with the
 * given number of leaves, from the leaves of its group. The nodes above the groups are computed once. Each
 * call overwrites the nodes of the previous group.
 */
export function createPaths(
  leaves: number,
  groupTops: Uint8Array,
  hashInto: HashInto,
): (group: Uint8Array, index: number) => Sibling[] {
  const places = groupPlacesFor(leaves)
  const group = createTree(places, hashInto)
  const above = createTree(groupTops.length / ENTRY_BYTES, hashInto)
  above.fill(groupTops)
  return (entries, index) => {
    group.fill(entries)
    return [...group.siblings(index % places), ...above.siblings(Math.floor(index / places))]
  }
}

/** Returns the hash of an entry, in hex. */
export const entryHash = (entry: Uint8Array): string => hexOf(entry.subarray(0, HASH_BYTES))

/** Returns the amounts of an entry. Throws FormatError for one that does not fit. */
export function amountsOf(entry: Uint8Array): Amounts {
  return readAmounts(viewOf(entry.subarray(HASH_BYTES, HASH_BYTES + AMOUNTS_BYTES)), 0)
}

/** Creates the function that returns the node above two entries. It throws FormatError for a sum that does not fit. */
export function createJoin(hashInto: HashInto): (left: Uint8Array, right: Uint8Array) => Uint8Array {
  const tree = createTree(2, hashInto)
  const pair = new Uint8Array(2 * ENTRY_BYTES)
  return (left, right) => {
    pair.set(left)
    pair.set(right, ENTRY_BYTES)
    tree.fill(pair)
    return tree.top().slice()
  }
}

/** Compares the hashes of two entries of a list, as bytes. */
export function compareHashes(entries: Uint8Array, left: number, right: number): number {
  for (let byte = 0; byte < HASH_BYTES; byte++) {
    const difference = entries[left * ENTRY_BYTES + byte]! - entries[right * ENTRY_BYTES + byte]!
    if (difference !== 0) return difference
  }
  return 0
}
