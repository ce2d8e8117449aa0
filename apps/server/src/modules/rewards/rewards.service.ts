import type { Reward, RewardType } from '@rif/api-schema'
import {
  addDays,
  dayOf,
  floorDiv,
  type IncomeSum,
  MICRO,
  type Micros,
  type Plan,
  type Ppm,
  previousDay,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { type Read, readMembers, readRow, readRows } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import { type BatchWork, type HeldCoverage, recordBatches, workOutBatch } from './batch.ts'
import {
  type CommissionedOrder,
  type CommissionLines,
  commissionsOf,
  readCommissionLines,
} from './commissions.ts'
import type { RewardClass } from './rewards.repository.ts'
import * as repository from './rewards.repository.ts'
import { incomeSums, rewardView, sumOf } from './view.ts'

/** The amounts paid by rewards in the two assets. */
export interface PaidOut {
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** The totals of a member's rewards: in USDT worth by income sum and together, and in the two assets. */
export interface IncomeTotals extends PaidOut {
  readonly sums: Readonly<Record<IncomeSum, Micros>>
  readonly paidMicros: Micros
}

/** A member's income up to now; "yesterday" is the UTC day before today. */
export interface Income extends IncomeTotals {
  readonly yesterday: PaidOut
}

export type { BatchWork } from './batch.ts'
export type { CommissionLine, CommissionLines } from './commissions.ts'

export type RewardsService = ReturnType<typeof createRewardsService>

const COVERAGE_DAYS = 30

/** Creates the service of rewards: amounts due and payments. Rules, sections 5 and 6. */
export function createRewardsService(deps: { now: Now; ledger: LedgerService; members: MembersService }) {
  const { now, members } = deps

  /** Returns the two reads that make up a member's income. */
  function incomeReads(): { totals: Read<IncomeTotals>; yesterday: Read<PaidOut> } {
    const day = previousDay(dayOf(now().getTime()))
    return {
      totals: readRows(repository.PAID_SUM, repository.paidSumsOf, toTotals),
      yesterday: readRow(
        repository.DAY_SUM,
        (memberIds) => repository.daySumsOf(memberIds, day),
        (sums) => sums ?? { usdtMicros: 0n, amcMicros: 0n },
      ),
    }
  }

  return {
    incomeReads,

    paidOn: repository.paidOn,

    async income(db: Db, memberId: bigint): Promise<Income> {
      const { answers } = await readMembers(db, [memberId], incomeReads())
      const { totals, yesterday } = answers(memberId)
      return { ...totals, yesterday }
    },

    /** Reads the sponsor lines of buyers whose orders are collected together. Hold the placement lock. */
    commissionLines: (dbTx: Db, buyerIds: readonly bigint[], plan: Plan): Promise<CommissionLines> =>
      readCommissionLines(members, dbTx, buyerIds, plan),

    /**
     * Computes the payments of an order's commissions from a pool with this balance; null if none are due.
     */
    workOutCommissions(order: CommissionedOrder, poolBalance: HeldCoverage): BatchWork | null {
      const batch = commissionsOf(order)
      return batch.rewards.length === 0 ? null : workOutBatch(batch, poolBalance)
    },

    /** Records commissions of posted orders, all of one day. */
    recordCommissions: recordBatches,

    /** Returns the receivers of a batch of commissions, in ascending order. */
    receiversOf: repository.rewardReceiversOf,

    /** Returns the AMC of a batch that was released to each receiver, in micro-units. */
    releasedOf: repository.releasedOf,

    /**
     * Removes the records and sums of a batch of commissions whose postings are undone. The heads of its
     * receivers are locked. Does nothing if there is no such batch.
     */
    undoBatch(dbTx: Db, batch: string): Promise<void> {
      return repository.undoBatch(dbTx, batch, now())
    },

    /** Lowers the level that settlement carries for a member to that of the remaining orders. */
    lowerStanding: repository.lowerStanding,

    /** Returns a page of a member's rewards, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { type?: RewardType | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: Reward[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listRewards(db, memberId, { ...query, before })
      const sources = [...new Set(rows.flatMap((row) => row.source_member_id ?? []))]
      const addresses = await members.addresses(db, sources)
      return toPage(
        rows,
        query.limit,
        (row) => rewardView(row, addresses),
        (row) => encodeCursor(row.reward_id),
      )
    },

    /** Returns the payments of each of these batches to a member, with their causes. */
    sharesOf: repository.sharesOf,

    /**
     * Returns the share of the amount due that was paid over the last 30 days, by class; null if nothing was
     * due.
     */
    async coverage30Days(db: Db): Promise<Record<RewardClass, Ppm | null>> {
      const today = dayOf(now().getTime())
      const rows = await repository.rewardCoverage(db, addDays(today, 1 - COVERAGE_DAYS), today)
      const coverage: Record<RewardClass, Ppm | null> = {
        commission: null,
        pairing: null,
        static: null,
        management: null,
      }
      for (const row of rows) {
        coverage[row.class] = Number(floorDiv(row.paidMicros * MICRO, row.valueMicros))
      }
      return coverage
    },
  }
}

function toTotals(sums: readonly repository.PaidSumRow[]): IncomeTotals {
  return {
    sums: incomeSums(sums),
    paidMicros: sumOf(sums, 'paidMicros'),
    usdtMicros: sumOf(sums, 'usdtMicros'),
    amcMicros: sumOf(sums, 'amcMicros'),
  }
}
