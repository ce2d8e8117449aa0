import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { FormatError, type Leaf, leafBytes, rootOf } from './format.ts'
import { CONTEXT, leafOf, sha256Into, snapshotOf } from './hash.fixture.ts'
import { checkList, LIST_HEADER_BYTES } from './list.ts'
import { checkProof, type Expected, holds, type Problem, type Proof } from './proof.ts'

const LEAVES = Array.from({ length: 11 }, (_, member) => leafOf(member + 1))
const SNAPSHOT = snapshotOf(LEAVES)
const MEMBER = LEAVES[4]!

function expectedOf(proof: Proof, changes: Partial<Expected> = {}): Expected {
  return {
    ...CONTEXT,
    address: proof.leaf.address,
    publishedTotals: null,
    publishedRoot: rootOf(CONTEXT, SNAPSHOT.report, sha256Into),
    ...changes,
  }
}

/** Checks a proof against the published root of the snapshot; returns the problem found, or null. */
function problemOf(proof: Proof, changes: Partial<Expected> = {}): Problem | null {
  const results = checkProof(proof, expectedOf(proof, changes), sha256Into)
  expect(holds(results)).toBe(results.every(({ problem }) => problem === null))
  return results.at(-1)!.problem
}

test('every member of a tree of any size has a valid proof, and the list of leaves agrees', () => {
  const counts = [1, 2, 3, 4, 5, 127, 128, 129, 1_023, 1_024, 1_025, 2_500]
  for (const count of counts) {
    const leaves = Array.from({ length: count }, (_, member) => leafOf(member + 1))
    const { proofOf, report, file } = snapshotOf(leaves)
    expect(report.members.usdt).toBe(leaves.reduce((sum, { usdt }) => sum + usdt, 0n))
    expect(checkList(file, sha256Into)).toBeNull()
    const publishedRoot = rootOf(CONTEXT, report, sha256Into)
    for (const { address } of [leaves[0]!, leaves[count >> 1]!, leaves[count - 1]!]) {
      const proof = proofOf(address)
      expect(
        checkProof(proof, expectedOf(proof, { publishedRoot }), sha256Into).map((r) => r.problem),
      ).toEqual(Array.from({ length: 6 }, () => null))
    }
  }
})

describe('a forged proof is found', () => {
  const proof = SNAPSHOT.proofOf(MEMBER.address)

  it('amounts of the leaf are changed', () => {
    expect(problemOf({ ...proof, leaf: { ...proof.leaf, usdt: proof.leaf.usdt + 1n } })).toBe('TREE_DIFFERS')
  })

  it('one leaf serves two members', () => {
    expect(problemOf(proof, { address: LEAVES[5]!.address })).toBe('OTHER_ADDRESS')
    expect(problemOf({ ...proof, leaf: { ...proof.leaf, address: LEAVES[5]!.address } })).toBe('TREE_DIFFERS')
  })

  it('a member is left out', () => {
    const without = snapshotOf(LEAVES.filter((leaf) => leaf !== MEMBER))
    const borrowed = { ...without.proofOf(LEAVES[5]!.address), leaf: proof.leaf }
    const publishedRoot = rootOf(CONTEXT, without.report, sha256Into)
    expect(problemOf(borrowed, { publishedRoot })).toBe('TREE_DIFFERS')
    expect(problemOf(proof, { publishedRoot })).toBe('ROOT_DIFFERS')
  })

  it('it is from yesterday', () => {
    const yesterday = snapshotOf(LEAVES, { ...CONTEXT, dayNumber: CONTEXT.dayNumber - 1 })
    const old = yesterday.proofOf(MEMBER.address)
    expect(problemOf(old)).toBe('OTHER_DAY')
    expect(problemOf({ ...old, context: CONTEXT })).toBe('TREE_DIFFERS')
  })

  it('it belongs to another chain or bank', () => {
    const others = [
      [{ ...CONTEXT, chainId: 1 }, 'OTHER_CHAIN'],
      [{ ...CONTEXT, bank: `0x${'b1'.repeat(20)}` }, 'OTHER_BANK'],
    ] as const
    for (const [context, problem] of others) {
      const other = snapshotOf(LEAVES, context)
      expect(problemOf(other.proofOf(MEMBER.address))).toBe(problem)
      expect(problemOf({ ...other.proofOf(MEMBER.address), context: CONTEXT })).toBe('TREE_DIFFERS')
      expect(problemOf(proof, { publishedRoot: rootOf(context, other.report, sha256Into) })).toBe(
        'ROOT_DIFFERS',
      )
    }
  })

  it('a sum is changed at one inner node', () => {
    const path = proof.path.map((sibling, level) => (level === 2 ? { ...sibling, amc: 0n } : sibling))
    expect(problemOf({ ...proof, path })).toBe('TREE_DIFFERS')
  })

  it('a sibling is negative or overflows the sum', () => {
    const withSibling = (usdt: bigint) =>
      problemOf({
        ...proof,
        path: proof.path.map((sibling, level) => (level === 1 ? { ...sibling, usdt } : sibling)),
      })
    expect([-1n, 1n << 63n, (1n << 63n) - 1n].map(withSibling)).toEqual(
      Array.from({ length: 3 }, () => 'AMOUNT_TOO_LARGE'),
    )
  })

  it('the report states sums other than those of its tree', () => {
    const report = { ...proof.report, members: { ...proof.report.members, usdt: 1n } }
    const publishedRoot = rootOf(CONTEXT, report, sha256Into)
    expect(problemOf({ ...proof, report }, { publishedRoot })).toBe('SUMS_DIFFER')
    expect(problemOf({ ...proof, report })).toBe('SUMS_DIFFER')
  })

  it('the path has another length or position', () => {
    expect(problemOf({ ...proof, path: proof.path.slice(1) })).toBe('WRONG_LENGTH')
    expect(problemOf({ ...proof, index: 11 })).toBe('WRONG_LENGTH')
    expect(problemOf({ ...proof, index: proof.index ^ 1 })).toBe('TREE_DIFFERS')
  })

  it('nothing is published, or other totals are published', () => {
    expect(problemOf(proof, { publishedRoot: `0x${'00'.repeat(32)}` })).toBe('NOT_PUBLISHED')
    const { members, other, fundCash } = proof.report
    const liabilities = { usdt: members.usdt + other.usdt, amc: members.amc + other.amc }
    expect(problemOf(proof, { publishedTotals: { liabilities, fundCash } })).toBeNull()
    expect(problemOf(proof, { publishedTotals: { liabilities, fundCash: 0n } })).toBe('TOTALS_DIFFER')
  })

  it('a text is not a hash', () => {
    expect(problemOf({ ...proof, leaf: { ...proof.leaf, salt: '0x12' } })).toBe('MALFORMED')
  })
})

