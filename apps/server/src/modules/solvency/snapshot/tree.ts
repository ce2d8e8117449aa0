import { setImmediate as breathe } from 'node:timers/promises'
import {
  AMOUNTS_BYTES,
  type Amounts,
  amountsOf,
  type Context,
  contextHash,
  copyWords,
  createLeafHasher,
  createTreeReducer,
  ENTRY_BYTES,
  entryHash,
  GROUP_LEAVES,
  HASH_BYTES,
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

const HASH_WORDS = HASH_BYTES / 4
const AMOUNTS_WORDS = AMOUNTS_BYTES / 4
const ADDRESS_WORDS = ADDRESS_BYTES / 4

/**
 * Builds the tree of a day (docs/solvency.md). Other work of the process runs between the groups. Needs some 130 bytes for
 * each member beside `members`. Throws FormatError when a sum does not fit or two leaves are equal.
 */
export async function buildTree(
  context: Context,
  members: SnapshotMembers,
  salts: Salts,
): Promise<BuiltTree> {
  const entries = await leavesInOrder(context, members, salts)
  const reducer = createTreeReducer(members.count, createSha256())
  for (let first = 0; first < members.count; first += GROUP_LEAVES) {
    reducer.add(entries.subarray(first * ENTRY_BYTES, (first + GROUP_LEAVES) * ENTRY_BYTES))
    await breathe()
  }
  const { top, groupTops } = reducer.finish()
  return { tree: entryHash(top), sums: amountsOf(top), leaves: members.count, entries, groupTops }
}

async function leavesInOrder(
  context: Context,
  { count, idAt, ...members }: SnapshotMembers,
  salts: Salts,
): Promise<Uint8Array> {
  const sha256 = createSha256()
  const hashLeaf = createLeafHasher(contextHash(context, sha256), sha256)
  const order = createLeafOrder(count)
  const addresses = wordsOf(members.addresses)
  const amounts = wordsOf(members.amounts)
  const entry = new Uint8Array(ENTRY_BYTES)
  const words = wordsOf(entry)
  for (let member = 0; member < count; member++) {
    const id = idAt(member)
    const [address, amount] = [member * ADDRESS_WORDS, member * AMOUNTS_WORDS]
    hashLeaf(salts.blockOf(id), salts.at(id), addresses, address, amounts, amount, entry, 0)
    copyWords(amounts, amount, words, HASH_WORDS, AMOUNTS_WORDS)
    order.add(words)
    if (member % GROUP_LEAVES === 0) await breathe()
  }
  return order.sorted()
}
