import type { Translate } from '../lib/index.ts'

const MINUTE_S = 60
const HOUR_S = 3_600

/** Returns the usual duration of a wait as text; `seconds` is null without measurements. */
export function usualWaitText(t: Translate, seconds: number | null): string {
  return seconds === null ? t('wait.unknown') : t('wait.usually', { time: spanText(t, seconds) })
}

/**
 * Returns a duration as text: whole seconds below two minutes, minutes below two hours, or else hours;
 * rounded up.
 */
function spanText(t: Translate, seconds: number): string {
  if (seconds < 2 * MINUTE_S) return t('wait.seconds', { count: seconds })
  if (seconds < 2 * HOUR_S) return t('wait.minutes', { count: Math.ceil(seconds / MINUTE_S) })
  return t('wait.hours', { count: Math.ceil(seconds / HOUR_S) })
}

/** Returns the usual duration of a review as text; `seconds` is null without reviews. */
export const reviewTimeText = (t: Translate, seconds: number | null): string =>
  seconds === null ? t('wait.noReviews') : t('wait.review', { time: spanText(t, seconds) })
