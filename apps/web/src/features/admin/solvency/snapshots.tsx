import type { SolvencyDay } from '@rif/api-schema'
import {
  formatAmount,
  formatCount,
  formatDayShort,
  formatRatio,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, DataTable, Pill, Section, type Tone } from '../../../ui/index.ts'
import { ShortHash } from './short-hash.tsx'

const TONES: Readonly<Record<SolvencyDay['state'], Tone>> = {
  waiting: 'neutral',
  late: 'warn',
  published: 'info',
  final: 'good',
  superseded: 'neutral',
  differs: 'bad',
}
const SHOWN = 10

/** The last daily reports, with their figures and whether they are on chain. */
export function Snapshots({ days }: { days: readonly SolvencyDay[] }) {
  const { t } = useTranslation()
  const title = t('adminSolvency.snapshots')
  return (
    <Section title={title}>
      <Card>
        {days.length === 0 && <p className="text-14 text-muted">{t('adminSolvency.noDays')}</p>}
        {days.length > 0 && (
          <DataTable
            stacks
            dense
            caption={title}
            words={[6, 7]}
            head={[
              t('adminSolvency.day'),
              ...(['USDT', 'AMC'] as const).flatMap((asset) => [t('adminSolvency.owedIn', { asset }), asset]),
              t('adminSolvency.members'),
              t('adminSolvency.state'),
              t('adminSolvency.root'),
            ]}
            rows={days
              .slice(0, SHOWN)
              .map((day) => ({ key: day.day, cells: cellsOf(day, t(`heldOwed.state.${day.state}`)) }))}
          />
        )}
      </Card>
    </Section>
  )
}

function cellsOf(day: SolvencyDay, state: string) {
  const figures = (['USDT', 'AMC'] as const).flatMap((asset) => {
    const assetRow = day.ratios.find((ratio) => ratio.asset === asset)
    const ratio = assetRow?.ratio_ppm ?? null
    return [
      assetRow === undefined ? '–' : formatAmount(assetRow.owed, TWO_DECIMALS),
      <b key={asset} className="font-semibold">
        {ratio === null ? '–' : formatRatio(ratio)}
      </b>,
    ]
  })
  return [
    formatDayShort(day.day),
    ...figures,
    formatCount(day.report.leaves),
    <Pill key="state" tone={TONES[day.state]}>
      {state}
    </Pill>,
    <ShortHash key="root" value={day.root} tx={day.tx_hash} />,
  ]
}
