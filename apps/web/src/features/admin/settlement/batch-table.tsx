import type { SettlementAlarm, SettlementBatch } from '@rif/api-schema'
import { formatCount, formatPpm, sumAmounts, useTranslation } from '../../../lib/index.ts'
import { Money, Notice, Pill, type Tone } from '../../../ui/index.ts'
import { FigureTable } from '../analytics/figure-card.tsx'

const COLUMNS = ['class', 'due', 'paid', 'coverage', 'usdt', 'amc', 'pool', 'poolHeld', 'count'] as const

/** The batches of a day: amounts due and paid by asset, and the pool's balance. */
export function BatchTable({ caption, batches }: { caption: string; batches: readonly SettlementBatch[] }) {
  const { t } = useTranslation()
  if (batches.length === 0) return <p className="text-14 text-muted">{t('admin.settlement.noBatches')}</p>
  // Amounts due have several units; only paid amounts can be added up, asset by asset.
  const total = {
    key: 'total',
    cells: [
      t('admin.settlement.total'),
      '',
      '',
      '',
      <Money key="usdt" amount={sumAmounts(batches.map(({ usdt }) => usdt))} unit="USDT" />,
      <Money key="amc" amount={sumAmounts(batches.map(({ amc }) => amc))} unit="AMC" />,
      '',
      '',
      formatCount(batches.reduce((sum, { count }) => sum + count, 0)),
    ],
  }
  return (
    <FigureTable
      stacks
      caption={caption}
      head={COLUMNS.map((name) => t(`admin.settlement.column.${name}`))}
      rows={batches.map((batch) => ({
        key: `${batch.class} ${batch.unit}`,
        cells: [
          t(`adminAnalytics.class.${batch.class}`),
          <Money key="due" amount={batch.due} unit={batch.unit} />,
          <Money key="paid" amount={batch.paid} unit={batch.unit} />,
          formatPpm(batch.coverage_ppm),
          <Money key="usdt" amount={batch.usdt} unit="USDT" />,
          <Money key="amc" amount={batch.amc} unit="AMC" />,
          t(`adminAnalytics.account.${batch.pool}`),
          <span key="held" className="inline-flex flex-col items-end">
            <Money amount={batch.pool_usdt} unit="USDT" />
            <Money amount={batch.pool_amc} unit="AMC" />
          </span>,
          formatCount(batch.count),
        ],
      }))}
      foot={batches.length > 1 ? [total] : []}
    />
  )
}

const TONES: Readonly<Record<SettlementAlarm, Tone>> = {
  late: 'bad',
  stopped: 'bad',
  price_missing: 'bad',
  uncovered: 'bad',
  low_coverage: 'warn',
}

const RERUN: ReadonlySet<SettlementAlarm> = new Set(['late', 'stopped', 'price_missing'])
/** Reports whether an alarm requires the day to be settled again; other alarms concern the pools, and the day is settled. */
export const asksForRerun = (alarms: readonly SettlementAlarm[]) => alarms.some((alarm) => RERUN.has(alarm))

/** The alarms of a day, one label each. */
export function AlarmPills({ alarms }: { alarms: readonly SettlementAlarm[] }) {
  const { t } = useTranslation()
  return alarms.map((alarm) => (
    <Pill key={alarm} tone={TONES[alarm]}>
      {t(`admin.settlement.alarm.${alarm}`)}
    </Pill>
  ))
}

/** Explains each alarm of a day and its remedy. */
export function AlarmHelp({ alarms }: { alarms: readonly SettlementAlarm[] }) {
  const { t } = useTranslation()
  return alarms.map((alarm) => (
    <Notice
      key={alarm}
      tone={TONES[alarm] === 'bad' ? 'bad' : 'warn'}
      title={t(`admin.settlement.alarm.${alarm}`)}
    >
      {t(`admin.settlement.help.${alarm}`)}
    </Notice>
  ))
}
