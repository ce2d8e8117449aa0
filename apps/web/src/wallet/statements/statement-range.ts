/** UTC days, both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

export const MONTH_PRESETS = ['thisMonth', 'lastMonth', 'thisYear'] as const
export type MonthPreset = (typeof MONTH_PRESETS)[number]

const iso = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** Returns today, by UTC. */
export const todayUtc = (now = new Date()): string => now.toISOString().slice(0, 10)

/** Returns the days of a preset, by UTC. What has not ended goes up to today. */
export function presetDays(preset: MonthPreset, now: Date): DayRange {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const today = todayUtc(now)
  switch (preset) {
    case 'thisMonth':
      return { from: iso(year, month, 1), to: today }
    case 'lastMonth':
      return { from: iso(year, month - 1, 1), to: iso(year, month, 0) }
    case 'thisYear':
      return { from: iso(year, 0, 1), to: today }
  }
}

/** Returns the days of a calendar year. */
export const yearDays = (year: string): DayRange => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** Returns the problem of a range that was typed, or null. */
export function rangeProblem({ from, to }: DayRange, now: Date): 'missing' | 'order' | 'future' | null {
  if (from === '' || to === '') return 'missing'
  if (from > to) return 'order'
  return from > todayUtc(now) ? 'future' : null
}

/** Returns the month that a range covers as a whole, such as "2026-01"; null for any other. */
export function monthOf({ from, to }: DayRange): string | null {
  const [year = 0, month = 0] = from.split('-').map(Number)
  return from === iso(year, month - 1, 1) && to === iso(year, month, 0) ? from.slice(0, 7) : null
}
