import type { Day } from '@rif/rules'
import {
  AMOUNTS_BYTES,
  type Context,
  ENTRY_BYTES,
  GROUP_LEAVES,
  HASH_BYTES,
  type Report,
  rootOf,
} from '@rif/solvency'
import type { Db } from '../../../../db/database.ts'
import * as repository from '../solvency.repository.ts'
import type { SnapshotMembers } from './members.ts'
import { sha256Into } from './sha256.ts'
import type { BuiltTree } from './tree.ts'

/** The number of members in a block of `solvency_members`: 4 KB, which a proof reads as a whole. */
export const BLOCK_MEMBERS = 128
/** A member number and the amounts of a leaf. */
export const BLOCK_ENTRY_BYTES = 32

/** A report to store. */
export interface NewReport {
  readonly day: Day
  readonly context: Context
  readonly saltKeyId: string
  readonly report: Report
  /** The holdings of the banks at the end of the day according to the books, in micro-units. */
  readonly holdings: { readonly usdt: bigint; readonly amc: bigint }
  readonly builtAt: Date
}

/** Stores a report with its leaves, unless the day has one. */
export function storeReport(
  dbTx: Db,
  row: NewReport,
  members: SnapshotMembers,
  tree: BuiltTree,
): Promise<void> {
  const { day, context, report, holdings } = row
  return repository.insertReport(
    dbTx,
    {
      day,
      chain_id: BigInt(context.chainId),
      bank: context.bank,
      format: 1,
      salt_key_id: row.saltKeyId,
      leaves: report.leaves,
      tree: bytes(report.tree),
      members_usdt: report.members.usdt,
      members_amc: report.members.amc,
      members_fund: report.members.fund,
      other_usdt: report.other.usdt,
      other_amc: report.other.amc,
      fund_cash: report.fundCash,
      fund_invested: report.fundInvested,
      ledger_head: bytes(report.ledgerHead),
      operators_head: bytes(report.operatorsHead),
      held_usdt: holdings.usdt,
      held_amc: holdings.amc,
      root: bytes(rootOf(context, report, sha256Into)),
      built_at: row.builtAt,
    },
    { groups: groupsOf(day, tree), blocks: blocksOf(day, members), tops: Buffer.from(tree.groupTops) },
  )
}

function* groupsOf(day: Day, { entries, leaves }: BuiltTree) {
  for (let first = 0; first < leaves; first += GROUP_LEAVES) {
    const group = Buffer.from(entries.subarray(first * ENTRY_BYTES, (first + GROUP_LEAVES) * ENTRY_BYTES))
    yield { day, group_no: first / GROUP_LEAVES, first_hash: group.subarray(0, HASH_BYTES), leaves: group }
  }
}

function* blocksOf(day: Day, members: SnapshotMembers) {
  const blockAt = (member: number) => Math.floor(members.idAt(member) / BLOCK_MEMBERS)
  for (let first = 0; first < members.count; ) {
    const block = blockAt(first)
    let end = first
    while (end < members.count && blockAt(end) === block) end++
    const entries = Buffer.alloc((end - first) * BLOCK_ENTRY_BYTES)
    for (let member = first; member < end; member++) {
      const at = (member - first) * BLOCK_ENTRY_BYTES
      entries.writeBigInt64BE(BigInt(members.idAt(member)), at)
      entries.set(members.amounts.subarray(member * AMOUNTS_BYTES, (member + 1) * AMOUNTS_BYTES), at + 8)
    }
    yield { day, block: BigInt(block), entries }
    first = end
  }
}

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