describe('a forged list of leaves is found', () => {
  const changed = (change: (entries: Uint8Array, view: DataView) => unknown) => {
    const file = SNAPSHOT.file.slice()
    change(file.subarray(LIST_HEADER_BYTES), new DataView(file.buffer, LIST_HEADER_BYTES))
    return checkList(file, sha256Into)?.problem
  }

  it('an amount, an order, a number of leaves, or the header is changed', () => {
    expect(changed(() => undefined)).toBeUndefined()
    expect(changed((_, view) => view.setUint32(36, 1))).toBe('hash of the tree')
    expect(changed((_, view) => view.setUint32(32, 0x80000000))).toBe('amounts')
    expect(changed((_, view) => [32, 88].map((at) => view.setUint32(at, 0x7fffffff)))).toBe('amounts')
    expect(changed((entries) => entries.copyWithin(0, 56, 112))).toBe('leaf 1')
    expect(checkList(SNAPSHOT.file.subarray(0, -56), sha256Into)?.problem).toBe('number of leaves')
    const file = SNAPSHOT.file.slice()
    file[40 + 36 + 7]! ^= 1
    expect(checkList(file, sha256Into)?.problem).toBe('sums')
    expect(() => checkList(new Uint8Array(400), sha256Into)).toThrow(FormatError)
  })

  it('the first leaf of a chunk is not above the last of the chunk before', () => {
    const { file } = snapshotOf(Array.from({ length: 1_030 }, (_, member) => leafOf(member + 1)))
    const at = LIST_HEADER_BYTES + 1_023 * 56
    file.copyWithin(at + 56, at, at + 56)
    expect(checkList(file, sha256Into)?.problem).toBe('leaf 1024')
  })
})

test('a leaf with a negative or too large amount has no bytes', () => {
  const bytes = (changes: Partial<Leaf>) => () => leafBytes(new Uint8Array(32), leafOf(1, changes))
  expect(bytes({ amc: -1n })).toThrow(FormatError)
  expect(bytes({ fund: 1n << 63n })).toThrow(FormatError)
  expect(bytes({ usdt: (1n << 63n) - 1n })).not.toThrow()
  expect(() => snapshotOf([leafOf(1, { usdt: 1n << 62n }), leafOf(2, { usdt: 1n << 62n })])).toThrow(
    FormatError,
  )
})

test('a change of any byte of a proof is found', () => {
  const proof = SNAPSHOT.proofOf(MEMBER.address)
  const flip = (hex: string, at: number) =>
    `${hex.slice(0, at)}${(Number.parseInt(hex[at]!, 16) ^ 1).toString(16)}${hex.slice(at + 1)}`
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 65 }), fc.nat({ max: proof.path.length }), (digit, level) => {
      const forged =
        level === proof.path.length
          ? { ...proof, leaf: { ...proof.leaf, salt: flip(proof.leaf.salt, digit) } }
          : {
              ...proof,
              path: proof.path.map((sibling, index) =>
                index === level ? { ...sibling, hash: flip(sibling.hash, digit) } : sibling,
              ),
            }
      expect(problemOf(forged)).toBe('TREE_DIFFERS')
    }),
  )
})
