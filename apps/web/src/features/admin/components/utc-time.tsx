import { useState } from 'react'
import { formatDay, localeTag, parseTime, useTranslation } from '../../../lib/index.ts'
import { Fact } from '../../../ui/index.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns a time in UTC as operators read it: "22 Nov, 09:17", with the year if it is another one. Null for no time. */
export function utcText(value: string | number, now = new Date()): string | null {
  const date = parseTime(value)
  if (date === null) return null
  const isThisYear = date.getUTCFullYear() === now.getUTCFullYear()
  return new Intl.DateTimeFormat(localeTag(), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date)
}

/** A UTC day of the books: "22 Nov 2026". */
export const UtcDay = ({ value }: { value: string }) => (
  <time dateTime={value} className="whitespace-nowrap">
    {formatDay(value)}
  </time>
)

/** A time in UTC; a tap shows seconds and zone. */
export function UtcTime({ value }: { value: string | number }) {
  const { t } = useTranslation()
  const [exact, setExact] = useState(false)
  const text = utcText(value)
  if (text === null) return <span>{t('common.invalidTime')}</span>
  const iso = new Date(parseTime(value)!).toISOString()
  return (
    <button
      type="button"
      aria-expanded={exact}
      className="touch-line whitespace-nowrap text-left"
      onClick={() => setExact(!exact)}
    >
      <time dateTime={iso}>{exact ? `${iso.slice(0, 19).replace('T', ' ')} UTC` : text}</time>
    </button>
  )
}

/** A time in UTC inside `Facts`. */
export const UtcTimeFact = ({ label, value }: { label: string; value: string | number }) => (
  <Fact label={label}>
    <UtcTime value={value} />
  </Fact>
)

/** Returns the text of the time since a moment, in the two largest units: "3 h 10 min". */
export function useAge(): (since: string) => string {
  const { t } = useTranslation()
  return (since) => {
    const ms = Math.max(0, Date.now() - Date.parse(since))
    const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)]
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
    if (days > 0) return t('desk.age.days', { days, hours })
    return hours > 0 ? t('desk.age.hours', { hours, minutes }) : t('desk.age.minutes', { minutes })
  }
}
