import { addDays, dayOf, formatMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { register } from '../../plugins/route.ts'
import type { PricedAsset, PricingService } from './pricing.service.ts'
import { sourceView } from './pricing.view.ts'

/** `token/price` (AMC), `token/price2` (RIF), `token/prices` and `token/price-history`. */
export function pricingRoutes(
  app: FastifyInstance,
  { db, now, pricing }: { db: Db; now: Now; pricing: PricingService },
): void {
  const current = async <Asset extends PricedAsset>(asset: Asset) => {
    const [last] = await pricing.published(db, asset, { at: now(), limit: 1 })
    return {
      asset,
      price: last === undefined ? null : formatMicros(last.priceMicros),
      valid_from: last?.validFrom.toISOString() ?? null,
      source: last === undefined ? null : sourceView(last),
    }
  }
  register(app, 'tokenPrice', () => current('AMC'))
  register(app, 'tokenPrice2', () => current('RIF'))
  register(app, 'priceDays', async ({ query: { asset, days } }) => {
    const today = dayOf(now().getTime())
    const wanted = Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days))
    const prices = await pricing.dailyPublished(db, asset, wanted)
    const items = wanted.flatMap((day) => {
      const one = prices.get(day)
      return one === undefined ? [] : [{ day, price: formatMicros(one.priceMicros), source: sourceView(one) }]
    })
    return { items }
  })
  register(app, 'priceHistory', async ({ query: { asset, cursor, limit } }) => {
    const before = decodeCursor(cursor, 2)
    const rows = await pricing.published(db, asset, { at: now(), before, limit: limit + 1 })
    return toPage(
      rows,
      limit,
      (row) => ({
        ...{ price_id: `${row.priceId}`, price: formatMicros(row.priceMicros) },
        ...{ valid_from: row.validFrom.toISOString(), source: sourceView(row) },
      }),
      ({ validMicros, priceId }) => encodeCursor(validMicros, priceId),
    )
  })
}
