import { formatTime, useTranslation } from '../../../lib/index.ts'
import { spanOf } from '../savings-view.ts'

/** When a transfer that is confirmed now arrives: at once, or after a span and at about which time. */
export function ArrivalTime({ delayMs }: { delayMs: number }) {
  const { t } = useTranslation()
  if (delayMs === 0) return t('savings.atOnce')
  const { unit, count } = spanOf(delayMs)
  return (
    <>
      <span className="block">{t(`savings.span.${unit}`, { count })}</span>
      <span className="block text-12 text-muted">
        {t('savings.about', { time: formatTime(new Date(Date.now() + delayMs).toISOString()) ?? '' })}
      </span>
    </>
  )
}
