import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FeedChips } from '../features/home/components/feed-chips.tsx'
import ActivityPage from '../features/home/pages/activity-page.tsx'
import { PagePending } from './page-states.tsx'

const RewardListPage = lazy(() => import('../features/rewards/pages/reward-list-page.tsx'))

/** The Activity tab: all activity, or the rewards with their sums by kind and their chart. */
export default function ActivityTabPage() {
  const { show, type } = useSearch({ from: '/pages/rewardList/index' })
  if (show !== 'rewards' && type === undefined) return <ActivityPage />
  return (
    <Suspense fallback={<PagePending />}>
      <RewardListPage top={<FeedChips current="rewards" />} />
    </Suspense>
  )
}
