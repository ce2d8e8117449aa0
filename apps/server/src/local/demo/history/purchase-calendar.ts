import { type DemoPurchase, PAID_PURCHASES } from '../cast.ts'
import { at, type DatedPurchase, type Frame, workdayFrom } from './frame.ts'
import { createRandom, type Random } from './random.ts'

/** Members who buy again, and their highest level. */
const AGAIN: readonly (readonly [buyer: string, level: number])[] = [
  ...([
    ['Cleo', 3],
    ['Gwen', 2],
    ['Nils', 3],
    ['Dora', 2],
    ['Ruth', 4],
    ['Mia', 3],
    ['Xena', 2],
    ['Quinn', 2],
    ['Iris', 1],
    ['Jon', 2],
    ['Wim', 2],
  ] as const),
]
/** Purchases of the member whose wallet comes first in the demonstration's list, by the part of the days before them. */
const OF_ANN = [
  { level: 2, part: 0.42 },
  { level: 1, part: 0.68 },
] as const

/** Returns all purchases in the order of their payment. */
export function purchasesOf(frame: Frame): readonly DatedPurchase[] {
  const random = createRandom('purchases')
  const first = firstPurchases(frame, random)
  const again = furtherPurchases(frame, random, first)
  const ranks = new Map<number, number>()
  return [...first, ...again]
    .sort((a, b) => a.day - b.day)
    .map((purchase) => {
      const rank = ranks.get(purchase.day) ?? 0
      ranks.set(purchase.day, rank + 1)
      return { ...purchase, atMs: at(purchase.day, 12, 5 + rank * 23) }
    })
}

type Dated = DemoPurchase & { readonly day: number }

/** The purchases of the cast in their order, each some days after the buyer's sign-up. */
function firstPurchases(frame: Frame, random: Random): Dated[] {
  let last = 0
  return PAID_PURCHASES.map((purchase) => {
    const wait = frame.days < 30 ? 0 : random.whole(0, 3)
    const wanted = Math.max(last, frame.joined.get(purchase.buyer)! + wait)
    last = sellingDay(frame, random.chance(0.75) ? workdayFrom(frame, wanted) : wanted)
    return { ...purchase, day: last }
  })
}

function furtherPurchases(frame: Frame, random: Random, first: readonly Dated[]): Dated[] {
  const further: Dated[] = []
  const hasBought = (buyer: string, day: number) =>
    first.some((purchase) => purchase.buyer === buyer && purchase.day + 7 <= day)
  const add = (buyer: string, level: number, day: number) => {
    const copy = further.filter((item) => item.buyer === buyer && item.level === level).length + 1
    if (hasBought(buyer, day)) further.push({ buyer, level, copy, day: sellingDay(frame, day) })
  }
  for (const { level, part } of OF_ANN) add('Ann', level, workdayFrom(frame, Math.floor(part * frame.days)))
  for (let day = 21; day < frame.days; day += random.whole(3, 7)) {
    const [buyer, most] = random.pick(AGAIN)
    add(buyer, random.whole(1, most), random.chance(0.7) ? workdayFrom(frame, day) : day)
  }
  return further
}

/** Returns the day, or the next one if nothing is sold on it, within the history. */
const sellingDay = ({ days, pausedDay }: Frame, day: number) =>
  Math.min(day === pausedDay ? day + 1 : day, days - 1)
