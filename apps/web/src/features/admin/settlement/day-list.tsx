import type { RouteInput, SettlementDay } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  apiList,
  formatAmount,
  formatDay,
  formatPpm,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { EmptyState, Pill, type Tone } from '../../../ui/index.ts'
import { UtcDay } from '../components/utc-time.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { type ListShape, useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { AlarmPills } from './batch-table.tsx'
import { DayDetails } from './day-details.tsx'

const fieldsOf = (t: Translate): readonly FilterField<RouteInput<'settlementDays'>['query']>[] => [
  {
    name: 'only',
    label: t('desk.filter.label'),
    as: 'tabs',
    options: [
      ['', t('desk.filter.all')],
      ['alarms', t('desk.days.alarms')],
    ],
  },
  { name: 'to', label: t('desk.days.to'), as: 'day' },
]

const TONES: Readonly<Record<SettlementDay['state'], Tone>> = {
  open: 'neutral',
  due: 'warn',
  fixed: 'info',
  staged: 'info',
  settled: 'good',
}

type PaidClass = SettlementDay['classes'][number]

/** Returns the coverage of the classes of a day, each with its name. */
function coverages(t: Translate, { classes }: SettlementDay): string {
  const nameOf = ({ class: name, unit }: PaidClass) =>
    name === 'savings' || name === 'dividend'
      ? `${t(`adminAnalytics.class.${name}`)} ${unit}`
      : t(`adminAnalytics.class.${name}`)
  return classes.map((item) => `${nameOf(item)} ${formatPpm(item.coverage_ppm)}`).join(' · ')
}

function dayShape(t: Translate): ListShape<SettlementDay> {
  const state = (day: SettlementDay) => (
    <Pill tone={TONES[day.state]}>{t(`admin.settlement.state.${day.state}`)}</Pill>
  )
  const alarms = (day: SettlementDay) => (
    <span className="flex flex-wrap gap-1">
      <AlarmPills alarms={day.alarms} />
    </span>
  )
  return {
    keyOf: ({ day }) => day,
    nameOf: ({ day }) => formatDay(day),
    columns: [
      {
        key: 'day',
        head: t('desk.days.day'),
        cell: ({ day }) => <UtcDay value={day} />,
      },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'coverage',
        head: t('adminSearch.reward.coverage'),
        cell: (day) => <span className="text-12 text-muted">{coverages(t, day)}</span>,
      },
      {
        key: 'released',
        head: t('admin.settlement.released'),
        isFigure: true,
        isRoomy: true,
        cell: (day) => formatAmount(day.released_amc),
      },
      { key: 'alarms', head: t('desk.days.alarmsOf'), cell: alarms },
    ],
    line: (day) => ({
      title: <UtcDay value={day.day} />,
      text: coverages(t, day),
      tags: (
        <>
          {state(day)}
          <AlarmPills alarms={day.alarms} />
        </>
      ),
    }),
  }
}

/** The days, newest first, each with its settlement: progress, problems, and the coverage of each class. */
export function DayList() {
  const { t } = useTranslation()
  const filters = useListFilters('settlement', fieldsOf(t))
  const query = useInfiniteQuery({
    ...apiList('settlementDays', { query: filters.query }),
    placeholderData: (previous) => previous,
  })
  return (
    <>
      <FilterBar filters={filters} />
      <WorkList
        label={t('admin.settlement.days')}
        rows={useRows(query)}
        shape={dayShape(t)}
        isNarrowed={filters.isNarrowed || filters.values.only !== ''}
        empty={
          <EmptyState icon="clock" title={t('admin.settlement.none')} hint={t('admin.settlement.noneHint')} />
        }
        details={({ day }) => <DayDetails key={day} day={day} />}
      />
    </>
  )
}
