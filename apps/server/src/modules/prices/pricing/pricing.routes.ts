import { addDays, dayOf, formatMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { register } from '../../../plugins/route.ts'
import type { DisplayRates } from './pricing.rates.service.ts'
import type { PricedAsset, PricingService } from './pricing.service.ts'
import { sourceView } from './view.ts'

/** The prices of AMC and RIF below `token`, and the rates of other currencies below `display`. */
export function pricingRoutes(
  app: FastifyInstance,
  deps: { db: Db; now: Now; pricing: PricingService; displayRates: DisplayRates },
): void {
  const { db, now, pricing, displayRates } = deps
  const priceAt = async <Asset extends PricedAsset>(asset: Asset, at: Date) => {
    const [last] = await pricing.published(db, asset, { at, limit: 1 })
    return {
      asset,
      price: last === undefined ? null : formatMicros(last.priceMicros),
      valid_from: last?.validFrom.toISOString() ?? null,
      source: last === undefined ? null : sourceView(last),
    }
  }
  register(app, 'tokenPrice', () => priceAt('AMC', now()))
  register(app, 'tokenPrice2', () => priceAt('RIF', now()))
  register(app, 'priceAt', ({ query: { asset, at } }) =>
    priceAt(asset, new Date(Math.min(Date.parse(at), now().getTime()))),
  )
  register(app, 'priceDays', async ({ query: { asset, days } }) => {
    const today = dayOf(now().getTime())
    const wanted = Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days))
    const prices = await pricing.dailyPublished(db, asset, wanted)
    const items = wanted.flatMap((day) => {
      const price = prices.get(day)
      return price === undefined
        ? []
        : [{ day, price: formatMicros(price.priceMicros), source: sourceView(price) }]
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
        price_id: `${row.priceId}`,
        price: formatMicros(row.priceMicros),
        valid_from: row.validFrom.toISOString(),
        source: sourceView(row),
      }),
      ({ validMicros, priceId }) => encodeCursor(validMicros, priceId),
    )
  })
  register(app, 'displayRates', async () => {
    const rates = await displayRates.current(db)
    const items = rates.map(({ currency, rateMicros, rateDay, source, publishedAt }) => ({
      currency,
      rate: formatMicros(rateMicros),
      day: rateDay,
      source,
      published_at: publishedAt.toISOString(),
    }))
    return { items }
  })
  register(app, 'rateHistory', async ({ query: { currency, cursor, limit } }) => {
    const before = decodeCursor(cursor, 1)?.[0]
    const rows = await displayRates.published(db, currency, { before, limit: limit + 1 })
    return toPage(
      rows,
      limit,
      ({ rateId, rateMicros, rateDay, source, publishedAt }) => ({
        rate_id: `${rateId}`,
        rate: rateMicros === null ? null : formatMicros(rateMicros),
        day: rateDay,
        source,
        published_at: publishedAt.toISOString(),
      }),
      ({ rateId }) => encodeCursor(rateId),
    )
  })
}
