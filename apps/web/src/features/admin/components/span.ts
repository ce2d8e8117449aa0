import { type Translate, useTranslation } from '../../../lib/index.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 1_440

/** Returns a length of time in words, of at most two units: "1 d 21 h". A negative one counts as none. */
export function spanText(t: Translate, ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  if (minutes >= DAY_MINUTES) {
    const hours = Math.floor((minutes % DAY_MINUTES) / HOUR_MINUTES)
    return t('admin.span.days', { days: Math.floor(minutes / DAY_MINUTES), hours })
  }
  if (minutes < HOUR_MINUTES) return t('admin.span.minutes', { minutes })
  return t('admin.span.hours', {
    hours: Math.floor(minutes / HOUR_MINUTES),
    minutes: minutes % HOUR_MINUTES,
  })
}

/** Returns the texts of the time since a moment and until one. */
export function useSpans() {
  const { t } = useTranslation()
  return {
    since: (at: string) => spanText(t, Date.now() - Date.parse(at)),
    until: (at: string) => spanText(t, Date.parse(at) - Date.now()),
  }
}
