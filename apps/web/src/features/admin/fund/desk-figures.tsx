import type { FundDesk } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatAmount, formatPrice, isZero, useTranslation } from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'
import { useSpans } from '../components/span.ts'
import { utcText } from '../components/utc-time.tsx'

interface Figure {
  readonly label: string
  readonly value: ReactNode
  readonly hint: ReactNode
  readonly pill?: ReactNode
}

/** The figures of a product in one line: unit value, assets, and free cash. */
export function DeskFigures({ desk }: { desk: FundDesk }) {
  const { t } = useTranslation()
  const { since, until } = useSpans()
  const { valued_at, stale, stale_at, announced, queue } = desk
  const figures: readonly Figure[] = [
    {
      label: t('admin.field.nav'),
      value: formatPrice(desk.nav),
      hint: t('admin.desk.figure.opening', { price: formatPrice(desk.opening_nav) }),
    },
    {
      label: t('admin.desk.row.netAssets'),
      value: formatAmount(desk.net_assets),
      hint: t('admin.desk.figure.units', { units: desk.units }),
    },
    {
      label: t('admin.fund.cash'),
      value: formatAmount(desk.cash),
      hint: isZero(announced)
        ? t('admin.desk.figure.inBank')
        : t('admin.desk.figure.announced', { amount: formatAmount(announced) }),
    },
    {
      label: t('admin.desk.figure.free'),
      value: formatAmount(desk.investable),
      hint: t('admin.desk.figure.due', { amount: formatAmount(queue.value) }),
    },
    {
      label: t('admin.fund.valued'),
      value: valued_at === null ? '–' : since(valued_at),
      hint:
        stale_at === null
          ? t('admin.desk.figure.nothingInvested')
          : stale
            ? t('admin.desk.figure.stopped', { time: utcText(stale_at) ?? '' })
            : t('admin.desk.figure.stops', { span: until(stale_at) }),
      pill: stale_at !== null && (
        <Pill tone={stale ? 'bad' : 'good'}>
          {t(stale ? 'admin.desk.figure.old' : 'admin.desk.figure.ok')}
        </Pill>
      ),
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-12 bg-line md:grid-cols-3 xl:grid-cols-5">
      {figures.map(({ label, value, hint, pill }) => (
        <div
          key={label}
          className="flex min-w-0 flex-col gap-0.5 bg-card p-4 last:col-span-2 xl:last:col-span-1"
        >
          <dt className="flex flex-wrap items-center justify-between gap-2 text-14 text-muted">
            {label}
            {pill}
          </dt>
          <dd className="text-20 font-semibold tabular-nums">{value}</dd>
          <dd className="text-12 text-muted">{hint}</dd>
        </div>
      ))}
    </dl>
  )
}
