import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Read, read, readMember } from '../db/read.ts'
import type { Now } from '../lib/clock.ts'
import type { ChainHead, ChainPace } from './confirmations.ts'
import { KEY_CHANGE, LAST_HAND_OVER } from './hand-over.ts'
import { type AppliedPosition, appliedPosition } from './indexer/position.ts'
import {
  type BlockPlace,
  isBookedForGood,
  l1FinalBlock,
  lastBookedBlock,
  type UsualWaits,
  usualWaitsOf,
} from './l1-finality.ts'

/** The progress of chain and ledger that modules read. */
export interface ChainProgress {
  head(db: Db): Promise<ChainHead>
  /**
   * The last final block whose events have all been applied; before the first run of the indexer, one at time
   * zero.
   */
  applied(db: Db): Promise<AppliedPosition>
  /** The last block that L1 has finalised; null before the indexer first ran. */
  l1Final(db: Db): Promise<BlockPlace | null>
  /** The block of the last event that was booked; block 0 when there is none. */
  lastBooked(db: Db): Promise<BlockPlace>
  /** Reports whether the bookings of a transaction, or all those before a time, are final on L1. */
  isBookedForGood(db: Db, which: { readonly txHash: string } | { readonly before: Date }): Promise<boolean>
  /** The head, the finality on L1, the usual waits and the last hand-over, for members' displays. */
  pace(db: Db): Promise<ChainPace>
  /** The read of `pace`, the same for all members. */
  paceRead(): Read<ChainPace>
}

const NOTHING_YET: AppliedPosition = { blockNumber: 0n, blockAt: new Date(0) }

/** Reads the progress that the indexer of this chain has stored. */
export function createChainProgress(deps: {
  chainId: number
  confirmations: number
  now: Now
}): ChainProgress {
  const { chainId, now } = deps
  const paceRead = () =>
    read<PaceRow, ChainPace>(
      () => sql`
        select null::bigint as member_id, jsonb_build_object('waits', waits,
          'head', (select head_number::text from chain_cursors where chain_id = ${chainId}),
          'l1Final', (select l1_final_number::text from chain_cursors where chain_id = ${chainId}),
          'handOver', (select to_jsonb(last) from (${LAST_HAND_OVER}) as last),
          'keyChange', (select to_jsonb(change) from (${KEY_CHANGE}) as change)) as value
        from (${usualWaitsOf(chainId, now())}) as waits`,
      (row) => paceOf(row!, deps.confirmations),
    )
  return {
    async head(db) {
      const row = await db
        .selectFrom('chain_cursors')
        .select('head_number')
        .where('chain_id', '=', BigInt(chainId))
        .executeTakeFirst()
      return { number: row?.head_number ?? 0n, confirmationsNeeded: deps.confirmations }
    },
    // The same for all members, so any member's value will do.
    pace: (db) => readMember(db, 0n, paceRead()),
    paceRead,
    applied: async (db) => (await appliedPosition(db, chainId)) ?? NOTHING_YET,
    l1Final: (db) => l1FinalBlock(db, chainId),
    lastBooked: (db) => lastBookedBlock(db, chainId),
    isBookedForGood: (db, which) => isBookedForGood(db, chainId, which),
  }
}

/** The pace in JSON form. */
interface PaceRow {
  readonly waits: UsualWaits
  readonly head: string | null
  readonly l1Final: string | null
  readonly handOver: { readonly blockNumber: string; readonly blockAt: string } | null
  readonly keyChange: { readonly executableAt: string | null } | null
}

function paceOf(
  { waits, head, l1Final, handOver, keyChange }: PaceRow,
  confirmationsNeeded: number,
): ChainPace {
  return {
    number: BigInt(head ?? 0),
    l1FinalNumber: l1Final === null ? null : BigInt(l1Final),
    confirmationsNeeded,
    bookedMs: waits.bookedMs,
    l1FinalMs: waits.l1FinalMs,
    handOver: handOver && {
      blockNumber: BigInt(handOver.blockNumber),
      blockAt: new Date(handOver.blockAt),
    },
    keyChange: keyChange && {
      executableAt: keyChange.executableAt === null ? null : new Date(keyChange.executableAt),
    },
  }
}
