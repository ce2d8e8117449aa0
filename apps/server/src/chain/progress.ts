import type { Db } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import type { ChainHead, ChainPace } from './confirmations.ts'
import { lastHandOver } from './hand-over.ts'
import { type AppliedPosition, appliedPosition } from './indexer/position.ts'
import { type BlockPlace, isBookedForGood, l1FinalBlock, lastBookedBlock, usualWaits } from './l1-finality.ts'

/** The progress of chain and ledger that modules read. */
export interface ChainProgress {
  head(db: Db): Promise<ChainHead>
  /** The last final block whose events have all been applied; before the indexer first ran, one at the dawn of time. */
  applied(db: Db): Promise<AppliedPosition>
  /** The last block that L1 has finalised; null before the indexer first ran. */
  l1Final(db: Db): Promise<BlockPlace | null>
  /** The block of the last event that was booked; block 0 when there is none. */
  lastBooked(db: Db): Promise<BlockPlace>
  /** Reports whether the bookings of a transaction, or all those before a time, are final on L1. */
  isBookedForGood(db: Db, which: { readonly txHash: string } | { readonly before: Date }): Promise<boolean>
  /** The head, the finality on L1, the usual waits and the last hand-over, for what a member sees. */
  pace(db: Db): Promise<ChainPace>
}

const NOTHING_YET: AppliedPosition = { blockNumber: 0n, blockAt: new Date(0) }

/** Reads the progress that the indexer of this chain has stored. */
export function createChainProgress(deps: {
  chainId: number
  confirmations: number
  now: Now
}): ChainProgress {
  const { chainId, now } = deps
  const headNumber = async (db: Db) => {
    const row = await db
      .selectFrom('chain_cursors')
      .select(['head_number', 'l1_final_number'])
      .where('chain_id', '=', BigInt(chainId))
      .executeTakeFirst()
    return { number: row?.head_number ?? 0n, l1FinalNumber: row?.l1_final_number ?? null }
  }
  return {
    head: async (db) => ({
      number: (await headNumber(db)).number,
      confirmationsNeeded: deps.confirmations,
    }),
    pace: async (db) => ({
      ...(await headNumber(db)),
      confirmationsNeeded: deps.confirmations,
      ...(await usualWaits(db, chainId, now())),
      handOver: await lastHandOver(db),
    }),
    applied: async (db) => (await appliedPosition(db, chainId)) ?? NOTHING_YET,
    l1Final: (db) => l1FinalBlock(db, chainId),
    lastBooked: (db) => lastBookedBlock(db, chainId),
    isBookedForGood: (db, which) => isBookedForGood(db, chainId, which),
  }
}
