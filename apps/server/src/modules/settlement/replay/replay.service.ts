import type { Day } from '@rif/rules'
import { type Db, inSnapshot } from '../../../db/database.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import * as repository from '../settlement.repository.ts'
import { loadBooks, type ReplayedBooks } from './books.service.ts'
import { replay } from './replay.ts'

export type { ReplayedBooks } from './books.service.ts'
export type { ReplayPool, ReplayReward } from './replay.ts'
export type SettlementReplays = ReturnType<typeof createSettlementReplays>

/** Creates the recomputation of the books under another plan. Writes nothing. */
export function createSettlementReplays({ plans }: { plans: Pick<PlansService, 'history'> }) {
  return {
    /** Returns the books up to the end of a settled day, in one snapshot. */
    load: (db: Db, to: Day): Promise<ReplayedBooks> =>
      inSnapshot(db, (snapshot) => loadBooks(snapshot, { plans, to })),

    /** Returns the first day, and the last settled one; undefined before a day was settled. */
    async range(db: Db): Promise<{ first: Day; last: Day } | undefined> {
      const progress = await repository.progress(db)
      if (progress === undefined || progress.lastSettled === null) return undefined
      return { first: progress.firstDay, last: progress.lastSettled }
    },

    replay,

    /**
     * Returns the payments of the settled days for the orders paid in this transaction: USDT worth by kind.
     * Orders that a recovery undoes change them, although the settled days stay the same.
     */
    async paidBySettlement(dbTx: Db): Promise<Readonly<Record<SettledKind, bigint>>> {
      const paid = { PairingReward: 0n, ManagementReward: 0n, Interest: 0n }
      const range = await this.range(dbTx)
      if (range === undefined) return paid
      const books = await loadBooks(dbTx, { plans, to: range.last })
      replay(books, books.planAt, {
        reward: ({ kind, paidMicros }) => {
          if (kind in paid) paid[kind as SettledKind] += paidMicros
        },
        settled: () => undefined,
      })
      return paid
    },
  }
}

/** The kinds of rewards that settlement pays. */
export type SettledKind = 'PairingReward' | 'ManagementReward' | 'Interest'
