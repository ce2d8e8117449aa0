import type { SolvencyProof } from '@rif/api-schema'
import type { Day } from '@rif/rules'
import {
  createPaths,
  dayNumberOf,
  ENTRY_BYTES,
  GROUP_LEAVES,
  HASH_BYTES,
  leafEntry,
  listHeader,
  proofFile,
  type Report,
} from '@rif/solvency'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { saltKeyId, saltsOf } from './snapshot/salts.ts'
import { createSha256, sha256Into } from './snapshot/sha256.ts'
import { BLOCK_ENTRY_BYTES, BLOCK_MEMBERS } from './snapshot/store.ts'
import type { SolvencyDayRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

type Paths = ReturnType<typeof createPaths>

/** The number of days whose reports and upper nodes are cached; nearly all members request the last one. */
const KEPT_DAYS = 4

/** Creates the service of members' proofs and of the lists of leaves. Rules, section 13. */
export function createProofs({ db, saltKey }: { db: Db; saltKey: Uint8Array | null }) {
  const kept = new Map<Day, { readonly row: SolvencyDayRow; readonly paths: Paths }>()

  /** Returns the report of a day, by default the last published one. Throws NOT_FOUND. */
  async function reportFor(day: Day | undefined): Promise<SolvencyDayRow> {
    const cachedRow = day === undefined ? undefined : kept.get(day)?.row
    const row =
      cachedRow ??
      (await (day === undefined ? repository.lastPublished(db) : repository.findSolvencyDay(db, day)))
    if (row === undefined) throw new AppError('NOT_FOUND')
    return row
  }

  /** Throws NOT_FOUND if the leaves of a day are no longer stored, otherwise NOT_IN_REPORT. */
  async function refuse(day: Day): Promise<never> {
    throw (await repository.hasLeaves(db, day))
      ? new AppError('NOT_IN_REPORT', { day })
      : new AppError('NOT_FOUND')
  }

  /**
   * Returns the function that computes paths in a day's tree. A report never changes, so it and its upper
   * nodes are cached.
   */
  async function pathsOf(row: SolvencyDayRow): Promise<Paths> {
    const cachedReport = kept.get(row.day)
    if (cachedReport !== undefined) return cachedReport.paths
    const groupTops = await repository.findTops(db, row.day)
    if (groupTops === undefined) throw new AppError('NOT_FOUND')
    const paths = createPaths(row.leaves, groupTops, createSha256())
    kept.set(row.day, { row, paths })
    if (kept.size > KEPT_DAYS) kept.delete(kept.keys().next().value as Day)
    return paths
  }

  return {
    /**
     * Returns a member's proof in a day's report, by default in the last published one. Throws NOT_FOUND
     * without a report or if its leaves are no longer stored, NOT_IN_REPORT if it has no leaf of the member,
     * and UNAVAILABLE without the key of its salts.
     */
    async proof(
      member: { readonly memberId: bigint; readonly address: string },
      day?: Day,
    ): Promise<SolvencyProof> {
      const row = await reportFor(day)
      const memberId = Number(member.memberId)
      const block = await repository.findBlock(db, row.day, BigInt(Math.floor(memberId / BLOCK_MEMBERS)))
      const amounts = block === undefined ? null : amountsIn(block, member.memberId)
      if (amounts === null) return refuse(row.day)
      if (saltKey === null || saltKeyId(saltKey) !== row.salt_key_id) throw new AppError('UNAVAILABLE')
      const salt = `0x${Buffer.from(saltsOf(saltKey, row.day).of(memberId)).toString('hex')}`
      const leaf = { address: member.address.toLowerCase(), salt, ...amounts }
      const context = contextOf(row)
      const hash = leafEntry({ context, leaf }, sha256Into).subarray(0, HASH_BYTES)
      const [group, paths] = await Promise.all([
        repository.findGroup(db, row.day, Buffer.from(hash)),
        pathsOf(row),
      ])
      const place = group === undefined ? -1 : placeOf(group.leaves, hash)
      if (group === undefined || place < 0) return refuse(row.day)
      const index = group.group_no * GROUP_LEAVES + place
      const path = paths(group.leaves, index)
      return proofFile({ context, leaf, index, path, report: reportOf(row) }) as SolvencyProof
    },

    /** Yields the list of leaves of a day: header, then groups of leaves. Throws NOT_FOUND before the first byte. */
    async *leaves(day: Day): AsyncGenerator<Buffer> {
      const row = await reportFor(day)
      if (!(await repository.hasLeaves(db, day))) throw new AppError('NOT_FOUND')
      yield Buffer.from(listHeader(contextOf(row), reportOf(row)))
      let missing = row.leaves * ENTRY_BYTES
      for await (const leaves of repository.eachLeaves(db, row)) {
        missing -= leaves.length
        yield leaves
      }
      if (missing > 0) throw new AppError('NOT_FOUND')
    },
  }
}

/** Returns the context of a stored report. */
export const contextOf = (row: Pick<SolvencyDayRow, 'chain_id' | 'bank' | 'day'>) => ({
  chainId: Number(row.chain_id),
  bank: row.bank,
  dayNumber: dayNumberOf(row.day),
})

/** Returns a stored report in the format of docs/solvency.md. */
export function reportOf(row: SolvencyDayRow): Report {
  const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`
  return {
    tree: hex(row.tree),
    leaves: row.leaves,
    members: { usdt: row.members_usdt, amc: row.members_amc, fund: row.members_fund },
    other: { usdt: row.other_usdt, amc: row.other_amc },
    fundCash: row.fund_cash,
    fundInvested: row.fund_invested,
    ledgerHead: hex(row.ledger_head),
    operatorsHead: hex(row.operators_head),
  }
}

function amountsIn(block: Buffer, memberId: bigint) {
  const index = firstWhere(block.length / BLOCK_ENTRY_BYTES, (entry) => {
    return block.readBigInt64BE(entry * BLOCK_ENTRY_BYTES) >= memberId
  })
  const at = index * BLOCK_ENTRY_BYTES
  if (at === block.length || block.readBigInt64BE(at) !== memberId) return null
  const [usdt, amc, fund] = [8, 16, 24].map((offset) => block.readBigUInt64BE(at + offset))
  return { usdt: usdt!, amc: amc!, fund: fund! }
}

/** Returns the place of a leaf in its group by its hash, or -1. */
function placeOf(group: Buffer, hash: Uint8Array): number {
  const compared = (place: number) => {
    const at = place * ENTRY_BYTES
    return group.compare(hash, 0, HASH_BYTES, at, at + HASH_BYTES)
  }
  const place = firstWhere(group.length / ENTRY_BYTES, (index) => compared(index) >= 0)
  return place * ENTRY_BYTES < group.length && compared(place) === 0 ? place : -1
}

/**
 * Returns the first of `count` ordered entries for which `isReached` is true, by binary search; `count` if
 * there is none.
 */
function firstWhere(count: number, isReached: (entry: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
