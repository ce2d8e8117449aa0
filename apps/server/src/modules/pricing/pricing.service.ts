import { type Day, formatMicros, isAmount, type Micros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { enterDay } from '../../lib/day-barrier.ts'
import { AppError } from '../../lib/errors.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { Price, PricedAsset } from './pricing.repository.ts'
import * as repository from './pricing.repository.ts'

export type { Price, PricedAsset }

/** A price to publish; `validFrom` is now when absent, and lies in the past only where no price held then. */
export interface PriceDraft {
  readonly asset: PricedAsset
  readonly priceMicros: Micros
  readonly validFrom?: Date
  readonly actor: string
}

export type PricingService = ReturnType<typeof createPricingService>

/** Prices of AMC and RIF in USDT. Rules, section 1. */
export function createPricingService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  return {
    /** The last price valid at a time, null when none was published. */
    priceAt(db: Db, asset: PricedAsset, at: Date): Promise<Price | null> {
      return repository.priceAt(db, asset, at)
    },

    /** The last price of each of these UTC days; a day before the first price has none. A price may still be published today. */
    dailyPrices(db: Db, asset: PricedAsset, days: readonly Day[]): Promise<ReadonlyMap<Day, Micros>> {
      return repository.dailyPrices(db, asset, days)
    },

    /**
     * Publishes a price. Throws INVALID_AMOUNT when it is not positive, VALIDATION_FAILED when it would hold from a
     * time that has passed and had a price: what was quoted or settled at a time keeps the price of that time. A time that
     * had none had nothing quoted; a day that waits for a price gets it so, and that it is not settled the caller sees to.
     */
    async publish(dbTx: Db, { asset, priceMicros, validFrom, actor }: PriceDraft): Promise<void> {
      if (!isAmount(priceMicros)) throw new AppError('INVALID_AMOUNT')
      await enterDay(dbTx)
      const at = now()
      const from = validFrom ?? at
      const before = await repository.priceAt(dbTx, asset, from)
      if (from < at && before !== null) {
        throw new AppError('VALIDATION_FAILED', { field: 'validFrom', problem: 'has passed' })
      }
      await repository.insert(dbTx, {
        asset,
        price_micros: priceMicros,
        valid_from: from,
        published_at: at,
        published_by: actor,
      })
      await adminLog.record(dbTx, {
        actor,
        action: 'price.publish',
        subject: `price/${asset}`,
        before: before && { price: formatMicros(before.priceMicros), validFrom: before.validFrom },
        after: { price: formatMicros(priceMicros), validFrom: from },
      })
    },
  }
}
