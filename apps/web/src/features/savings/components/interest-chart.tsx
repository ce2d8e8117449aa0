import type { MoneyAsset, SavingsInterest } from '@rif/api-schema'
import { dayOf, previousDay } from '@rif/rules'
import { useState } from 'react'
import { formatAmount, isZero, useTranslation } from '../../../lib/index.ts'
import { BarChart, Card, Fact, Facts, Money, Segmented } from '../../../ui/index.ts'
import { paidByDay } from '../savings-view.ts'
import { NothingYet } from './nothing-yet.tsx'

export const CHART_DAYS = 30
const ASSETS = ['USDT', 'AMC'] as const

/** Interest really paid on each of the last 30 days; a tap on a day tells its figures. */
export function InterestChart({ interest }: { interest: readonly SavingsInterest[] }) {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<MoneyAsset>('USDT')
  const [chosen, setChosen] = useState<string | null>(null)
  const days = paidByDay(interest, asset, previousDay(dayOf(Date.now())), CHART_DAYS)
  const shown = days.find(({ day }) => day === chosen)
  return (
    <Card className="flex flex-col gap-3">
      <Segmented
        label={t('savings.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        value={asset}
        onChange={setAsset}
      />
      {days.every(({ due }) => isZero(due)) ? (
        <NothingYet title={t('savings.list.noInterest')} />
      ) : (
        <>
          <BarChart
            label={t('savings.chart.label', { asset })}
            bars={days.map(({ day, paid }) => ({
              key: day,
              text: t('savings.chart.day', { day, paid: formatAmount(paid), asset }),
              // Only how high a bar is drawn: money itself is never made a number.
              parts: [{ value: Number(paid), tone: 'good' }],
            }))}
            selected={chosen}
            onSelect={setChosen}
            from={days[0]!.day}
            to={days.at(-1)!.day}
          />
          <div aria-live="polite">
            {shown === undefined ? (
              <p className="text-12 text-muted">{t('savings.chart.hint')}</p>
            ) : (
              <Facts>
                <Fact label={t('savings.interest.day')}>{shown.day}</Fact>
                <Fact label={t('savings.interest.due')}>
                  <Money amount={shown.due} unit={asset} exact />
                </Fact>
                <Fact label={t('savings.interest.paid')}>
                  <Money amount={shown.paid} unit={asset} exact />
                </Fact>
              </Facts>
            )}
          </div>
        </>
      )}
    </Card>
  )
}
