import { createHash } from 'node:crypto'
import type { HashInto, Leaf, Report } from './format.ts'
import { type Context, ENTRY_BYTES } from './format.ts'
import { listHeader } from './list.ts'
import { leafEntry, type Proof } from './proof.ts'
import { amountsOf, createPaths, createTreeReducer, entryHash, GROUP_LEAVES } from './tree.ts'

export const sha256Into: HashInto = (data, target, at) => {
  target.set(createHash('sha256').update(data).digest(), at)
}

export const CONTEXT: Context = { chainId: 42161, bank: `0x${'b0'.repeat(20)}`, dayNumber: 20_778 }

const HEADS = { ledgerHead: `0x${'aa'.repeat(32)}`, operatorsHead: `0x${'bb'.repeat(32)}` }

/** Returns a member's leaf; the amounts default to some small ones. */
export function leafOf(member: number, amounts: Partial<Leaf> = {}): Leaf {
  return {
    address: `0x${member.toString(16).padStart(40, '0')}`,
    salt: `0x${(member * 7919).toString(16).padStart(64, '0')}`,
    usdt: BigInt(member) * 1_000_000n,
    amc: BigInt(member),
    fund: 5n,
    ...amounts,
  }
}

/** A snapshot of some leaves: its report, its sorted entries, and the proof of each leaf by address. */
export function snapshotOf(leaves: readonly Leaf[], context: Context = CONTEXT) {
  const sorted = leaves
    .map((leaf) => ({ leaf, entry: leafEntry({ context, leaf }, sha256Into) }))
    .sort((left, right) => (entryHash(left.entry) < entryHash(right.entry) ? -1 : 1))
  const entries = new Uint8Array(sorted.length * ENTRY_BYTES)
  sorted.forEach(({ entry }, index) => {
    entries.set(entry, index * ENTRY_BYTES)
  })
  const reducer = createTreeReducer(leaves.length, sha256Into)
  const groupOf = (first: number) =>
    entries.subarray(first * ENTRY_BYTES, (first + GROUP_LEAVES) * ENTRY_BYTES)
  reducer.add(entries)
  const { top, groupTops } = reducer.finish()
  const report: Report = {
    tree: entryHash(top),
    leaves: leaves.length,
    members: amountsOf(top),
    other: { usdt: 11n, amc: 12n },
    fundCash: 13n,
    fundInvested: 14n,
    ...HEADS,
  }
  const proofOf = (address: string): Proof => {
    const index = sorted.findIndex(({ leaf }) => leaf.address === address)
    const group = groupOf(Math.floor(index / GROUP_LEAVES) * GROUP_LEAVES)
    const path = createPaths(leaves.length, groupTops, sha256Into)(group, index)
    return { context, leaf: sorted[index]!.leaf, index, path, report }
  }
  const header = listHeader(context, report)
  const file = new Uint8Array(header.length + entries.length)
  file.set(header)
  file.set(entries, header.length)
  return { report, proofOf, file }
}
