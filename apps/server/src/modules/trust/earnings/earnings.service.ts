import type { EarningsData } from '@rif/api-schema'
import type { Day } from '@rif/rules'
import { type Db, inWritableSnapshot } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { sharedFor } from '../../../lib/shared-for.ts'
import * as repository from './earnings.repository.ts'
import { earningsView } from './view.ts'

/** Requests within this time share one read. */
const READ_MS = 15_000

export type EarningsService = ReturnType<typeof createEarnings>

/**
 * Creates the service that publishes the share of their payments that members got back. Rules, section 5.6.
 */
export function createEarnings({ db, now }: { readonly db: Db; readonly now: Now }) {
  const newest = sharedFor(READ_MS, () => repository.publishedEarnings(db))

  return {
    /** Returns the newest figures; null before the first day is settled. */
    async latest(): Promise<EarningsData> {
      const dayRow = await newest()
      if (dayRow === undefined) return { published: null }
      const { day, computedAt, figures } = dayRow
      return { published: { day, computed_at: computedAt.toISOString(), figures } }
    },

    /**
     * Publishes the figures to the end of the last settled day, unless that is done. Earlier days that were
     * settled in the same run get none. Returns the day, or null if there is nothing to do or another process
     * is doing it.
     */
    publishDue: (): Promise<Day | null> =>
      inWritableSnapshot(db, async (dbTx) => {
        if (!(await repository.tryLock(dbTx))) return null
        const day = await repository.dueDay(dbTx)
        if (day === undefined) return null
        const computedAt = now()
        await repository.refreshWindows(dbTx, day)
        const earnings = await repository.tally(dbTx, day)
        const memberCount = await repository.countMembers(dbTx, day)
        await repository.publish(dbTx, { day, computedAt, figures: earningsView(earnings, memberCount) })
        return day
      }),
  }
}
