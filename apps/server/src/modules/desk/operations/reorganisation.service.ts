import { formatMicros } from '@rif/rules'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import { findRecovery, undoneEvents } from '../../../chain/indexer/recovery.ts'
import { undoState } from '../../../chain/indexer/rewind.ts'
import type { Db } from '../../../db/database.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'

interface Deps {
  readonly db: Db
  readonly chain: { readonly chainId: number }
  readonly reversals: Reversals
}

const SHOWN = 20

export type ReorganisationService = ReturnType<typeof createReorganisation>

/** Creates the operators' view of the effects of reorganisations on the books. Decision 22. */
export function createReorganisation({ db, chain: { chainId }, reversals }: Deps) {
  return {
    /** Returns the undone events, members' debts, and a recovery that waits for a decision. */
    async view() {
      const [status, undoing, recovery, undone, debts, shortfall] = await Promise.all([
        indexerStatus(db, chainId),
        undoState(db, chainId),
        findRecovery(db),
        undoneEvents(db, chainId, SHOWN),
        reversals.debts(db),
        reversals.shortfall(db),
      ])
      const state = status?.halted ? 'halted' : undoing === 'none' ? 'none' : 'undoing'
      const isOpen = recovery !== undefined && recovery.approvedAt === null && state !== 'none'
      return {
        state: state as 'none' | 'undoing' | 'halted',
        recovery: isOpen
          ? {
              recovery_id: `${recovery.recoveryId}`,
              found_at: recovery.foundAt.toISOString(),
              events: recovery.plan.events.length,
              postings: recovery.plan.postings.length,
            }
          : null,
        undone: undone.map(({ at, txHash, ...event }) => ({
          ...event,
          tx_hash: txHash,
          at: at.toISOString(),
        })),
        debts: debts.map(({ memberId, asset, owedMicros }) => ({
          member_id: `${memberId}`,
          asset,
          amount: formatMicros(owedMicros),
        })),
        shortfall: { USDT: formatMicros(-shortfall.USDT), AMC: formatMicros(-shortfall.AMC) },
      }
    },
  }
}
