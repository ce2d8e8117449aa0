import type { Day, Micros, Ppm, RewardKind } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A recorded reward; the schema describes the columns. */
export interface RecordedReward {
  readonly memberId: bigint
  readonly type: RewardKind
  readonly day: Day
  readonly sourceMemberId: bigint | null
  /** The order that caused it, or the package that it is paid on. */
  readonly orderId: bigint | null
  readonly baseMicros: Micros
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly paidMicros: Micros
  readonly coveragePpm: Ppm
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  readonly flushedMicros: Micros
}

/** Returns all recorded rewards, in order of their records. For reports, not for requests. */
export async function rewardHistory(db: Db): Promise<RecordedReward[]> {
  const { rows } = await sql<RecordedReward>`
    select member_id as "memberId", type, day, source_member_id as "sourceMemberId", order_id as "orderId",
      base_micros as "baseMicros", ratio_ppm as "ratioPpm", value_micros as "valueMicros",
      paid_micros as "paidMicros", coverage_ppm as "coveragePpm", usdt_micros as "usdtMicros",
      amc_micros as "amcMicros", flushed_micros as "flushedMicros"
    from rewards order by reward_id`.execute(db)
  return rows
}
