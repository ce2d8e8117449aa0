import { useState } from 'react'
import { formatTime, formatTimeExact } from '../lib/format.ts'
import { useTranslation } from '../lib/i18n.ts'

/** A time in the member's own zone; a tap shows the seconds and the zone. */
export function Time({ value }: { value: string | number }) {
  const { t } = useTranslation()
  const [exact, setExact] = useState(false)
  const text = exact ? formatTimeExact(value) : formatTime(value)
  if (text === null) return <span>{t('common.invalidTime')}</span>
  return (
    <button
      type="button"
      aria-expanded={exact}
      className="touch-line whitespace-nowrap text-left"
      onClick={() => setExact(!exact)}
    >
      <time dateTime={typeof value === 'string' ? value : undefined}>{text}</time>
    </button>
  )
}
