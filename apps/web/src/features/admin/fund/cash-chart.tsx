import type { FundDesk } from '@rif/api-schema'
import { formatAmount, formatDay, useTranslation } from '../../../lib/index.ts'
import { ChartTable } from '../../../ui/index.ts'
import { DayBars } from '../analytics/figure-card.tsx'
import { Panel } from '../components/panel.tsx'
import { cashByDay } from './cash-days.ts'

/** The cash needed for redemptions on each of the next days, and the rest; nothing without redemptions. */
export function CashNeeded({ desk }: { desk: FundDesk }) {
  const { t } = useTranslation()
  const days = cashByDay(desk, Date.now())
  if (desk.queue.length + desk.pending.length === 0) return null
  const title = t('admin.desk.cash.title')
  return (
    <Panel title={title}>
      <DayBars
        label={title}
        unit="USDT"
        legend={[
          { tone: 'accent', label: t('admin.desk.cash.paid') },
          { tone: 'muted', label: t('admin.desk.cash.pending') },
          { tone: 'good', label: t('admin.desk.cash.left') },
        ]}
        days={days.map(({ day, paid, pending, left }) => ({
          day,
          text: t('admin.desk.cash.day', {
            day: formatDay(day),
            paid: formatAmount(paid),
            pending: formatAmount(pending),
            left: formatAmount(left),
          }),
          // Only the height of a bar: money itself is never converted to a number.
          parts: [
            { value: Number(paid), tone: 'accent' },
            { value: Number(pending), tone: 'muted' },
          ],
          level: Math.max(0, Number(left)),
        }))}
      />
      <ChartTable
        caption={title}
        head={[
          t('admin.desk.cash.of'),
          t('admin.desk.cash.paid'),
          t('admin.desk.cash.pending'),
          t('admin.desk.cash.left'),
        ]}
        rows={() =>
          days.map(({ day, paid, pending, left }) => [
            formatDay(day),
            ...[paid, pending, left].map((item) => formatAmount(item)),
          ])
        }
      />
    </Panel>
  )
}
