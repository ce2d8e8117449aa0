import type { RouteData } from '@rif/api-schema'
import { useState } from 'react'
import { formatAmount, formatMonth, useTranslation } from '../../../lib/index.ts'
import { BarChart, ChartTable, Legend } from '../../../ui/index.ts'

const SIDES = [
  { side: 'left', tone: 'ink' },
  { side: 'right', tone: 'accent' },
] as const

/** Shows the purchases on each side of the team by month; a tap on a month shows its figures. */
export default function VolumeChart({ months }: { months: RouteData<'volumes'>['items'] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = months.find(({ month }) => month === chosen) ?? months.at(-1)!
  const textOf = ({ month, volumes }: (typeof months)[number]) =>
    `${formatMonth(month)}: ${SIDES.map(({ side }) => `${t(`side.${side}`)} ${formatAmount(volumes[side])} USDT`).join(', ')}`
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        label={t('home.volumes.label')}
        unit="USDT"
        bars={months.map((item) => ({
          key: item.month,
          text: () => textOf(item),
          // A number only for the height of a bar.
          parts: SIDES.map(({ side, tone }) => ({ value: Number(item.volumes[side]), tone })),
        }))}
        selected={chosen}
        onSelect={setChosen}
        from={formatMonth(months[0]!.month)}
        to={formatMonth(months.at(-1)!.month)}
      />
      <Legend items={SIDES.map(({ side, tone }) => ({ tone, label: t(`side.${side}`) }))} />
      <p aria-live="polite" className="text-12 text-muted">
        {textOf(shown)}
      </p>
      <ChartTable
        caption={t('home.volumes.label')}
        head={[t('home.volumes.month'), ...SIDES.map(({ side }) => `${t(`side.${side}`)}, USDT`)]}
        rows={() =>
          months
            .toReversed()
            .map(({ month, volumes }) => [
              formatMonth(month),
              ...SIDES.map(({ side }) => formatAmount(volumes[side])),
            ])
        }
      />
    </div>
  )
}
