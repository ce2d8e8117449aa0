import { addDays, type Day } from './day.ts'
import { floorDiv, MICRO, type Micros, type Ppm } from './money.ts'

/** The ages, in UTC days from the first paid package on, for which a median is published. */
export const EARNINGS_AGES = [30, 90, 365] as const
export type EarningsAge = (typeof EARNINGS_AGES)[number]

/** A figure with fewer members behind it is not published. */
export const FEWEST_MEMBERS = 20

/** The lower bounds of the ranges, in ppm of the payments; each range ends at the next bound. */
export const SPREAD_FROM_PPM: readonly Ppm[] = [0, 50_000, 100_000, 250_000, 500_000, 1_000_000]

/** The paid value of packages and the paid value of rewards. */
export interface PaidAndBack {
  readonly paidMicros: Micros
  readonly backMicros: Micros
}

/** A member with at least one paid package; the sums go to the end of the day of the figures. */
export interface MemberEarnings extends PaidAndBack {
  /** The level of the first paid package. */
  readonly level: number
  readonly firstDay: Day
  /**
   * The part of `backMicros` that results from orders of other members: all rewards except the static ones.
   */
  readonly commissionMicros: Micros
  /**
   * The sums of the first 30, 90 and 365 days, in the order of `EARNINGS_AGES`; null for an age that is not
   * reached.
   */
  readonly ages: readonly (PaidAndBack | null)[]
}

/** The median of the members who reached an age; null for fewer than `FEWEST_MEMBERS`. */
export interface AgeFigure {
  readonly age: EarningsAge
  readonly members: number
  readonly medianPpm: Ppm | null
}

/** The figures of the members whose first package had the same level. */
export interface LevelEarnings {
  readonly level: number
  readonly members: number
  /**
   * The members who earned back their payments; null where the number would reveal too much about too few
   * members.
   */
  readonly whole: number | null
  readonly ages: readonly AgeFigure[]
}

/** The share of their payments that members have earned back, up to the end of a day. */
export interface Earnings {
  readonly members: number
  /** The day of the first package ever; null without one. */
  readonly since: Day | null
  readonly levels: readonly LevelEarnings[]
  /** Null for fewer than `FEWEST_MEMBERS`. */
  readonly all: {
    /** The members who earned back their payments. */
    readonly whole: number
    /** Members of these who received more than half of it from orders of other members. */
    readonly wholeByCommission: number
    /** The members who never got a reward from an order of another member. */
    readonly withoutCommission: number
    /** The members by earned share, in the order of `SPREAD_FROM_PPM`. */
    readonly spread: readonly number[]
  } | null
}

/** Returns the earned share in ppm of the payments, floored; `paidMicros` is positive. */
export function backPpm({ paidMicros, backMicros }: PaidAndBack): Ppm {
  return Number(floorDiv(backMicros * MICRO, paidMicros))
}

/** Returns the median of at least one rate; for an even number the mean of the two in the middle, floored. */
export function medianPpm(rates: readonly Ppm[]): Ppm {
  const sorted = Float64Array.from(rates).sort()
  const upper = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[upper]!
  return Math.floor((sorted[upper - 1]! + sorted[upper]!) / 2)
}

/** Reports whether all days of an age have ended by the end of `day`. */
export function hasAge(firstDay: Day, age: EarningsAge, day: Day): boolean {
  return addDays(firstDay, age - 1) <= day
}

interface LevelTally {
  members: number
  whole: number
  readonly rates: readonly Ppm[][]
}

/**
 * Creates a tally of the members' earnings, which stores a few numbers for each member. Members are counted
 * by the level of their first package, so later purchases do not move them to another group. Rules, section
 * 5.6.
 */
export function createEarningsTally() {
  const levels = new Map<number, LevelTally>()
  let members = 0
  const all = { whole: 0, wholeByCommission: 0, withoutCommission: 0 }
  const spread = SPREAD_FROM_PPM.map(() => 0)
  let since: Day | null = null

  return {
    /** Counts a member. */
    add(member: MemberEarnings): void {
      const { backMicros, commissionMicros } = member
      const own = levels.get(member.level) ?? { members: 0, whole: 0, rates: EARNINGS_AGES.map(() => []) }
      levels.set(member.level, own)
      const isWhole = backMicros >= member.paidMicros
      own.members += 1
      own.whole += isWhole ? 1 : 0
      for (const [place, sums] of member.ages.entries())
        if (sums !== null) own.rates[place]!.push(backPpm(sums))
      members += 1
      all.whole += isWhole ? 1 : 0
      all.wholeByCommission += isWhole && 2n * commissionMicros > backMicros ? 1 : 0
      all.withoutCommission += commissionMicros === 0n ? 1 : 0
      const rate = backPpm(member)
      const part = SPREAD_FROM_PPM.findLastIndex((from) => from <= rate)
      spread[part] = spread[part]! + 1
      if (since === null || member.firstDay < since) since = member.firstDay
    },

    /** Returns the figures of the members counted so far, levels in ascending order. */
    figures(): Earnings {
      const sortedLevels = [...levels].toSorted(([a], [b]) => a - b)
      const hidden = tooFewLevels(sortedLevels.map(([level, own]) => ({ level, members: own.members })))
      return {
        members,
        since,
        levels: sortedLevels.map(([level, own]) => ({
          level,
          members: own.members,
          whole: hidden.has(level) ? null : own.whole,
          ages: EARNINGS_AGES.map((age, place) => ageFigure(age, own.rates[place]!)),
        })),
        all: members < FEWEST_MEMBERS ? null : { ...all, spread },
      }
    },
  }
}

function ageFigure(age: EarningsAge, rates: readonly Ppm[]): AgeFigure {
  const members = rates.length
  return { age, members, medianPpm: members < FEWEST_MEMBERS ? null : medianPpm(rates) }
}

/**
 * Returns the levels whose number of repaid members is not published: levels with too few members, and, where
 * these together are too few, the smallest of the others, because the total would reveal the difference.
 */
function tooFewLevels(levels: readonly { level: number; members: number }[]): ReadonlySet<number> {
  const bySize = levels.toSorted((a, b) => a.members - b.members)
  const hidden = new Set<number>()
  let together = 0
  for (const { level, members } of bySize) {
    if (members >= FEWEST_MEMBERS && (together === 0 || together >= FEWEST_MEMBERS)) break
    hidden.add(level)
    together += members
  }
  return hidden
}
