import type { BalanceDay, RouteData } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { formatAmount, isZero, useTranslation } from '../../../lib/index.ts'
import { BarChart, ChartTable, Legend, LineChart, Money } from '../../../ui/index.ts'

/** Shows the member's worth in USDT at the end of each day; a tap on a day shows its balances. */
export function HistoryChart({ days }: { days: readonly BalanceDay[] }) {
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

const SIDES = [
  { side: 'left', tone: 'accent' },
  { side: 'right', tone: 'good' },
] as const

/** Shows the purchases on each side of the team by month; a tap on a month shows its figures. */
export function VolumeChart({ months }: { months: RouteData<'volumes'>['items'] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = months.find(({ month }) => month === chosen) ?? months.at(-1)!
  const textOf = ({ month, volumes }: (typeof months)[number]) =>
    `${month}: ${SIDES.map(({ side }) => `${t(`side.${side}`)} ${formatAmount(volumes[side])} USDT`).join(', ')}`
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        label={t('home.volumes.label')}
        bars={months.map((item) => ({
          key: item.month,
          text: textOf(item),
          // Only how high a bar is drawn.
          parts: SIDES.map(({ side, tone }) => ({ value: Number(item.volumes[side]), tone })),
        }))}
        selected={chosen}
        onSelect={setChosen}
        from={months[0]!.month}
        to={months.at(-1)!.month}
      />
      <Legend items={SIDES.map(({ side, tone }) => ({ tone, label: t(`side.${side}`) }))} />
      <p aria-live="polite" className="text-12 text-muted">
        {textOf(shown)}
      </p>
      <ChartTable
        caption={t('home.volumes.label')}
        head={[t('home.volumes.month'), ...SIDES.map(({ side }) => `${t(`side.${side}`)}, USDT`)]}
        rows={months
          .toReversed()
          .map(({ month, volumes }) => [month, ...SIDES.map(({ side }) => formatAmount(volumes[side]))])}
      />
    </div>
  )
}
