import type { Day, Micros, PaymentAsset, Ppm } from '@rif/rules'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import * as repository from './savings.repository.ts'

/** A day's fixed interest of an asset, before any of it is paid. */
export interface InterestBatch {
  readonly day: Day
  readonly asset: PaymentAsset
  readonly ratePpm: Ppm
  readonly poolMicros: Micros
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  readonly accountCount: number
  readonly coveragePpm: Ppm
  readonly fixedAt: Date
}

export type SavingsInterestBook = ReturnType<typeof createSavingsInterestBook>

/** Creates the part of savings that settlement uses: a barrier for a day's transfers, and the records of its interest. Rules, section 9. */
export function createSavingsInterestBook() {
  return {
    /** Waits until no transfer in progress can still count for an earlier time. */
    awaitTransfers: (dbTx: Db): Promise<void> => repository.lockAlone(dbTx),

    /** Returns the fixed batches of a day, with their coverage. */
    fixed: (dbTx: Db, day: Day): Promise<{ asset: PaymentAsset; coveragePpm: Ppm }[]> =>
      repository.batchesOf(dbTx, day),

    /** Stores a batch. */
    fix: (dbTx: Db, batch: InterestBatch): Promise<void> =>
      repository.insertSavingsBatch(dbTx, {
        day: batch.day,
        asset: batch.asset,
        rate_ppm: batch.ratePpm,
        pool_micros: batch.poolMicros,
        due_micros: batch.dueMicros,
        paid_micros: batch.paidMicros,
        account_count: batch.accountCount,
        coverage_ppm: batch.coveragePpm,
        fixed_at: batch.fixedAt,
      }),

    /**
     * Records interest posted in the same transaction; a query of (member_id, asset, principal_micros,
     * due_micros, paid_micros).
     */
    record: (dbTx: Db, day: Day, rows: RawBuilder<unknown>): Promise<void> =>
      repository.insertInterest(dbTx, day, rows),
  }
}
