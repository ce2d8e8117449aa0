import { addDays, dayOf, formatMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { register } from '../../plugins/route.ts'
import type { PricedAsset, PricingService } from './pricing.service.ts'

/** `token/price` (AMC), `token/price2` (RIF) and `token/prices`. */
export function pricingRoutes(
  app: FastifyInstance,
  { db, now, pricing }: { db: Db; now: Now; pricing: PricingService },
): void {
  const current = async <Asset extends PricedAsset>(asset: Asset) => {
    const price = await pricing.priceAt(db, asset, now())
    return {
      asset,
      price: price && formatMicros(price.priceMicros),
      valid_from: price?.validFrom.toISOString() ?? null,
    }
  }
  register(app, 'tokenPrice', () => current('AMC'))
  register(app, 'tokenPrice2', () => current('RIF'))
  register(app, 'priceDays', async ({ query: { asset, days } }) => {
    const today = dayOf(now().getTime())
    const wanted = Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days))
    const prices = await pricing.dailyPrices(db, asset, wanted)
    const items = wanted.flatMap((day) => {
      const price = prices.get(day)
      return price === undefined ? [] : [{ day, price: formatMicros(price) }]
    })
    return { items }
  })
}
