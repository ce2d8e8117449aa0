import { DEMO_TEAM } from '../cast.ts'
import {
  at,
  type DatedPurchase,
  type Frame,
  type Happening,
  type HistoryEvent,
  workdayFrom,
} from './frame.ts'
import { createRandom, type Random } from './random.ts'

/**
 * The repeated actions of members with a package: the days between them, and the share of the balance in
 * hundredths.
 */
interface Habit {
  readonly every: readonly [number, number]
  readonly share: readonly [number, number]
  readonly happening: (member: string, sharePpm: bigint) => Happening
}

const HABITS: readonly Habit[] = [
  {
    every: [8, 19],
    share: [22, 48],
    happening: (member, sharePpm) => ({ do: 'save', member, asset: 'USDT', direction: 'in', sharePpm }),
  },
  {
    every: [18, 32],
    share: [30, 70],
    happening: (member, sharePpm) => ({ do: 'save', member, asset: 'AMC', direction: 'in', sharePpm }),
  },
  {
    every: [26, 45],
    share: [12, 35],
    happening: (member, sharePpm) => ({ do: 'save', member, asset: 'USDT', direction: 'out', sharePpm }),
  },
  {
    every: [14, 30],
    share: [25, 60],
    happening: (member, sharePpm) => ({ do: 'withdraw', member, sharePpm, outcome: 'claim' }),
  },
]
/** The senders of transfers and their receivers. */
const FRIENDS = [
  ['Ruth', 'Ann'],
  ['Ann', 'Cleo'],
  ['Ben', 'Finn'],
  ['Nils', 'Wim'],
  ['Dora', 'Ruth'],
  ['Ann', 'Dan'],
] as const
/** A member whose withdrawal to somebody else's address is rejected, after this part of the days. */
const REJECTED = { member: 'Wim', part: 0.8 } as const
/** Days without any actions. */
const QUIET = 0.08

/** Returns the members' actions with their balances: savings, withdrawals and transfers. */
export function memberEvents(frame: Frame, purchases: readonly DatedPurchase[]): HistoryEvent[] {
  const quiet = createRandom('quiet days')
  const quietDays = new Set(
    Array.from({ length: frame.days }, (_, day) => day).filter(() => quiet.chance(QUIET)),
  )
  const habits = DEMO_TEAM.flatMap(({ name }) => {
    const since = purchases.find(({ buyer }) => buyer === name)?.day
    return since === undefined ? [] : habitsOf(frame, name, since)
  })
  const sent = FRIENDS.flatMap(([from, to]) => transfersOf(frame, from, to))
  const rejected: HistoryEvent = {
    do: 'withdraw',
    member: REJECTED.member,
    sharePpm: 500_000n,
    outcome: 'reject',
    atMs: at(Math.floor(REJECTED.part * frame.days), 11, 40),
  }
  const first: HistoryEvent = {
    do: 'save',
    member: 'Ruth',
    asset: 'AMC',
    direction: 'in',
    sharePpm: 940_000n,
    atMs: at(0, 20),
  }
  const loud = [...habits, ...sent].filter(({ atMs }) => !quietDays.has(Math.floor(atMs / at(1, 0))))
  return [first, ...loud, rejected]
}

function habitsOf(frame: Frame, member: string, since: number): HistoryEvent[] {
  return HABITS.flatMap(({ every, share, happening }, index) => {
    const random = createRandom(`habit ${index} of ${member}`)
    const events: HistoryEvent[] = []
    for (let day = since + random.whole(3, every[1]); day < frame.days; day += random.whole(...every)) {
      const sharePpm = BigInt(random.whole(...share)) * 10_000n
      events.push({ ...happening(member, sharePpm), atMs: someTime(frame, random, day) })
    }
    return events
  })
}

function transfersOf(frame: Frame, from: string, to: string): HistoryEvent[] {
  const random = createRandom(`transfers from ${from} to ${to}`)
  const events: HistoryEvent[] = []
  const start = Math.max(frame.joined.get(from)!, frame.joined.get(to)!) + random.whole(8, 16)
  for (let day = start; day < frame.days; day += random.whole(16, 34)) {
    const sharePpm = BigInt(random.whole(6, 18)) * 10_000n
    events.push({ do: 'transfer', from, to, sharePpm, atMs: someTime(frame, random, day) })
  }
  return events
}

/** Returns a time between 9 and 21 o'clock; for most weekends on the following Monday. */
function someTime(frame: Frame, random: Random, day: number): number {
  const shown = random.chance(0.65) ? workdayFrom(frame, day) : day
  return at(shown, random.whole(9, 20), random.whole(0, 59))
}
