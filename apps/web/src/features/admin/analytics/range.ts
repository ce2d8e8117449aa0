/** UTC days, both included. */
export interface AnalyticsRange {
  readonly from: string
  readonly to: string
}

/** The preset ranges, in days up to today. */
export const PRESETS = { today: 1, week: 7, month: 30, quarter: 90 } as const
export type Preset = keyof typeof PRESETS
export const PRESET_NAMES = Object.keys(PRESETS) as readonly Preset[]

/** The maximum number of days that the server accepts. */
export const MAX_RANGE_DAYS = 366
const DAY_MS = 86_400_000

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Returns the last days up to today, in UTC. */
export function presetRange(preset: Preset, now: Date): AnalyticsRange {
  const to = dayOf(now.getTime())
  return { from: dayOf(Date.parse(to) - (PRESETS[preset] - 1) * DAY_MS), to }
}

/** Returns the preset of a range; null for any other range. */
export function presetOf(range: AnalyticsRange, now: Date): Preset | null {
  return (
    PRESET_NAMES.find((name) => {
      const preset = presetRange(name, now)
      return preset.from === range.from && preset.to === range.to
    }) ?? null
  )
}

/** Returns the problem of a range, or null. */
export function analyticsRangeProblem({ from, to }: AnalyticsRange): 'order' | 'long' | null {
  if (from > to) return 'order'
  return Date.parse(to) - Date.parse(from) >= MAX_RANGE_DAYS * DAY_MS ? 'long' : null
}
