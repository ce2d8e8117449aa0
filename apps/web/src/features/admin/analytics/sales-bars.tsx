import type { AnalyticsSales } from '@rif/api-schema'
import { formatAmount, formatDay, useTranslation } from '../../../lib/index.ts'
import { DayBars } from './figure-card.tsx'

/** Draws the sales of each day. */
export function SalesBars({ days, label }: { days: AnalyticsSales['days']; label: string }) {
  const { t } = useTranslation()
  return (
    <DayBars
      label={label}
      unit="USDT"
      days={days.map((day) => ({
        day: day.day,
        parts: [{ value: Number(day.base), tone: 'accent' }],
        text: t('adminAnalytics.sales.day', {
          ...day,
          day: formatDay(day.day),
          base: formatAmount(day.base),
        }),
      }))}
    />
  )
}
