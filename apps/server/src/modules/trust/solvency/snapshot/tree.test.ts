import { createHash } from 'node:crypto'
import { AMOUNTS_BYTES, checkList, hexOf, listHeader } from '@rif/solvency'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../testing/level.ts'
import { ADDRESS_BYTES, type SnapshotMembers } from './members.ts'
import { type Salts, saltsOf } from './salts.ts'
import { createSha256 } from './sha256.ts'
import { buildTree } from './tree.ts'

const CONTEXT = { chainId: 42161, bank: `0x${'b0'.repeat(20)}`, dayNumber: 20_778 }
const SALTS = saltsOf(Buffer.alloc(32, 9), '2026-11-21')
const HEAD = `0x${'00'.repeat(32)}`

function membersOf(count: number): SnapshotMembers {
  const amounts = Buffer.alloc(count * AMOUNTS_BYTES)
  const addresses = Buffer.alloc(count * ADDRESS_BYTES)
  for (let member = 0; member < count; member++) {
    amounts.writeBigUInt64BE(BigInt(member) * 1_000_003n, member * AMOUNTS_BYTES)
    addresses.writeUInt32BE(member + 1, member * ADDRESS_BYTES + 16)
  }
  // Numbers with gaps, as after sign-ups that failed.
  return { count, addresses, amounts, idAt: (member) => member * 3 + 1 }
}

test.each([0, 1, 2, 127, 128, 129, 4_095, 4_096, 4_097, 9_000])(
  'the list of a tree of %i members is in order and adds up',
  async (count) => {
    const { tree, leaves, sums, entries } = await buildTree(CONTEXT, membersOf(count), SALTS)
    const report = {
      tree,
      leaves,
      members: sums,
      other: { usdt: 0n, amc: 0n },
      fundCash: 0n,
      fundInvested: 0n,
      ledgerHead: HEAD,
      operatorsHead: HEAD,
    }
    expect(sums.usdt).toBe((BigInt(count) * BigInt(count - 1) * 1_000_003n) / 2n)
    expect(checkList(Buffer.concat([listHeader(CONTEXT, report), entries]), createSha256())).toBeNull()
  },
)

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const byte = (value: number) => Buffer.from([value])
const integer = (value: bigint, bytes: number) =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')

/**
 * Builds the tree as docs/solvency.md defines it, independently of the product: hashes and amounts of the
 * leaves in order, and the top.
 */
function treeByDefinition({ count, idAt, addresses, amounts }: SnapshotMembers) {
  const [chainId, day] = [integer(BigInt(CONTEXT.chainId), 8), integer(BigInt(CONTEXT.dayNumber), 4)]
  const bank = Buffer.from(CONTEXT.bank.slice(2), 'hex')
  const context = sha256(Buffer.from('RIF solvency v1'), chainId, bank, day)
  const leaves = Array.from({ length: count }, (_, member) => {
    const own = amounts.subarray(member * AMOUNTS_BYTES, (member + 1) * AMOUNTS_BYTES)
    const address = addresses.subarray(member * ADDRESS_BYTES, (member + 1) * ADDRESS_BYTES)
    const hash = sha256(byte(0), context, SALTS.of(idAt(member)), address, own)
    return { hash, sums: [0, 8, 16].map((at) => Buffer.from(own).readBigUInt64BE(at)) }
  }).sort((leaf, other) => Buffer.compare(leaf.hash, other.hash))
  const bytesOf = ({ hash, sums }: (typeof leaves)[number]) =>
    Buffer.concat([hash, ...sums.map((sum) => integer(sum, 8))])
  let level = [...leaves]
  while (level.length === 0 || !Number.isInteger(Math.log2(level.length)))
    level.push({ hash: Buffer.alloc(32), sums: [0n, 0n, 0n] })
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, node) => {
      const [left, right] = [level[2 * node]!, level[2 * node + 1]!]
      const sums = left.sums.map((sum, asset) => sum + right.sums[asset]!)
      return { hash: sha256(byte(1), bytesOf(left), bytesOf(right)), sums }
    })
  const { hash, sums } = level[0]!
  return { entries: Buffer.concat(leaves.map(bytesOf)), tree: hexOf(hash), sums }
}

async function expectDefinition(members: SnapshotMembers): Promise<void> {
  const { tree, sums, leaves, entries } = await buildTree(CONTEXT, members, SALTS)
  const expected = treeByDefinition(members)
  expect(leaves).toBe(members.count)
  expect(expected.entries.equals(entries)).toBe(true)
  expect([tree, sums.usdt, sums.amc, sums.fund]).toEqual([expected.tree, ...expected.sums])
}

test('a tree of any size matches the definition', async () => {
  const powers = [2, 4, 64, 128, 256, 1_024]
  for (const count of new Set([0, 1, 2, 3, ...powers.flatMap((power) => [power - 1, power, power + 1])]))
    await expectDefinition(membersOf(count))
  const amount = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 53n }))
  const person = fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.uint8Array({ minLength: 20, maxLength: 20 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(person, fc.tuple(amount, amount, amount)), { maxLength: 400, size: 'max' }),
      (rows) => {
        // Numbers with gaps, in ascending order.
        const ids = rows.map(([[gap]]) => gap)
        for (let member = 1; member < ids.length; member++) ids[member]! += ids[member - 1]!
        return expectDefinition({
          count: rows.length,
          idAt: (member) => ids[member]!,
          addresses: Buffer.concat(rows.map(([[, address]]) => address)),
          amounts: Buffer.concat(rows.flatMap(([, amounts]) => amounts.map((micros) => integer(micros, 8)))),
        })
      },
    ),
    { numRuns: runs({ usual: 4, full: 50 }) },
  )
})

test('two equal leaves are refused', async () => {
  const members = membersOf(3)
  const same: SnapshotMembers = { ...members, addresses: Buffer.alloc(60), amounts: Buffer.alloc(72) }
  const salts: Salts = { ...SALTS, at: () => 0 }
  await expect(buildTree(CONTEXT, same, salts)).rejects.toThrow('two leaves have the same hash')
})
