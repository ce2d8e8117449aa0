import type { BalanceDay } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { formatAmount, isZero, useTranslation } from '../../../lib/index.ts'
import { ChartTable, LineChart, Money } from '../../../ui/index.ts'

/** What the member had at the end of each day, in USDT worth; a tap on a day tells its balances. */
export default function HistoryChart({ days }: { days: readonly BalanceDay[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const [first, last] = [days[0]!, days.at(-1)!]
  const shown = days.find(({ day }) => day === chosen)
  const change = formatMicros(parseMicros(last.worth) - parseMicros(first.worth))
  return (
    <div className="flex flex-col gap-3">
      <div aria-live="polite" className="min-h-11">
        {shown === undefined ? (
          <>
            <p className={`text-20 font-semibold ${toneOf(change)}`}>
              <Money amount={change} unit="USDT" signed />
            </p>
            <p className="text-12 text-muted">{t('home.history.change', { days: days.length - 1 })}</p>
          </>
        ) : (
          <>
            <p className="text-20 font-semibold">
              <Money amount={shown.worth} unit="USDT" />
            </p>
            <p className="text-12 text-muted">
              {shown.day} · {formatAmount(shown.usdt)} USDT · {formatAmount(shown.amc)} AMC
              {!isZero(shown.fund) && ` · ${t('home.fundUnits')} ${formatAmount(shown.fund)} USDT`}
            </p>
          </>
        )}
      </div>
      <LineChart
        label={t('home.history.label')}
        points={days.map(({ day, worth }) => ({
          key: day,
          // Only how high a point is drawn: money itself is never made a number.
          value: Number(worth),
          text: `${day}: ${formatAmount(worth)} USDT`,
        }))}
        selected={chosen}
        onSelect={setChosen}
        from={first.day}
        to={last.day}
      />
      <ChartTable
        caption={t('home.history.label')}
        head={[t('home.history.day'), 'USDT', 'AMC', t('home.fundUnits'), t('home.history.worth')]}
        rows={days
          .toReversed()
          .map(({ day, usdt, amc, fund, worth }) => [
            day,
            ...[usdt, amc, fund, worth].map((amount) => formatAmount(amount)),
          ])}
      />
    </div>
  )
}

const toneOf = (change: string) => (isZero(change) ? '' : change.startsWith('-') ? 'text-bad' : 'text-good')
