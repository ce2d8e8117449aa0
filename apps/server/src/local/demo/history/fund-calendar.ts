import { at, type Frame, type HistoryEvent, weekdayOf, workdayFrom } from './frame.ts'
import { createRandom, type Random } from './random.ts'

/** The members who buy units, and their products. */
const HOLDERS: readonly { readonly member: string; readonly products: readonly number[] }[] = [
  { member: 'Finn', products: [0, 1, 0] },
  { member: 'Ann', products: [0, 0, 1] },
  { member: 'Ben', products: [0, 1] },
  { member: 'Ruth', products: [1, 2, 0] },
  { member: 'Nils', products: [2, 0] },
  { member: 'Dora', products: [0, 1] },
  { member: 'Cleo', products: [0] },
]
/** When cash is invested, in days: the announcement, which is public for two days. */
const INVESTING = [
  { product: 0, day: 13 },
  { product: 1, day: 20 },
  { product: 0, day: 34 },
  { product: 2, day: 41 },
  { product: 1, day: 55 },
  { product: 0, day: 69 },
] as const
/** The daily trend and the largest daily change of each product's investments, in millionths. */
const COURSES = [
  { trend: 160, swing: 420 },
  { trend: 230, swing: 1_900 },
  { trend: -150, swing: 9_500 },
] as const
/** Redemptions, by the part of the days before them. */
const REDEEMING = [
  { member: 'Finn', product: 0, part: 0.46 },
  { member: 'Ann', product: 0, part: 0.62 },
  { member: 'Ben', product: 0, part: 0.83 },
] as const

/** Returns the events of the fund: purchases, investments that leave the bank, valuations and redemptions. */
export function fundEvents(frame: Frame): HistoryEvent[] {
  const list: HistoryEvent[] = [
    { do: 'openProducts', atMs: at(0, 8, 10) },
    { do: 'listCustodian', atMs: at(1, 10) },
    { do: 'acceptCustodian', atMs: at(3, 11) },
  ]
  const invested = INVESTING.flatMap(({ product, day }): HistoryEvent[] => {
    const from = workdayFrom(frame, day)
    return from + 2 >= frame.days
      ? []
      : [
          { do: 'announce', product, atMs: at(from, 13, 30) },
          { do: 'execute', atMs: at(from + 2, 14) },
        ]
  })
  const proceeds: HistoryEvent[] = [{ do: 'sellSome', atMs: at(Math.floor(frame.days * 0.9), 14, 30) }]
  return [...list, ...invested, ...proceeds, ...valuations(frame), ...purchases(frame), ...redemptions(frame)]
}

function valuations(frame: Frame): HistoryEvent[] {
  const random = createRandom('valuations')
  const events: HistoryEvent[] = []
  for (let day = 1; day < frame.days; day++) {
    // Not on Saturdays. On Sundays too: on a Monday evening, a NAV of Friday is older than dealing allows (rules, section 8).
    if (weekdayOf(frame, day) === 6) continue
    const changesPpm = COURSES.map(({ trend, swing }) => changeOf(random, trend, swing))
    events.push({ do: 'value', changesPpm, atMs: at(day, 17, 30) })
  }
  return events
}

const changeOf = (random: Random, trend: number, swing: number) =>
  BigInt(Math.round(trend + random.between(-swing, swing)))

function purchases(frame: Frame): HistoryEvent[] {
  return HOLDERS.flatMap(({ member, products }) => {
    const random = createRandom(`units of ${member}`)
    const events: HistoryEvent[] = []
    const start = frame.joined.get(member)! + random.whole(3, 7)
    for (let day = start, turn = 0; day < frame.days; day += random.whole(11, 23), turn++) {
      const sharePpm = BigInt(random.whole(25, 60)) * 10_000n
      const product = products[turn % products.length]!
      events.push({
        do: 'buyUnits',
        member,
        product,
        sharePpm,
        atMs: at(workdayFrom(frame, day), 18, random.whole(0, 59)),
      })
    }
    return events
  })
}

function redemptions(frame: Frame): HistoryEvent[] {
  return REDEEMING.map(({ member, product, part }) => {
    const day = workdayFrom(frame, Math.floor(part * frame.days))
    return { do: 'redeem', member, product, sharePpm: 300_000n, atMs: at(day, 19) }
  })
}
