import type { RewardDay } from '@rif/api-schema'
import { addDays, dayOf, type IncomeSum } from '@rif/rules'
import { useState } from 'react'
import { formatDay, formatOwn, useTranslation } from '../../../lib/index.ts'
import { BarChart, ChartTable, type ChartTone, Fact, Facts, Legend, Money } from '../../../ui/index.ts'
import { SUM_NAMES } from './reward-row.tsx'

const TONES: Record<IncomeSum, ChartTone> = { tjjl: 'accent', pdjl: 'good', jtjl: 'warn', gljl: 'muted' }

const DAYS = 30
const EMPTY = { tjjl: '0', pdjl: '0', jtjl: '0', gljl: '0' }

/** The last 30 days, in USDT worth actually paid, by kind; a tap on a day shows its figures. */
export default function EarningsChart({ days }: { days: readonly RewardDay[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const today = dayOf(Date.now())
  const range = Array.from({ length: DAYS }, (_, index) => addDays(today, index + 1 - DAYS))
  const byDay = new Map(days.map((day) => [day.day, day]))
  const bars = range.map((day) => {
    const sums = byDay.get(day)?.sums ?? EMPTY
    return {
      key: day,
      text: () => `${formatDay(day)}: ${formatOwn(byDay.get(day)?.paid ?? '0')} USDT`,
      // Only the height of a bar: money itself is never converted to a number.
      parts: SUM_NAMES.map((name) => ({ value: Number(sums[name]), tone: TONES[name] })),
    }
  })
  const shown = chosen === null ? undefined : (byDay.get(chosen)?.sums ?? EMPTY)
  return (
    <div className="flex flex-col gap-3">
      <BarChart
        label={t('rewards.chart.label')}
        unit="USDT"
        empty={bars.every(({ parts }) => sumOf(parts) === 0) ? t('rewards.chart.none') : undefined}
        bars={bars}
        selected={chosen}
        onSelect={setChosen}
        from={formatDay(range[0]!)}
        to={formatDay(today)}
      />
      <Legend items={SUM_NAMES.map((name) => ({ tone: TONES[name], label: t(`rewards.sum.${name}`) }))} />
      <ChartTable
        caption={t('rewards.chart.label')}
        head={[t('rewards.detail.day'), ...SUM_NAMES.map((name) => t(`rewards.sum.${name}`))]}
        rows={() =>
          range
            .toReversed()
            .map((day) => [
              formatDay(day),
              ...SUM_NAMES.map((name) => formatOwn((byDay.get(day)?.sums ?? EMPTY)[name])),
            ])
        }
      />
      <div aria-live="polite">
        {shown === undefined ? (
          <p className="text-12 text-muted">{t('rewards.chart.hint')}</p>
        ) : (
          <Facts>
            <Fact label={t('rewards.detail.day')}>{formatDay(chosen ?? '')}</Fact>
            {SUM_NAMES.map((name) => (
              <Fact key={name} label={t(`rewards.sum.${name}`)}>
                <Money own amount={shown[name]} unit="USDT" />
              </Fact>
            ))}
          </Facts>
        )}
      </div>
    </div>
  )
}

const sumOf = (parts: readonly { value: number }[]) => parts.reduce((sum, { value }) => sum + value, 0)
