import {
  type Day,
  type Micros,
  type PaymentAsset,
  type Plan,
  type Ppm,
  payBatch,
  REWARD_POOL,
  type RewardKind,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { JournalEntry, LedgerLine } from '../books/ledger/ledger.service.ts'
import type { BatchRow, NewReward, RewardClass } from './rewards.repository.ts'
import * as repository from './rewards.repository.ts'

/** A reward due, before coverage; its value is positive. */
export interface DueReward {
  readonly type: RewardKind
  readonly memberId: bigint
  /** The member whose order or reward caused it, and the order or package if any. */
  readonly sourceMemberId: bigint | null
  readonly orderId: bigint | null
  readonly level: number
  readonly baseMicros: Micros
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly flushedMicros: Micros
}

/** All rewards of one class paid at one moment from one pool. */
export interface Batch {
  readonly class: RewardClass
  /** Unique for ever: a batch is paid once. */
  readonly key: string
  readonly cause: { readonly type: string; readonly id: string }
  /** The order's price, or the day's; null if none was ever published. */
  readonly amcPriceMicros: Micros | null
  readonly plan: Plan
  /** The day of the records and of the postings; for a settlement the day it settles. */
  readonly day: Day
  readonly at: Date
  readonly rewards: readonly DueReward[]
}

/** The balances of a pool. */
export type HeldCoverage = Readonly<Record<PaymentAsset, Micros>>

/** The records of a batch, and its posted transaction. */
export interface BatchWork {
  readonly row: BatchRow
  readonly records: readonly NewReward[]
  /** The transaction that pays it; null if nothing is paid. */
  readonly entry: JournalEntry | null
}

/**
 * Computes the payments of a batch of at least one reward from a pool with this balance, as far as the pool allows: USDT
 * into `available`, AMC into `locked`, with a record of each reward and one of the batch. Rules, section 6.
 */
export function workOutBatch(batch: Batch, poolBalance: HeldCoverage): BatchWork {
  const account = REWARD_POOL[batch.rewards[0]!.type]
  const paid = payBatch(
    { usdtMicros: poolBalance.USDT, amcMicros: poolBalance.AMC, amcPriceMicros: batch.amcPriceMicros },
    batch.rewards.map((reward) => reward.valueMicros),
    batch.plan,
  )
  const records = batch.rewards.map((reward, index): NewReward => {
    const payout = paid.payouts[index]!
    return {
      member_id: reward.memberId,
      type: reward.type,
      batch: batch.key,
      day: batch.day,
      created_at: batch.at,
      source_member_id: reward.sourceMemberId,
      order_id: reward.orderId,
      level: reward.level,
      base_micros: reward.baseMicros,
      ratio_ppm: reward.ratioPpm,
      value_micros: reward.valueMicros,
      flushed_micros: reward.flushedMicros,
      coverage_ppm: paid.coveragePpm,
      usdt_share_ppm: paid.usdtSharePpm,
      amc_share_ppm: paid.amcSharePpm,
      paid_micros: payout.paidMicros,
      usdt_micros: payout.usdtMicros,
      amc_micros: payout.amcMicros,
      release_parts: batch.plan.reward.releaseParts,
    }
  })
  const lines = records.flatMap((record): LedgerLine[] => {
    const line = { memberId: record.member_id, source: account }
    return [
      { ...line, asset: 'USDT', destination: 'available', amountMicros: record.usdt_micros },
      { ...line, asset: 'AMC', destination: 'locked', amountMicros: record.amc_micros },
    ]
  })
  const movements = lines.filter((line) => line.amountMicros > 0n)
  return {
    records,
    entry:
      movements.length === 0
        ? null
        : {
            key: batch.key,
            kind: batch.class,
            cause: batch.cause,
            accountingDay: batch.day,
            at: batch.at,
            lines: movements,
          },
    row: {
      batch: batch.key,
      class: batch.class,
      day: batch.day,
      pool: account,
      amc_price_micros: batch.amcPriceMicros,
      pool_usdt_micros: poolBalance.USDT,
      pool_amc_micros: poolBalance.AMC,
      value_micros: paid.dueMicros,
      paid_micros: paid.payouts.reduce((sum, payout) => sum + payout.paidMicros, 0n),
      reward_count: records.length,
      coverage_ppm: paid.coveragePpm,
      usdt_share_ppm: paid.usdtSharePpm,
      amc_share_ppm: paid.amcSharePpm,
      paid_at: batch.at,
    },
  }
}

/** Records posted batches of one class and day. */
export async function recordBatches(dbTx: Db, works: readonly BatchWork[]): Promise<void> {
  const [first] = works
  if (first === undefined) return
  const rows = works.map(({ row }) => row)
  const records = works.flatMap((work) => work.records)
  const sum = (column: 'value_micros' | 'paid_micros') => rows.reduce((total, row) => total + row[column], 0n)
  await repository.insertBatches(dbTx, rows)
  await repository.insertRewards(dbTx, records)
  await repository.addToSums(dbTx, records)
  const added = { valueMicros: sum('value_micros'), paidMicros: sum('paid_micros') }
  await repository.addToCoverage(dbTx, first.row.day as Day, first.row.class as RewardClass, added)
}
