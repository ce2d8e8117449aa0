import { AMOUNTS_BYTES, checkList, listHeader } from '@rif/solvency'
import { expect, test } from 'vitest'
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
  return { ...{ count, addresses, amounts }, idAt: (member) => member * 3 + 1 }
}

test.each([0, 1, 2, 1_023, 1_024, 1_025, 5_000])(
  'the list of a tree of %i members is in order and adds up',
  async (count) => {
    const { tree, leaves, sums, entries } = await buildTree(CONTEXT, membersOf(count), SALTS)
    const report = {
      ...{ tree, leaves, members: sums, other: { usdt: 0n, amc: 0n }, fundCash: 0n, fundInvested: 0n },
      ...{ ledgerHead: HEAD, operatorsHead: HEAD },
    }
    expect(sums.usdt).toBe((BigInt(count) * BigInt(count - 1) * 1_000_003n) / 2n)
    expect(checkList(Buffer.concat([listHeader(CONTEXT, report), entries]), createSha256())).toBeNull()
  },
)

test('two equal leaves make no tree', async () => {
  const members = membersOf(3)
  const same: SnapshotMembers = { ...members, addresses: Buffer.alloc(60), amounts: Buffer.alloc(72) }
  const salts: Salts = { ...SALTS, at: () => 0 }
  await expect(buildTree(CONTEXT, same, salts)).rejects.toThrow('two leaves have the same hash')
})
