import { setImmediate as breathe } from 'node:timers/promises'
import {
  AMOUNTS_BYTES,
  type Amounts,
  amountsOf,
  type Context,
  contextHash,
  createLeafHasher,
  createTreeReducer,
  ENTRY_BYTES,
  entryHash,
  wordsOf,
} from '@rif/solvency'
import { createLeafOrder } from './leaf-order.ts'
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

const AMOUNTS_WORDS = AMOUNTS_BYTES / 4
const ADDRESS_WORDS = ADDRESS_BYTES / 4
/**
 * The number of leaves processed before other work gets a turn, some milliseconds: whole groups, 229 KB,
 * which fit into a core's cache.
 */
const CHUNK_LEAVES = 4_096

/**
 * Builds the tree of a day (docs/solvency.md). Other work of the process runs between the chunks. Needs some
 * 70 bytes for each member besides `members`. Throws FormatError if a sum does not fit or two leaves are
 * equal.
 */
export async function buildTree(
  context: Context,
  members: SnapshotMembers,
  salts: Salts,
): Promise<BuiltTree> {
  const entries = await leavesInOrder(context, members, salts)
  const reducer = createTreeReducer(members.count, createSha256())
  for (let first = 0; first < members.count; first += CHUNK_LEAVES) {
    reducer.add(entries.subarray(first * ENTRY_BYTES, (first + CHUNK_LEAVES) * ENTRY_BYTES))
    await breathe()
  }
  const { top, groupTops } = reducer.finish()
  return { tree: entryHash(top), sums: amountsOf(top), leaves: members.count, entries, groupTops }
}

async function leavesInOrder(context: Context, members: SnapshotMembers, salts: Salts): Promise<Uint8Array> {
  const order = createLeafOrder(members.count)
  const chunk = new Uint8Array(Math.min(members.count, CHUNK_LEAVES) * ENTRY_BYTES)
  const fill = createChunkFiller(context, members, salts, chunk)
  for (let first = 0; first < members.count; first += CHUNK_LEAVES) {
    const leaves = Math.min(members.count - first, CHUNK_LEAVES)
    fill(first, leaves)
    // Separate from the hashes, because the places of the leaves are scattered over the memory.
    order.add(chunk, leaves)
    await breathe()
  }
  return order.sorted()
}

/** Creates the function that computes the entries of some members into a chunk. */
function createChunkFiller(
  context: Context,
  { idAt, ...members }: SnapshotMembers,
  salts: Salts,
  chunk: Uint8Array,
): (first: number, leaves: number) => void {
  const sha256 = createSha256()
  const hashLeaf = createLeafHasher(contextHash(context, sha256), sha256)
  const [addresses, amounts, words] = [members.addresses, members.amounts, chunk].map(wordsOf)
  return (first, leaves) => {
    for (let leaf = 0; leaf < leaves; leaf++) {
      const member = first + leaf
      const id = idAt(member)
      const [address, amount] = [member * ADDRESS_WORDS, member * AMOUNTS_WORDS]
      const block = salts.blockOf(id)
      hashLeaf(block, salts.at(id), addresses!, address, amounts!, amount, chunk, words!, leaf)
    }
  }
}
