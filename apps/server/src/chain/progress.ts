import type { Db } from '../db/database.ts'
import type { ChainHead } from './confirmations.ts'
import { type AppliedPosition, appliedPosition } from './indexer/position.ts'

/** The progress of chain and ledger that modules read. */
export interface ChainProgress {
  head(db: Db): Promise<ChainHead>
  /** The last final block whose events have all been applied; before the indexer first ran, one at the dawn of time. */
  applied(db: Db): Promise<AppliedPosition>
}

const NOTHING_YET: AppliedPosition = { blockNumber: 0n, blockAt: new Date(0) }

/** Reads the progress that the indexer of this chain has stored. */
export function createChainProgress(deps: { chainId: number; confirmations: number }): ChainProgress {
  return {
    async head(db) {
      const row = await db
        .selectFrom('chain_cursors')
        .select('head_number')
        .where('chain_id', '=', BigInt(deps.chainId))
        .executeTakeFirst()
      return { number: row?.head_number ?? 0n, confirmationsNeeded: deps.confirmations }
    },
    applied: async (db) => (await appliedPosition(db, deps.chainId)) ?? NOTHING_YET,
  }
}
