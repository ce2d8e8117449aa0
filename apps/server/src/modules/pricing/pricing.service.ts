import { formatMicros, isAmount, type Micros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { enterDay } from '../../lib/day-barrier.ts'
import { AppError } from '../../lib/errors.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { PricedAsset } from './pricing.repository.ts'
import * as repository from './pricing.repository.ts'

export type { PricedAsset }

/** A price to publish. `validFrom` defaults to now; it may be in the past only where no price was valid. */
export interface PriceDraft {
  readonly asset: PricedAsset
  readonly priceMicros: Micros
  readonly validFrom?: Date
  readonly actor: string
}

export type PricingService = ReturnType<typeof createPricingService>

/** Creates the service of the prices of AMC and RIF in USDT. Rules, section 1. */
export function createPricingService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  return {
    priceAt: repository.priceAt,
    dailyPrices: repository.dailyPrices,

    /**
     * Publishes a price. Throws INVALID_AMOUNT when it is not positive, and VALIDATION_FAILED when it would be valid from
     * a past time that had a price, because quotes and settlements used that price. A past time without a price had no
     * quotes; the caller ensures that its day is not settled.
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
