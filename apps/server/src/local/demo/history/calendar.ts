import type { Day } from '@rif/rules'
import { DEMO_TEAM, PAST_EXCHANGES } from '../cast.ts'
import { at, type Frame, type HistoryEvent, workdayFrom } from './frame.ts'
import { fundEvents } from './fund-calendar.ts'
import { memberEvents } from './habits.ts'
import { priceEvents } from './prices.ts'
import { purchasesOf } from './purchase-calendar.ts'
import { createRandom } from './random.ts'
import { revenueEvents } from './revenue.ts'

const DAY_MS = 86_400_000
/** The last new member signs up after this part of the days. */
const LAST_JOIN = 0.72
/** A shorter history has no day after the paused one on which its packages could be sold. */
const LEAST_DAYS_WITH_PAUSE = 3

/** Returns the events of each day of a history, in order. The same days give the same events. */
export function createCalendar(days: number, firstDay: Day): readonly (readonly HistoryEvent[])[] {
  const base = { days, firstDay, pausedDay: days < LEAST_DAYS_WITH_PAUSE ? -1 : Math.floor(days * 0.55) }
  const frame: Frame = { ...base, joined: joinDays(base) }
  const purchases = purchasesOf(frame)
  const events: HistoryEvent[] = [
    ...joins(frame),
    ...purchases.map((purchase): HistoryEvent => ({ do: 'order', purchase, atMs: purchase.atMs })),
    ...priceEvents(frame),
    ...revenueEvents(frame, purchases),
    ...memberEvents(frame, purchases),
    ...fundEvents(frame),
    ...pauses(frame),
    ...PAST_EXCHANGES.map(
      ({ day, ...exchange }): HistoryEvent => ({ do: 'exchange', ...exchange, atMs: at(day + 12, 15) }),
    ),
  ]
  const byDay: HistoryEvent[][] = Array.from({ length: days }, () => [])
  for (const event of events) byDay[Math.floor(event.atMs / DAY_MS)]?.push(event)
  return byDay.map((ofDay) => ofDay.sort((a, b) => a.atMs - b.atMs))
}

function joinDays(frame: Pick<Frame, 'days' | 'firstDay'>): ReadonlyMap<string, number> {
  const random = createRandom('sign-ups')
  let last = 0
  const days = DEMO_TEAM.map(({ name }, index): [string, number] => {
    const wanted = Math.floor(LAST_JOIN * frame.days * (index / (DEMO_TEAM.length - 1)) ** 1.2)
    const day = index > 3 && random.chance(0.7) ? workdayFrom(frame, wanted) : wanted
    last = Math.min(Math.max(last, day), Math.max(0, frame.days - 2))
    return [name, last]
  })
  return new Map(days)
}

/** Sponsors sign up before the members whom they invite, also on the same day. */
function joins({ joined }: Frame): HistoryEvent[] {
  const ranks = new Map<number, number>()
  return DEMO_TEAM.map(({ name }) => {
    const day = joined.get(name)!
    const rank = ranks.get(day) ?? 0
    ranks.set(day, rank + 1)
    return { do: 'join', name, atMs: at(day, 8, 40 + rank * 11) }
  })
}

function pauses({ pausedDay }: Frame): HistoryEvent[] {
  if (pausedDay < 0) return []
  return [
    { do: 'pause', atMs: at(pausedDay, 7) },
    { do: 'resume', atMs: at(pausedDay + 1, 7) },
  ]
}
