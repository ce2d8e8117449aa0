import type { SolvencyDay } from '@rif/api-schema'
import { useState } from 'react'
import { formatDay, formatRatio, useTranslation } from '../../../lib/index.ts'
import { Card, ChartTable, LineChart, Section } from '../../../ui/index.ts'
import { type AssetChoice, AssetSwitch } from './owed-table.tsx'

const PPM_OF_PERCENT = 10_000
/** A ratio of exactly 100%. */
const ALL_OWED_PERCENT = 100

interface Props extends AssetChoice {
  /** Newest first. */
  days: readonly SolvencyDay[]
}

/** The ratio at the end of each day with a report, as a chart and as a table. */
export function History({ days, asset, onAsset }: Props) {
  const { t } = useTranslation()
  const [selected, setSelected] = useState<string | null>(null)
  const points = days
    .toReversed()
    .flatMap((day) => {
      const ppm = ratioOf(day, asset)
      return ppm === null
        ? []
        : [{ key: day.day, value: ppm, at: Date.parse(day.day), day: formatDay(day.day) }]
    })
    .map(({ day, ...point }) => ({
      ...point,
      text: t('heldOwed.history.point', { day, ratio: formatRatio(point.value) }),
    }))
  const shown = points.find(({ key }) => key === selected) ?? points.at(-1)
  return (
    <Section title={t('heldOwed.history.title')}>
      <Card className="flex flex-col gap-3">
        <AssetSwitch asset={asset} onAsset={onAsset} />
        {shown === undefined && <p className="text-14 text-muted">{t('heldOwed.history.none')}</p>}
        {shown !== undefined && <p className="text-14 font-medium">{shown.text}</p>}
        {points.length > 1 && (
          <LineChart
            label={t('heldOwed.history.label', { asset })}
            unit="%"
            level={ALL_OWED_PERCENT}
            points={points.map((point) => ({ ...point, value: point.value / PPM_OF_PERCENT }))}
            selected={selected}
            onSelect={setSelected}
            from={formatDay(points[0]!.key)}
            to={formatDay(points.at(-1)!.key)}
          />
        )}
        {days.length > 0 && (
          <ChartTable
            caption={t('heldOwed.history.caption')}
            head={[t('heldOwed.history.day'), 'USDT', 'AMC', t('heldOwed.history.state')]}
            rows={() =>
              days.map((day) => [
                formatDay(day.day),
                ...(['USDT', 'AMC'] as const).map((of) => textOf(ratioOf(day, of))),
                t(`heldOwed.state.${day.state}`),
              ])
            }
          />
        )}
        <p className="text-12 text-muted">{t('heldOwed.history.about')}</p>
      </Card>
    </Section>
  )
}

const ratioOf = (day: SolvencyDay, asset: string): number | null =>
  day.ratios.find((ratio) => ratio.asset === asset)?.ratio_ppm ?? null
const textOf = (ppm: number | null) => (ppm === null ? '–' : formatRatio(ppm))
