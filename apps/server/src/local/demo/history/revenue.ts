import { defaultPlan, MICRO, mul } from '@rif/rules'
import { at, type DatedPurchase, type Frame, type HistoryEvent, type Pool, weekdayOf } from './frame.ts'
import { createRandom } from './random.ts'

/** The operator's external earnings, by the pool that receives them. */
const SOURCES: Readonly<Record<Pool, readonly string[]>> = {
  yield_pool: ['Solar feed-in', 'Licence fees', 'Data centre leases', 'Validator rewards'],
  savings_pool: ['Interest of a treasury bill', 'Validator rewards'],
  dividend_pool: ['Licence fees', 'Validator rewards'],
}
/**
 * The part of the due static rewards that is earned: less than the whole on most days, so that many are paid
 * in part.
 */
const EARNED = [0.62, 1.04] as const
/** The part that is paid in as AMC. */
const AMC_SHARE = 0.22
const [FRIDAY, WEEKEND] = [5, 6]

/** Returns the attested revenue: daily into the pool of static rewards, weekly for savings, every other week for dividends. */
export function revenueEvents(frame: Frame, purchases: readonly DatedPurchase[]): HistoryEvent[] {
  const events: HistoryEvent[] = []
  const random = createRandom('revenue')
  const add = (day: number, pool: Pool, asset: 'USDT' | 'AMC', amount: number, source?: string) => {
    if (amount < 1) return
    const text = (Math.round(amount * 100) / 100).toFixed(2)
    events.push({
      do: 'revenue',
      pool,
      asset,
      amount: text,
      source: source ?? random.pick(SOURCES[pool]),
      atMs: at(day, pool === 'yield_pool' ? 16 : 15, asset === 'USDT' ? 10 : 20),
    })
  }
  const lateFrom = lateDay(frame)
  let owed = 0
  for (let day = 0; day < frame.days; day++) {
    const weekday = weekdayOf(frame, day)
    const due = staticDue(purchases, day)
    if (weekday < WEEKEND) {
      const earned = due * (weekday === FRIDAY ? 3 : 1) * random.between(...EARNED)
      const isLate = day >= lateFrom && day < lateFrom + 3
      if (isLate) owed += earned * 0.8
      else {
        add(day, 'yield_pool', 'USDT', earned * (1 - AMC_SHARE))
        if (owed > 0) add(day, 'yield_pool', 'USDT', owed, 'Licence fees, paid in late')
        owed = 0
      }
    }
    if (weekday === 1) {
      const week = day / 7
      add(day, 'yield_pool', 'AMC', due * 14 * AMC_SHARE * random.between(0.7, 1.1))
      add(day, 'savings_pool', 'USDT', 2 + week * random.between(0.5, 1.1))
      add(day, 'savings_pool', 'AMC', 16 + week * random.between(0.5, 2.5))
    }
    if (weekday === FRIDAY && Math.floor(day / 7) % 2 === 1) {
      add(day, 'dividend_pool', 'USDT', random.between(14, 32))
      add(day, 'dividend_pool', 'AMC', random.between(12, 40))
    }
  }
  return events
}

/** Returns a Tuesday after which the revenue of some days is late. */
function lateDay(frame: Frame): number {
  for (let day = Math.floor(frame.days * 0.64); ; day++) if (weekdayOf(frame, day) === 2) return day
}

/** Returns the static rewards of a day in whole USDT, before the ceiling of 200%. */
function staticDue(purchases: readonly DatedPurchase[], day: number): number {
  const micros = purchases
    .filter((purchase) => purchase.day < day)
    .map(({ level }) => defaultPlan.packages.find((terms) => terms.level === level)!)
    .reduce((sum, { priceMicros, staticPpm }) => sum + mul(priceMicros, staticPpm), 0n)
  return Number(micros) / Number(MICRO)
}
