import type { SolvencyProof } from '@rif/api-schema'
import type { Day } from '@rif/rules'
import {
  dayNumberOf,
  ENTRY_BYTES,
  GROUP_LEAVES,
  HASH_BYTES,
  leafEntry,
  listHeader,
  pathOf,
  proofFile,
  type Report,
} from '@rif/solvency'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { saltKeyId, saltsOf } from './snapshot/salts.ts'
import { sha256Into } from './snapshot/sha256.ts'
import { BLOCK_ENTRY_BYTES, BLOCK_MEMBERS } from './snapshot/store.ts'
import type { DayRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

/** Creates the service of members' proofs and of the lists of leaves. Rules, section 13. */
export function createProofs({ db, saltKey }: { db: Db; saltKey: Uint8Array | null }) {
  /** Returns a report that has leaves. Throws NOT_FOUND. */
  async function reportFor(day: Day | undefined): Promise<DayRow> {
    const row = await (day === undefined ? repository.lastPublished(db) : repository.findDay(db, day))
    if (row === undefined) throw new AppError('NOT_FOUND')
    return row
  }

  return {
    /**
     * Returns a member's proof in a day's report, by default in the last published one. Throws NOT_FOUND without a report or when
     * its leaves are no longer kept, NOT_IN_REPORT when it has no leaf of the member, and UNAVAILABLE without the key of its salts.
     */
    async proof(
      member: { readonly memberId: bigint; readonly address: string },
      day?: Day,
    ): Promise<SolvencyProof> {
      const row = await reportFor(day)
      const [block, groupTops] = await Promise.all([
        repository.findBlock(db, row.day, member.memberId / BLOCK_MEMBERS),
        repository.findTops(db, row.day),
      ])
      if (groupTops === undefined) throw new AppError('NOT_FOUND')
      if (saltKey === null || saltKeyId(saltKey) !== row.salt_key_id) throw new AppError('UNAVAILABLE')
      const amounts = block === undefined ? null : amountsIn(block, member.memberId)
      if (amounts === null) throw new AppError('NOT_IN_REPORT', { day: row.day })
      const salt = `0x${Buffer.from(saltsOf(saltKey, row.day).of(member.memberId)).toString('hex')}`
      const leaf = { address: member.address.toLowerCase(), salt, ...amounts }
      const context = contextOf(row)
      const hash = leafEntry({ context, leaf }, sha256Into).subarray(0, HASH_BYTES)
      const group = await repository.findGroup(db, row.day, Buffer.from(hash))
      const place = group === undefined ? -1 : placeOf(group.leaves, hash)
      if (group === undefined || place < 0) throw new AppError('NOT_IN_REPORT', { day: row.day })
      const index = group.group_no * GROUP_LEAVES + place
      const path = pathOf({ leaves: row.leaves, group: group.leaves, groupTops }, index, sha256Into)
      return proofFile({ context, leaf, index, path, report: reportOf(row) }) as SolvencyProof
    },

    /** Yields the list of leaves of a day: header, then groups of leaves. Throws NOT_FOUND before the first byte. */
    async *leaves(day: Day): AsyncGenerator<Buffer> {
      const row = await reportFor(day)
      if ((await repository.findTops(db, day)) === undefined) throw new AppError('NOT_FOUND')
      yield Buffer.from(listHeader(contextOf(row), reportOf(row)))
      for (let groupNo = 0; groupNo * GROUP_LEAVES < row.leaves; groupNo++) {
        const leaves = await repository.groupLeaves(db, day, groupNo)
        if (leaves === undefined) throw new AppError('NOT_FOUND')
        yield leaves
      }
    },
  }
}

/** Returns what a stored report is about. */
export const contextOf = (row: Pick<DayRow, 'chain_id' | 'bank' | 'day'>) => ({
  ...{ chainId: Number(row.chain_id), bank: row.bank, dayNumber: dayNumberOf(row.day) },
})

/** Returns a stored report in the format of docs/solvency.md. */
export function reportOf(row: DayRow): Report {
  const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`
  return {
    ...{ tree: hex(row.tree), leaves: row.leaves },
    members: { usdt: row.members_usdt, amc: row.members_amc, fund: row.members_fund },
    other: { usdt: row.other_usdt, amc: row.other_amc },
    ...{ fundCash: row.fund_cash, fundInvested: row.fund_invested },
    ...{ ledgerHead: hex(row.ledger_head), operatorsHead: hex(row.operators_head) },
  }
}

function amountsIn(block: Buffer, memberId: bigint) {
  for (let at = 0; at < block.length; at += BLOCK_ENTRY_BYTES) {
    if (block.readBigInt64BE(at) !== memberId) continue
    const [usdt, amc, fund] = [8, 16, 24].map((offset) => block.readBigUInt64BE(at + offset))
    return { usdt: usdt!, amc: amc!, fund: fund! }
  }
  return null
}

function placeOf(group: Buffer, hash: Uint8Array): number {
  for (let place = 0; place * ENTRY_BYTES < group.length; place++) {
    if (group.subarray(place * ENTRY_BYTES, place * ENTRY_BYTES + HASH_BYTES).equals(hash)) return place
  }
  return -1
}
