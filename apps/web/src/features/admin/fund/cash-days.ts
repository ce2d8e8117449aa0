import type { FundDesk } from '@rif/api-schema'
import { formatMicros, type Micros, parseMicros } from '@rif/rules'

/** The redemptions of a UTC day, and the remaining cash at its end; amounts by the current estimate. */
export interface CashDay {
  readonly day: string
  readonly paid: string
  /** The undecided amount, on the day of its payment if it is approved now. */
  readonly pending: string
  /** Below 0 if the cash does not suffice. */
  readonly left: string
}

const DAY_MS = 86_400_000
const SHOWN_DAYS = 7

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns the next days with the cash needed for redemptions on each. Overdue amounts are needed today. */
export function cashByDay(
  desk: Pick<FundDesk, 'cash' | 'announced' | 'redemptions' | 'pending' | 'next_due_at'>,
  nowMs: number,
): CashDay[] {
  const today = dayOf(nowMs)
  const dayDue = (at: string) => dayOf(Math.max(nowMs, Date.parse(at)))
  const paid = new Map<string, Micros>()
  for (const { due_at, value } of desk.redemptions) {
    const day = dayDue(due_at)
    paid.set(day, (paid.get(day) ?? 0n) + parseMicros(value))
  }
  const pendingMicros = parseMicros(desk.pending.value)
  const pendingDay = dayDue(desk.next_due_at)
  const lastDay = [...paid.keys(), ...(pendingMicros > 0n ? [pendingDay] : [])].toSorted().at(-1) ?? today
  let leftMicros = parseMicros(desk.cash) - parseMicros(desk.announced)
  const days: CashDay[] = []
  for (let at = nowMs; days.length < SHOWN_DAYS || dayOf(at) <= lastDay; at += DAY_MS) {
    const day = dayOf(at)
    const ofDay = { paid: paid.get(day) ?? 0n, pending: day === pendingDay ? pendingMicros : 0n }
    leftMicros -= ofDay.paid + ofDay.pending
    days.push({
      day,
      paid: formatMicros(ofDay.paid),
      pending: formatMicros(ofDay.pending),
      left: formatMicros(leftMicros),
    })
  }
  return days
}
