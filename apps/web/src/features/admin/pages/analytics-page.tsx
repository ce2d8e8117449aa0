import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { redirectTo, useTranslation } from '../../../lib/index.ts'
import { Button, Segmented, TextField } from '../../../ui/index.ts'
import { HoldingsCard, LiabilitiesCard, PoolsCard, RewardBooksCard } from '../analytics/books-cards.tsx'
import { FundCard, PendingCard, WithdrawalsCard } from '../analytics/payout-cards.tsx'
import { FunnelCard, MembersCard, SalesCard } from '../analytics/people-cards.tsx'
import {
  type AnalyticsRange,
  analyticsRangeProblem,
  PRESET_NAMES,
  presetOf,
  presetRange,
} from '../analytics/range.ts'
import { AdminPage } from '../components/admin-page.tsx'

/** The pending work of admins and the figures of a range of days. */
export default function AnalyticsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/pages/admin/analytics' })
  const range =
    search.from === undefined || search.to === undefined
      ? presetRange('month', new Date())
      : { from: search.from, to: search.to }
  return (
    <AdminPage title={t('adminAnalytics.title')} about={t('admin.about.analytics')}>
      <PendingCard />
      <RangePicker range={range} onChange={(next) => redirectTo('/pages/admin/analytics', next)} />
      <div className="grid grid-flow-dense grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        <MembersCard range={range} />
        <SalesCard range={range} />
        <FunnelCard range={range} />
        <RewardBooksCard range={range} />
        <HoldingsCard />
        <WithdrawalsCard range={range} />
        <PoolsCard range={range} />
        <LiabilitiesCard range={range} />
        <FundCard range={range} />
      </div>
    </AdminPage>
  )
}

interface RangePickerProps {
  range: AnalyticsRange
  onChange: (range: AnalyticsRange) => void
}

/** Today, 7, 30, 90 days, or any two days. */
function RangePicker({ range, onChange }: RangePickerProps) {
  const { t } = useTranslation()
  const preset = presetOf(range, new Date())
  const [isCustom, setCustom] = useState(preset === null)
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={t('adminAnalytics.range.label')}
        options={[...PRESET_NAMES, 'custom' as const].map((value) => ({
          value,
          label: t(`adminAnalytics.range.${value}`),
        }))}
        value={isCustom || preset === null ? 'custom' : preset}
        onChange={(value) => {
          setCustom(value === 'custom')
          if (value !== 'custom') onChange(presetRange(value, new Date()))
        }}
      />
      {isCustom && <CustomRange key={`${range.from} ${range.to}`} range={range} onChange={onChange} />}
    </div>
  )
}

function CustomRange({ range, onChange }: RangePickerProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(range)
  const problem = draft.from === '' || draft.to === '' ? null : analyticsRangeProblem(draft)
  const isReady = draft.from !== '' && draft.to !== '' && problem === null
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onChange(draft)
      }}
    >
      <TextField
        label={t('adminAnalytics.range.from')}
        type="date"
        value={draft.from}
        onChange={(event) => setDraft({ ...draft, from: event.target.value })}
      />
      <TextField
        label={t('adminAnalytics.range.to')}
        type="date"
        value={draft.to}
        error={problem === null ? undefined : t(`adminAnalytics.range.${problem}`)}
        onChange={(event) => setDraft({ ...draft, to: event.target.value })}
      />
      <Button type="submit" variant="secondary" disabled={!isReady}>
        {t('adminAnalytics.range.show')}
      </Button>
    </form>
  )
}
