import { formatMicros } from '@rif/rules'
import { FIRST_PRICES } from '../team.ts'
import { at, type Frame, type HistoryEvent, type PriceAsset, weekdayOf } from './frame.ts'
import { createRandom } from './random.ts'

/**
 * The course of a price: the weekdays of its publication, its daily trend and the largest additional daily
 * change.
 */
const COURSES = {
  AMC: { weekdays: [1, 2, 3, 4, 5, 6], trend: 0.0012, swing: 0.026 },
  RIF: { weekdays: [1, 3, 5], trend: 0.0006, swing: 0.02 },
} as const
/** Prices are published in ten-thousandths. */
const STEP_MICROS = 100

/** Returns the prices that the operator publishes. They rise and fall around a slow trend. */
export function priceEvents(frame: Frame): HistoryEvent[] {
  return (['AMC', 'RIF'] as const).flatMap((asset) => {
    const { weekdays, trend, swing } = COURSES[asset]
    const random = createRandom(`price of ${asset}`)
    const first = Number(FIRST_PRICES[asset])
    let price = first
    const events: HistoryEvent[] = [event(asset, price, at(0, 8, 5))]
    for (let day = 1; day < frame.days; day++) {
      const target = first * (1 + trend * day)
      price *= 1 + random.between(-swing, swing) + 0.04 * (target / price - 1)
      if (weekdays.some((weekday) => weekday === weekdayOf(frame, day))) {
        events.push(event(asset, price, at(day, 8, 5)))
      }
    }
    return events
  })
}

function event(asset: PriceAsset, micros: number, atMs: number): HistoryEvent {
  const price = formatMicros(BigInt(Math.round(micros / STEP_MICROS) * STEP_MICROS))
  return { do: 'price', asset, price, atMs }
}
