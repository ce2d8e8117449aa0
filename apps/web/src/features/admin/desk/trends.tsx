import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatAmount, formatDay, formatPpm, useTranslation } from '../../../lib/index.ts'
import { Segmented } from '../../../ui/index.ts'
import { DayLine, FigureCard } from '../analytics/figure-card.tsx'
import { presetRange } from '../analytics/range.ts'
import { SalesBars } from '../analytics/sales-bars.tsx'

const RANGES = ['week', 'month', 'quarter'] as const

/** Package sales by day. */
export function SalesTrend() {
  const { t } = useTranslation()
  const [preset, setPreset] = useState<(typeof RANGES)[number]>('month')
  const query = useQuery(apiQuery('analyticsSales', { query: presetRange(preset, new Date()) }))
  return (
    <FigureCard title={t('desk.trends.sales')} query={query}>
      {({ totals, days }) => (
        <>
          <Segmented
            label={t('adminAnalytics.range.label')}
            options={RANGES.map((value) => ({ value, label: t(`adminAnalytics.range.${value}`) }))}
            value={preset}
            onChange={setPreset}
          />
          <p className="text-12 text-muted">
            {t('desk.trends.sold', {
              amount: formatAmount(totals.base),
              count: totals.paid,
            })}
          </p>
          <SalesBars label={t('desk.trends.sales')} days={days} />
        </>
      )}
    </FigureCard>
  )
}

const PPM_OF_PERCENT = 10_000

/** The ratio of the bank's holdings to its liabilities at the end of each reported day. */
export function RatioTrend() {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<'USDT' | 'AMC'>('USDT')
  const query = useQuery(apiQuery('solvency'))
  return (
    <FigureCard title={t('desk.trends.ratio')} query={query}>
      {({ days }) => {
        const points = days.toReversed().flatMap(({ day, ratios }) => {
          const ppm = ratios.find((ratio) => ratio.asset === asset)?.ratio_ppm ?? null
          return ppm === null
            ? []
            : [{ day, value: ppm / PPM_OF_PERCENT, text: `${formatDay(day)}: ${formatPpm(ppm)}` }]
        })
        return (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Segmented
                label={t('desk.trends.asset')}
                options={(['USDT', 'AMC'] as const).map((value) => ({ value, label: value }))}
                value={asset}
                onChange={setAsset}
              />
            </div>
            <DayLine label={t('desk.trends.ratio')} unit="%" days={points} />
          </>
        )
      }}
    </FigureCard>
  )
}
