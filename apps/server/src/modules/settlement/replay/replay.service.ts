import type { Day } from '@rif/rules'
import { type Db, inSnapshot } from '../../../db/database.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import * as repository from '../settlement.repository.ts'
import { type Books, loadBooks } from './books.service.ts'
import { replay } from './replay.ts'

export type { Books } from './books.service.ts'
export type { ReplayPool, ReplayReward } from './replay.ts'
export type SettlementReplays = ReturnType<typeof createSettlementReplays>

/** The books read as what happened, and worked out again under another plan; nothing is written. */
export function createSettlementReplays({ plans }: { plans: Pick<PlansService, 'history'> }) {
  return {
    /** The books up to the end of a settled day, all of one moment. */
    load: (db: Db, to: Day): Promise<Books> =>
      inSnapshot(db, (snapshot) => loadBooks(snapshot, { plans, to })),

    /** The first day, and the last settled one; undefined before a day was settled. */
    async range(db: Db): Promise<{ first: Day; last: Day } | undefined> {
      const progress = await repository.progress(db)
      if (progress === undefined || progress.lastSettled === null) return undefined
      return { first: progress.firstDay, last: progress.lastSettled }
    },

    replay,
  }
}
