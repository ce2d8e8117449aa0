/** The limited amounts: the tokens that leave by claims, in micro-units, and the number of quotes. */
export const LIMITED = ['USDT', 'AMC', 'quotes'] as const

export type Limited = (typeof LIMITED)[number]

/** The most that may be signed within an hour and a day, and within a day for one member. */
export interface Limit {
  readonly hour: bigint
  readonly day: bigint
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

/**
 * Creates the counters of what was signed in the last hour and day. Within each window a subject counts once, with its
 * highest amount, because at most one of its signatures can be used on chain.
 */
export function createLimits(limits: Limits) {
  let signed: Counted[] = []

  function sumSince(sinceMs: number, added: Counted, isCounted: (one: Counted) => boolean): bigint {
    const bySubject = new Map<string, bigint>([[added.subject, added.amount]])
    for (const one of signed) {
      if (one.atMs <= sinceMs || one.what !== added.what || !isCounted(one)) continue
      const before = bySubject.get(one.subject) ?? 0n
      if (one.amount > before) bySubject.set(one.subject, one.amount)
    }
    let sum = 0n
    for (const amount of bySubject.values()) sum += amount
    return sum
  }

  return {
    /** Returns the limit that a signature would exceed, or null. */
    exceeded(added: Counted): 'limit_hour' | 'limit_day' | 'limit_member' | null {
      const { hour, day, member } = limits[added.what]
      const isOwn = (one: Counted) => one.memberId === added.memberId
      if (sumSince(added.atMs - DAY_MS, added, isOwn) > member) return 'limit_member'
      if (sumSince(added.atMs - HOUR_MS, added, () => true) > hour) return 'limit_hour'
      if (sumSince(added.atMs - DAY_MS, added, () => true) > day) return 'limit_day'
      return null
    },

    /** Counts a signature. Forgets those that no window can contain any more. */
    add(one: Counted): void {
      const oldest = one.atMs - DAY_MS
      if ((signed[0]?.atMs ?? Number.POSITIVE_INFINITY) <= oldest)
        signed = signed.filter(({ atMs }) => atMs > oldest)
      signed.push(one)
    },
  }
}
