import { type Day, dayOf, managementRank, nextDay, startOfDay } from '@rif/rules'
import type { ChainProgress } from '../../chain/progress.ts'
import { type Db, inTx } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { isPaused } from '../access/gates/gates.service.ts'
import { createDividends } from '../exchange/exchange.dividends.service.ts'
import { createBulkRewards } from '../rewards/rewards.bulk.service.ts'
import { createSavingsInterestBook } from '../savings/savings.interest.service.ts'
import { loadMembers, loadOrders } from './day/day.ts'
import { addOrders } from './day/tree.ts'
import type { DayRow } from './settlement.repository.ts'
import * as repository from './settlement.repository.ts'
import { postNextRange } from './steps/posting.service.ts'
import { finishDay, fix, type SettlementDeps, stage } from './steps/steps.service.ts'

export { SETTLEMENT_LATE_MS } from './days/alarms.ts'
export type { ReplayedBooks, ReplayPool, ReplayReward, SettlementReplays } from './replay/replay.service.ts'

/** The state that settlement carries for a member, with the orders of unsettled days. */
export interface Carried {
  readonly carryLeftMicros: bigint
  readonly carryRightMicros: bigint
  readonly manageBaseMicros: bigint
  /** 0 to 5 by today's plan. */
  readonly manageLevel: number
}

/**
 * The number of ranges posted in parallel: one waits for the database while another one computes. Ranges have no
 * rows in common.
 */
const POSTED_AT_ONCE = 2

export type SettlementService = ReturnType<typeof createSettlement>

/**
 * Creates the settlement of days (rules, section 6). A day goes through three steps: `fixed`, when its
 * batches are written and their money is reserved; `staged`, when every member's part is stored; `settled`,
 * when all ranges of members are posted. Each step, and each range, is one transaction, so a restarted or
 * second process continues with the same numbers. The inputs of a day do not change once it has ended
 * (docs/decisions/0007-settlement.md).
 */
export function createSettlement(
  settings: Omit<SettlementDeps, 'bulkRewards' | 'savingsInterest' | 'dividends'> & {
    readonly progress: Pick<ChainProgress, 'isBookedForGood'>
  },
) {
  const { db, now, log, plans } = settings
  const deps: SettlementDeps = {
    ...settings,
    bulkRewards: createBulkRewards(),
    savingsInterest: createSavingsInterestBook(),
    dividends: createDividends(),
  }

  async function settle(day: Day): Promise<{ settled: boolean }> {
    if (now().getTime() < startOfDay(nextDay(day))) throw new AppError('DAY_NOT_ENDED', { day })
    const next = await nextToSettle()
    if (next === null || day > next) throw new AppError('DAY_OUT_OF_ORDER', { day })
    if (day < next) return { settled: false }
    if (!(await maySettle(day))) throw new AppError('DAY_NOT_FINAL', { day })
    await postAll(await prepare(day))
    await finishDay(deps, day)
    log.info({ day }, 'day settled')
    return { settled: true }
  }

  /** Reports whether no reorganisation can undo what was booked on a day any more, or its settlement has begun. */
  async function maySettle(day: Day, on: Db = db): Promise<boolean> {
    if ((await repository.findDay(on, day)) !== undefined) return true
    return settings.progress.isBookedForGood(on, { before: new Date(startOfDay(nextDay(day))) })
  }

  /** Brings a day, the next one to be settled, at least to `staged`. */
  async function prepare(day: Day): Promise<DayRow> {
    const plan = await plans.planAt(db, day)
    return stage(deps, day, plan, await fix(deps, day, plan))
  }

  /** Posts all remaining ranges of a staged day, some in parallel. */
  async function postAll(row: DayRow): Promise<void> {
    const { reward } = await plans.planAt(db, row.day)
    const post = async () => {
      while (await postNextRange(deps, db, row, reward.releaseParts)) {}
    }
    const ended = await Promise.allSettled(Array.from({ length: POSTED_AT_ONCE }, post))
    for (const result of ended) if (result.status === 'rejected') throw result.reason
  }

  /** Returns the first unsettled day, whether it has ended or not; null before `begin`. */
  async function nextToSettle(on: Db = db): Promise<Day | null> {
    const progress = await repository.progress(on)
    if (progress === undefined) return null
    return progress.lastSettled === null ? progress.firstDay : nextDay(progress.lastSettled)
  }

  return {
    /** Sets the first day to settle, once; later calls change nothing. Part of set-up. */
    begin: (firstDay: Day, on: Db = db): Promise<void> => repository.insertStart(on, firstDay),

    /**
     * Settles a day; `settled` is false if it was settled before, or precedes the first day. Throws
     * DAY_NOT_ENDED, DAY_OUT_OF_ORDER, DAY_NOT_FINAL while a booking of the day is not final on L1, and
     * PRICE_UNAVAILABLE if AMC would have to be valued without a price: then nothing is posted.
     */
    settle,

    nextToSettle,
    maySettle,

    /** Returns the time of the last settlement; null before the first. */
    lastSettledAt: (): Promise<Date | null> => repository.lastSettledAt(db),

    /** Returns the last settled day; null before the first. */
    lastSettled: async (on: Db = db): Promise<Day | null> =>
      (await repository.progress(on))?.lastSettled ?? null,

    /** Returns the first day that is settled; null before `begin`. */
    firstDay: async (on: Db = db): Promise<Day | null> => (await repository.progress(on))?.firstDay ?? null,

    /** The steps of `settle`, for separate measurement. */
    prepare,
    postAll,

    /**
     * Settles, in order, every day that ended at least `graceMs` ago and is final on L1. Returns the days.
     */
    async catchUp(graceMs: number): Promise<Day[]> {
      const settled: Day[] = []
      for (;;) {
        if (await isPaused(db, 'settlement')) return settled
        const day = await nextToSettle()
        if (day === null || startOfDay(nextDay(day)) + graceMs > now().getTime()) return settled
        if (!(await maySettle(day))) return settled
        await settle(day)
        settled.push(day)
      }
    },

    /**
     * Returns the state that settlement carries for every member. Reads the whole tree: for reports, not for
     * requests.
     */
    async carried(): Promise<ReadonlyMap<bigint, Carried>> {
      const next = await nextToSettle()
      const today = dayOf(now().getTime())
      const plan = await plans.planAt(db, today)
      return inTx(db, async (dbTx) => {
        const { members, numberOf } = await loadMembers(dbTx)
        addOrders(members, await loadOrders(dbTx, next ?? today, today, numberOf))
        const entries = Array.from(members.ids, (memberId, member): [bigint, Carried] => [
          memberId,
          {
            carryLeftMicros: members.carryLeft[member]!,
            carryRightMicros: members.carryRight[member]!,
            manageBaseMicros: members.manageBase[member]!,
            manageLevel: managementRank(members.manageBase[member]!, plan).rank,
          },
        ])
        return new Map(entries)
      })
    },
  }
}
