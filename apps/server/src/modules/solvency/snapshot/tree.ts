import { setImmediate as breathe } from 'node:timers/promises'
import {
  AMOUNTS_BYTES,
  type Amounts,
  amountsOf,
  type Context,
  compareHashes,
  contextHash,
  copyBytes,
  createLeafHasher,
  createTreeReducer,
  ENTRY_BYTES,
  entryHash,
  FormatError,
  GROUP_LEAVES,
  HASH_BYTES,
} from '@rif/solvency'
import { ADDRESS_BYTES, type SnapshotMembers } from './members.ts'
import type { Salts } from './salts.ts'
import { createSha256 } from './sha256.ts'

/** A built tree: its top, its leaves in their order, and the nodes above the groups of leaves. */
export interface BuiltTree {
  readonly tree: string
  readonly sums: Amounts
  readonly leaves: number
  /** Leaves as in a list of leaves, 56 bytes each. */
  readonly entries: Uint8Array
  readonly groupTops: Uint8Array
}

/**
 * Builds the tree of a day (docs/solvency.md). Other work of the process runs between the groups. Needs some 110 bytes for
 * each member beside `members`. Throws FormatError when a sum does not fit or two leaves are equal.
 */
export async function buildTree(
  context: Context,
  members: SnapshotMembers,
  salts: Salts,
): Promise<BuiltTree> {
  const entries = sorted(await hashLeaves(context, members, salts), members.count)
  const reducer = createTreeReducer(members.count, createSha256())
  for (let first = 0; first < members.count; first += GROUP_LEAVES) {
    reducer.add(entries.subarray(first * ENTRY_BYTES, (first + GROUP_LEAVES) * ENTRY_BYTES))
    await breathe()
  }
  const { top, groupTops } = reducer.finish()
  return { tree: entryHash(top), sums: amountsOf(top), leaves: members.count, entries, groupTops }
}

async function hashLeaves(context: Context, members: SnapshotMembers, salts: Salts): Promise<Uint8Array> {
  const sha256 = createSha256()
  const hashLeaf = createLeafHasher(contextHash(context, sha256), sha256)
  const entries = new Uint8Array(members.count * ENTRY_BYTES)
  for (let member = 0; member < members.count; member++) {
    const at = member * ENTRY_BYTES
    const amounts = [members.amounts, member * AMOUNTS_BYTES] as const
    hashLeaf(salts.at(members.idAt(member)), [members.addresses, member * ADDRESS_BYTES], amounts, [
      entries,
      at,
    ])
    copyBytes(amounts, [entries, at + HASH_BYTES], AMOUNTS_BYTES)
    if (member % GROUP_LEAVES === 0) await breathe()
  }
  return entries
}

/**
 * Sorts entries by their hashes: into buckets by the first bits, about one entry each because hashes are even, then each
 * bucket by insertion.
 */
function sorted(entries: Uint8Array, count: number): Uint8Array {
  const bits = Math.min(24, Math.max(1, 32 - Math.clz32(count)))
  const view = new DataView(entries.buffer, entries.byteOffset)
  // The beginnings of the hashes, together: nearly all comparisons need no more.
  const keys = new Uint32Array(count)
  const ends = new Uint32Array(2 ** bits)
  for (let entry = 0; entry < count; entry++) {
    keys[entry] = view.getUint32(entry * ENTRY_BYTES)
    ends[keys[entry]! >>> (32 - bits)]!++
  }
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket]! += ends[bucket - 1]!
  const order = new Uint32Array(count)
  for (let entry = count - 1; entry >= 0; entry--) order[--ends[keys[entry]! >>> (32 - bits)]!] = entry
  for (let place = 1; place < count; place++) {
    const entry = order[place]!
    let to = place
    for (; to > 0; to--) {
      const before = order[to - 1]!
      const difference = keys[before]! - keys[entry]! || compareHashes(entries, before, entry)
      if (difference === 0) throw new FormatError('two leaves have the same hash')
      if (difference < 0) break
      order[to] = before
    }
    order[to] = entry
  }
  const result = new Uint8Array(count * ENTRY_BYTES)
  for (let place = 0; place < count; place++)
    copyBytes([entries, order[place]! * ENTRY_BYTES], [result, place * ENTRY_BYTES], ENTRY_BYTES)
  return result
}
