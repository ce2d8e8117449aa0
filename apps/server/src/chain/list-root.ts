import { type Hash, keccak256, toRlp } from 'viem'

type Node = Uint8Array | Node[]
type Item = { readonly key: readonly number[]; readonly value: Uint8Array }

const EMPTY = new Uint8Array()

/**
 * Returns the root of the Merkle Patricia trie of a list, as in block headers for transactions and receipts:
 * the keys are the RLP of the indexes (yellow paper, 4.3.2 and appendix D).
 */
export function listRoot(values: readonly Uint8Array[]): Hash {
  const items = values.map(
    (value, index): Item => ({ key: nibblesOf(toRlp(indexBytes(index), 'bytes')), value }),
  )
  return keccak256(toRlp(items.length === 0 ? EMPTY : nodeOf(items, 0), 'bytes'))
}

/**
 * Returns the node above items whose keys share their first `depth` nibbles. No key is a prefix of another.
 */
function nodeOf(items: readonly Item[], depth: number): Node {
  const [first] = items as [Item]
  if (items.length === 1) return [compact(first.key.slice(depth), true), first.value]
  let shared = depth
  while (items.every(({ key }) => key[shared] === first.key[shared])) shared++
  if (shared > depth)
    return [compact(first.key.slice(depth, shared), false), reference(nodeOf(items, shared))]
  const children = Array.from({ length: 16 }, (_, nibble): Node => {
    const below = items.filter(({ key }) => key[depth] === nibble)
    return below.length === 0 ? EMPTY : reference(nodeOf(below, depth + 1))
  })
  return [...children, EMPTY]
}

/** Returns the reference to a node in its parent: its hash, or a short node itself. */
function reference(node: Node): Node {
  const encoded = toRlp(node, 'bytes')
  return encoded.length < 32 ? node : keccak256(encoded, 'bytes')
}

/** Returns nibbles as bytes, with a flag for a leaf and one for an odd number. */
function compact(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2)
  const all = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag, ...nibbles]
  return Uint8Array.from({ length: all.length / 2 }, (_, index) => all[2 * index]! * 16 + all[2 * index + 1]!)
}

const indexBytes = (index: number): Uint8Array => {
  const bytes: number[] = []
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Uint8Array.from(bytes)
}

const nibblesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15])
