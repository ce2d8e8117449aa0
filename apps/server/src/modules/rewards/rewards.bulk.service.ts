import { REWARD_POOL, type RewardKind } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { BatchRow } from './rewards.repository.ts'
import * as repository from './rewards.repository.ts'

export type { BatchRow }

/** A part of the rewards of batches, to record as paid. */
export interface RewardPart {
  /** Batches of different classes; those that were not fixed have no rows. */
  readonly batches: readonly { readonly batch: string; readonly type: RewardKind }[]
  /** The number of daily parts in which their AMC is released. */
  readonly releaseParts: number
  /**
   * A query of (member_id, class, order_id or 0, level, base_micros, ratio_ppm, value_micros, flushed_micros, paid_micros,
   * usdt_micros, amc_micros).
   */
  readonly rows: RawBuilder<unknown>
}

export type BulkRewards = ReturnType<typeof createBulkRewards>

/**
 * Creates the handling of batches too large to be paid in one transaction: fixed first, then recorded part by
 * part. Rules, section 6.
 */
export function createBulkRewards() {
  return {
    /** Fixes a batch before any of it is paid; the type determines its pool. Once per key. */
    async fix(dbTx: Db, type: RewardKind, batch: Omit<BatchRow, 'pool'>): Promise<void> {
      await repository.insertBatch(dbTx, { ...batch, pool: REWARD_POOL[type] })
    },

    /** Returns a fixed batch. */
    find(db: Db, key: string): Promise<BatchRow | undefined> {
      return repository.findBatch(db, key)
    },

    /** Writes the records of a part of batches, and adds them to their members' sums; the heads are locked. */
    async record(dbTx: Db, { batches, releaseParts, rows }: RewardPart): Promise<void> {
      const types = new Map(batches.map(({ batch, type }) => [batch, type]))
      const fixed = await repository.findBatches(dbTx, [...types.keys()])
      const part = sql`
        select part.*, fixed.*
        from (${rows}) as part
        join unnest(${fixed.map((batch) => batch.class)}::text[], ${fixed.map(({ batch }) => batch)}::text[],
            ${fixed.map(({ batch }) => types.get(batch)!)}::text[], ${fixed.map(({ day }) => day)}::date[],
            ${fixed.map(({ paid_at }) => paid_at)}::timestamptz[], ${fixed.map((batch) => batch.coverage_ppm)}::integer[],
            ${fixed.map((batch) => batch.usdt_share_ppm)}::integer[], ${fixed.map((batch) => batch.amc_share_ppm)}::integer[])
          as fixed (batch_class, batch, type, day, paid_at, coverage_ppm, usdt_share_ppm, amc_share_ppm)
          on fixed.batch_class = part.class`
      await sql`
        insert into rewards (member_id, type, batch, day, created_at, order_id, level, base_micros, ratio_ppm,
          value_micros, flushed_micros, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_micros, usdt_micros,
          amc_micros, release_parts)
        select member_id, type, batch, day, paid_at, nullif(order_id, 0), level, base_micros, ratio_ppm, value_micros,
          flushed_micros, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_micros, usdt_micros, amc_micros,
          ${releaseParts}::smallint
        from (${part}) as part order by member_id, type, order_id`.execute(dbTx)
      await repository.addRowsToSums(
        dbTx,
        sql`
          select member_id, day, type, sum(paid_micros)::bigint as paid, sum(usdt_micros)::bigint as usdt,
            sum(amc_micros)::bigint as amc
          from (${part}) as part group by member_id, day, type order by member_id, type`,
      )
    },

    /**
     * Stores the state that members carry to the next settled day: a query of (member_id, level, carry_left_micros,
     * carry_right_micros, manage_base_micros, release_micros).
     */
    async keepStandings(dbTx: Db, standings: RawBuilder<unknown>): Promise<void> {
      await sql`
        insert into member_standings (member_id, level, carry_left_micros, carry_right_micros, manage_base_micros,
          release_micros)
        ${standings}
        on conflict (member_id) do update set level = excluded.level,
          carry_left_micros = excluded.carry_left_micros, carry_right_micros = excluded.carry_right_micros,
          manage_base_micros = excluded.manage_base_micros, release_micros = excluded.release_micros`.execute(
        dbTx,
      )
    },

    /** Adds a fully paid batch to the amounts due and paid of its class on that day. */
    async close(dbTx: Db, batch: BatchRow): Promise<void> {
      await repository.addToCoverage(dbTx, batch.day, batch.class, {
        valueMicros: batch.value_micros,
        paidMicros: batch.paid_micros,
      })
    },
  }
}
