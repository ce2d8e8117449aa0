import { isPriceJump, type Micros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { enterDay } from '../../../lib/day-barrier.ts'
import { AppError } from '../../../lib/errors.ts'
import * as prices from './pricing.repository.ts'
import type { PricingService } from './pricing.service.ts'
import type { Outcome, SourceKey, SourceRow } from './pricing.sources.repository.ts'
import * as repository from './pricing.sources.repository.ts'

export type { Outcome, SourceKey, SourceRow }

/** A price from a feed or an oracle. */
export interface Observation extends SourceKey {
  readonly priceMicros: Micros
  readonly observedAt: Date
}

interface Deps {
  readonly now: Now
  readonly pricing: Pick<PricingService, 'publish'>
  /** The relative change of a price above which it needs approval. */
  readonly jumpPpm: number
}

const DAY_MS = 86_400_000
/** The minimum interval between prices of a source, because every price is a permanent row. */
const MIN_INTERVAL_MS = 10_000

export type PriceSources = ReturnType<typeof createPriceSources>

/** Creates the service of prices from feeds and oracles. Rules, section 1. */
export function createPriceSources({ now, pricing, jumpPpm }: Deps) {
  const isJump = (price: Micros, before: Micros) => isPriceJump(price, before, jumpPpm)

  /**
   * Reports whether a price needs approval: it is the first, or differs by more than the limit from the last
   * price or from the one a day ago (replaced by a price approved since then), so that small steps cannot add
   * up.
   */
  async function needsApproval(dbTx: Db, asset: SourceKey['asset'], price: Micros): Promise<boolean> {
    const at = now()
    const since = new Date(at.getTime() - DAY_MS)
    const last = await prices.priceAt(dbTx, asset, at)
    if (last === null || isJump(price, last.priceMicros)) return true
    const approved = await prices.approvedAt(dbTx, asset, { since, at })
    const anchor = approved ?? (await prices.priceAt(dbTx, asset, since))?.priceMicros ?? null
    return anchor !== null && isJump(price, anchor)
  }

  async function outcomeOf(dbTx: Db, row: SourceRow, { asset, priceMicros }: Observation): Promise<Outcome> {
    const last = await prices.priceAt(dbTx, asset, now())
    if (last?.priceMicros === priceMicros) return 'unchanged'
    if (!(await needsApproval(dbTx, asset, priceMicros))) return 'published'
    const { refusedMicros } = row
    return refusedMicros !== null && !isJump(priceMicros, refusedMicros) ? 'refused' : 'waiting'
  }

  return {
    jumpPpm,
    list: repository.listSources,
    isJump,

    /**
     * Accepts a price from a source: publishes it, or stores it as waiting for approval. The times of a
     * source must increase; throws MESSAGE_OLD for a time at or before the last, and RATE_LIMITED within ten
     * seconds after it.
     */
    async observe(dbTx: Db, observation: Observation): Promise<Outcome> {
      const { source, name, asset, priceMicros, observedAt } = observation
      await prices.lockAsset(dbTx, asset)
      await enterDay(dbTx, now)
      const row = await repository.lockSource(dbTx, observation)
      const ageMs =
        row.observedAt === null ? MIN_INTERVAL_MS : observedAt.getTime() - row.observedAt.getTime()
      if (ageMs <= 0) throw new AppError('MESSAGE_OLD')
      if (ageMs < MIN_INTERVAL_MS)
        throw new AppError('RATE_LIMITED', {
          retry_after_seconds: Math.ceil((MIN_INTERVAL_MS - ageMs) / 1_000),
        })
      const outcome = await outcomeOf(dbTx, row, observation)
      if (outcome === 'published') {
        const outside = { source, name, observedAt, sharePpm: jumpPpm }
        await pricing.publish(dbTx, { asset, priceMicros, actor: `${source}:${name}`, outside })
      }
      const keepsWaiting =
        outcome === 'waiting' && row.waitingMicros !== null && !isJump(priceMicros, row.waitingMicros)
      await repository.changeSource(dbTx, row, {
        observedAt,
        priceMicros,
        receivedAt: now(),
        outcome,
        ...(!keepsWaiting && {
          waitingMicros: outcome === 'waiting' ? priceMicros : null,
          waitingAt: outcome === 'waiting' ? observedAt : null,
        }),
        ...(outcome !== 'refused' && { refusedMicros: null }),
      })
      return outcome
    },

    /** Stores the reason why an oracle gave no price, or null. */
    async noteProblem(dbTx: Db, key: SourceKey, problem: SourceRow['problem']): Promise<void> {
      const row = await repository.lockSource(dbTx, key)
      if (row.problem === problem) return
      await repository.changeSource(dbTx, key, { problem, problemAt: problem && now() })
    },

    /** Returns the price of a source that waits for approval. Throws NOT_FOUND if this one does not. */
    async waiting(db: Db, { priceMicros, observedAt, ...key }: Observation): Promise<void> {
      const row = await repository.findSource(db, key)
      if (row?.waitingMicros !== priceMicros || row.waitingAt?.getTime() !== observedAt.getTime())
        throw new AppError('NOT_FOUND')
    },

    /** Publishes a waiting price that persons approved. Throws NOT_FOUND if it no longer waits. */
    async approve(
      dbTx: Db,
      observation: Observation,
      { approvedBy, proposalId }: { approvedBy: string; proposalId: bigint | null },
    ): Promise<void> {
      const { source, name, asset, priceMicros, observedAt } = observation
      await prices.lockAsset(dbTx, asset)
      await enterDay(dbTx, now)
      const row = await repository.lockSource(dbTx, observation)
      await this.waiting(dbTx, observation)
      const outside = { source, name, observedAt, sharePpm: null }
      await pricing.publish(dbTx, { asset, priceMicros, actor: approvedBy, proposalId, outside })
      const change = { outcome: 'published', waitingMicros: null, waitingAt: null } as const
      await repository.changeSource(dbTx, row, change)
    },

    /** Ends the waiting of a price that persons refused; prices near it do not wait again. */
    async refuse(dbTx: Db, { priceMicros, ...key }: Observation): Promise<void> {
      const row = await repository.lockSource(dbTx, key)
      if (row.waitingMicros !== priceMicros) return
      const change = { waitingMicros: null, waitingAt: null, refusedMicros: priceMicros }
      await repository.changeSource(dbTx, row, { ...change, outcome: 'refused' })
    },
  }
}
