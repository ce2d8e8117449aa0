import { formatMicros, isAmount, type Micros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { constantRead, type Read, readRows } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { enterDay } from '../../../lib/day-barrier.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PricedAsset } from './pricing.repository.ts'
import * as repository from './pricing.repository.ts'
import type { SourceKey } from './pricing.sources.repository.ts'

export type { PricedAsset }

/** A price to publish. `validFrom` defaults to now; it may be in the past only where no price was valid. */
export interface PriceDraft {
  readonly asset: PricedAsset
  readonly priceMicros: Micros
  readonly validFrom?: Date
  /** The admin who approved it, or its source if it needs no approval. */
  readonly actor: string
  /** The applied proposal, if any. */
  readonly proposalId?: bigint | null
  /** A feed or an oracle; if absent, an operator. */
  readonly outside?: Outside
}

/** The source of an external price. */
export interface Outside extends Pick<SourceKey, 'source' | 'name'> {
  readonly observedAt: Date
  /** The largest change without approval; null for a price that persons approved. */
  readonly sharePpm: number | null
}

export type PricingService = ReturnType<typeof createPricingService>

/** Creates the service of the prices of AMC and RIF in USDT. Rules, section 1. */
export function createPricingService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  return {
    priceAt: repository.priceAt,

    /**
     * Returns the read of the last prices of assets valid at a time in micro-units of USDT, without assets
     * that have none.
     */
    pricesRead: (assets: readonly PricedAsset[], at: Date): Read<ReadonlyMap<PricedAsset, Micros>> =>
      assets.length === 0
        ? constantRead(new Map())
        : readRows(
            repository.LAST_PRICE,
            () => repository.pricesAt(assets, at),
            (rows) => new Map(rows.map(({ asset, priceMicros }) => [asset, priceMicros])),
          ),
    published: repository.publishedPrices,
    dailyPublished: repository.dailyPrices,

    /** Returns the last price valid before the end of each day, without days that have none. */
    async dailyPrices(
      db: Db,
      asset: PricedAsset,
      days: Parameters<typeof repository.dailyPrices>[2],
    ): Promise<ReadonlyMap<string, Micros>> {
      const prices = await repository.dailyPrices(db, asset, days)
      return new Map([...prices].map(([day, { priceMicros }]) => [day, priceMicros]))
    },

    /**
     * Publishes a price. Throws INVALID_AMOUNT if it is not positive, and VALIDATION_FAILED if it would be
     * valid from a past time that had a price, because quotes and settlements used that price. A past time
     * without a price had no quotes; the caller ensures that its day is not settled.
     */
    async publish(dbTx: Db, draft: PriceDraft): Promise<void> {
      const { asset, priceMicros, validFrom, actor, proposalId = null, outside } = draft
      if (!isAmount(priceMicros)) throw new AppError('INVALID_AMOUNT')
      await repository.lockAsset(dbTx, asset)
      await enterDay(dbTx, now)
      const at = now()
      const from = validFrom ?? at
      const before = await repository.priceAt(dbTx, asset, from)
      if (from < at && before !== null) {
        throw new AppError('VALIDATION_FAILED', { field: 'validFrom', problem: 'has passed' })
      }
      const sharePpm = outside?.sharePpm ?? null
      await repository.insertPrice(dbTx, {
        asset,
        price_micros: priceMicros,
        valid_from: from,
        published_at: at,
        published_by: actor,
        source: outside?.source ?? 'operator',
        source_name: outside?.name ?? null,
        observed_at: outside?.observedAt ?? null,
        approved_by: sharePpm === null ? actor : null,
        proposal_id: proposalId,
        share_ppm: sharePpm,
      })
      const source = outside && { source: outside.source, name: outside.name }
      await adminLog.record(dbTx, {
        actor,
        action: 'price.publish',
        subject: `price/${asset}`,
        before: before && { price: formatMicros(before.priceMicros), validFrom: before.validFrom },
        after: { price: formatMicros(priceMicros), validFrom: from, ...source },
      })
    },
  }
}
