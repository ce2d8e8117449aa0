/** The limited amounts: the tokens that leave by claims, in micro-units, and the number of quotes. */
export const LIMITED = ['USDT', 'AMC', 'quotes'] as const

export type Limited = (typeof LIMITED)[number]

/** The largest amounts that may be signed within an hour and a day, null for no limit, and within a day for one member. */
export interface Limit {
  readonly hour: bigint | null
  readonly day: bigint | null
  readonly member: bigint
}

export type Limits = Readonly<Record<Limited, Limit>>

/** A signature that counts. The subject is the withdrawal or the order. */
export interface Counted {
  readonly atMs: number
  readonly what: Limited
  readonly memberId: bigint
  readonly subject: string
  readonly amount: bigint
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The number of expired entries of a window that are kept before its list is shortened. */
const SPARE = 1_000

/**
 * Creates the counters of the signatures in the last hour and day. Within each window a subject counts once, with its
 * highest amount, because at most one of its signatures can be used on chain. Times must not go back. The duration of
 * a call does not depend on the number of signatures.
 */
export function createLimits(limits: Limits) {
  const windows = Object.fromEntries(
    LIMITED.map((what) => [what, { hour: createWindow(HOUR_MS), day: createWindow(DAY_MS) }]),
  ) as Record<Limited, { hour: Window; day: Window }>

  return {
    /** Returns the limit that a signature would exceed, or null. */
    exceeded(added: Counted): 'limit_hour' | 'limit_day' | 'limit_member' | null {
      const { hour, day, member } = limits[added.what]
      const window = windows[added.what]
      const [ofHour, ofDay] = [window.hour.sumsWith(added), window.day.sumsWith(added)]
      if (ofDay.member > member) return 'limit_member'
      if (hour !== null && ofHour.all > hour) return 'limit_hour'
      if (day !== null && ofDay.all > day) return 'limit_day'
      return null
    },

    /** Counts a signature. */
    add(signature: Counted): void {
      windows[signature.what].hour.add(signature)
      windows[signature.what].day.add(signature)
    },
  }
}

type Window = ReturnType<typeof createWindow>

/** Creates the running sums of one rolling window, over all members and by member. */
function createWindow(lengthMs: number) {
  let entries: Counted[] = []
  /** The index of the oldest entry within the window. */
  let first = 0
  let all = 0n
  const byMember = new Map<bigint, bigint>()
  /** The entries of each subject that are or can become its highest: oldest first, with falling amounts. */
  const bySubject = new Map<string, Counted[]>()

  function change(memberId: bigint, difference: bigint): void {
    all += difference
    const sum = (byMember.get(memberId) ?? 0n) + difference
    if (sum === 0n) byMember.delete(memberId)
    else byMember.set(memberId, sum)
  }

  function forgetUntil(atMs: number): void {
    for (; (entries[first]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - lengthMs; first++) {
      const gone = entries[first]!
      const highest = bySubject.get(gone.subject)!
      if (highest[0] !== gone) continue
      highest.shift()
      change(gone.memberId, (highest[0]?.amount ?? 0n) - gone.amount)
      if (highest.length === 0) bySubject.delete(gone.subject)
    }
    if (first < SPARE || first * 2 < entries.length) return
    entries = entries.slice(first)
    first = 0
  }

  return {
    /** Returns the sums including one more entry. */
    sumsWith(added: Counted): { all: bigint; member: bigint } {
      forgetUntil(added.atMs)
      const highest = bySubject.get(added.subject)?.[0]?.amount ?? 0n
      const more = added.amount > highest ? added.amount - highest : 0n
      return { all: all + more, member: (byMember.get(added.memberId) ?? 0n) + more }
    },

    add(signature: Counted): void {
      forgetUntil(signature.atMs)
      const highest = bySubject.get(signature.subject) ?? []
      const before = highest[0]?.amount ?? 0n
      while (highest.length > 0 && highest.at(-1)!.amount <= signature.amount) highest.pop()
      highest.push(signature)
      bySubject.set(signature.subject, highest)
      entries.push(signature)
      change(signature.memberId, highest[0]!.amount - before)
    },
  }
}
