import type { FundNav } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatDate, formatExact, formatPrice, useTranslation } from '../../../lib/index.ts'
import { ChartTable, ErrorState, LineChart, Segmented, Skeleton } from '../../../ui/index.ts'
import { changePpm, formatReturn } from '../fund-view.ts'

const PERIODS = { month: 31, quarter: 92, year: 366, all: 3_660 } as const
type Period = keyof typeof PERIODS

const dayOf = ({ published_at }: FundNav) => formatDate(published_at)

/** The NAV of a product over a chosen period; a tap on a point shows its day. */
export function NavChart({ productId }: { productId: string }) {
  const { t } = useTranslation()
  const [period, setPeriod] = useState<Period>('year')
  const query = useQuery(
    apiQuery('fundNavs', { params: { product_id: productId }, query: { days: PERIODS[period] } }),
  )
  const items = query.data?.items
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={t('fund.chart.period')}
        options={(Object.keys(PERIODS) as Period[]).map((value) => ({
          value,
          label: t(`fund.chart.${value}`),
        }))}
        value={period}
        onChange={setPeriod}
      />
      {query.isPending ? (
        <Skeleton className="h-52" />
      ) : items === undefined ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : items.length < 2 ? (
        <p className="py-8 text-center text-14 text-muted">{t('fund.chart.tooShort')}</p>
      ) : (
        <History key={period} items={items} />
      )}
    </div>
  )
}

function History({ items }: { items: readonly FundNav[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const [first, last] = [items[0]!, items.at(-1)!]
  const shown = items.find(({ published_at }) => published_at === chosen)
  const change = changePpm(first.nav, (shown ?? last).nav)
  return (
    <>
      <div aria-live="polite" className="flex items-baseline justify-between gap-3">
        <p className="whitespace-nowrap text-20 font-semibold">
          {formatPrice((shown ?? last).nav)} <span className="text-12 font-medium text-muted">USDT</span>
        </p>
        <p className="text-right text-14">
          <span className="font-semibold">{formatReturn(change)}</span>
          <span className="block break-keep text-12 text-muted">
            {t('fund.chart.between', { from: dayOf(first), to: dayOf(shown ?? last) })}
          </span>
        </p>
      </div>
      <LineChart
        label={t('fund.chart.label')}
        points={items.map((item) => ({
          key: item.published_at,
          // Only the height of a point: money itself is never converted to a number.
          value: Number(item.nav),
          at: Date.parse(item.published_at),
          text: () => `${dayOf(item)}: ${formatExact(item.nav)} USDT`,
        }))}
        steps
        unit="USDT"
        selected={chosen}
        onSelect={setChosen}
        from={dayOf(first)}
        to={dayOf(last)}
      />
      <ChartTable
        caption={t('fund.chart.label')}
        head={[t('fund.chart.day'), t('fund.product.nav')]}
        rows={() => items.toReversed().map((item) => [dayOf(item), formatExact(item.nav)])}
      />
    </>
  )
}
