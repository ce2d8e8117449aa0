import { useSearch } from '@tanstack/react-router'
import { redirectTo, useTranslation } from '../../../lib/index.ts'
import { HoldingsCard, LiabilitiesCard, PoolsCard } from '../analytics/books-cards.tsx'
import { FundCard, WithdrawalsCard } from '../analytics/payout-cards.tsx'
import { PendingCard } from '../analytics/pending-card.tsx'
import { FunnelCard, MembersCard, SalesCard } from '../analytics/people-cards.tsx'
import { presetRange } from '../analytics/range.ts'
import { RangePicker } from '../analytics/range-picker.tsx'
import { RewardsCard } from '../analytics/rewards-card.tsx'
import { AdminPage } from '../components/admin-page.tsx'

/** What needs me, is all well; and how it has been going. */
export default function AnalyticsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/pages/admin/analytics' })
  const range =
    search.from === undefined || search.to === undefined
      ? presetRange('month', new Date())
      : { from: search.from, to: search.to }
  return (
    <AdminPage title={t('adminAnalytics.title')}>
      <PendingCard />
      <RangePicker range={range} onChange={(next) => redirectTo('/pages/admin/analytics', next)} />
      <div className="grid grid-flow-dense grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        <MembersCard range={range} />
        <SalesCard range={range} />
        <FunnelCard range={range} />
        <RewardsCard range={range} />
        <HoldingsCard />
        <WithdrawalsCard range={range} />
        <PoolsCard range={range} />
        <LiabilitiesCard range={range} />
        <FundCard range={range} />
      </div>
    </AdminPage>
  )
}
