import type { RewardDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Columns, ErrorState, ListSkeleton, Page } from '../../../ui/index.ts'
import { RewardExplanation } from '../../../wallet/rewards/reward-explanation.tsx'
import { RewardOrigin } from '../../../wallet/rewards/reward-origin.tsx'
import { MoneySource } from '../../../wallet/rewards/reward-payment.tsx'

/** One reward: the amount, its origin, and the calculation, recomputed on this device. */
export default function RewardDetailPage() {
  const { t } = useTranslation()
  const { reward_id } = useSearch({ from: '/pages/rewardList/detail' })
  const query = useQuery(apiQuery('profitDetail', { params: { reward_id } }))
  return (
    <Page
      title={query.data === undefined ? t('rewards.detail.title') : t(`rewards.type.${query.data.type}`)}
      wide
    >
      {query.isPending && <ListSkeleton />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data !== undefined && <Detail reward={query.data} />}
    </Page>
  )
}

function Detail({ reward }: { reward: RewardDetail }) {
  return (
    <Columns
      side={
        <>
          <MoneySource reward={reward} />
          <RewardOrigin reward={reward} />
          <FurtherLink reward={reward} />
        </>
      }
    >
      <RewardExplanation reward={reward} />
    </Columns>
  )
}

/** Links to one's own package; only their members may open others' orders, so there it links to the team. */
function FurtherLink({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  if (reward.type === 'Interest' && reward.order_id !== null) {
    return (
      <PageLink
        to="/pages/shop/shopOrderDetail"
        search={{ order_id: reward.order_id }}
        className={buttonClass('secondary', true)}
      >
        {t('rewards.detail.viewOrder')}
      </PageLink>
    )
  }
  return (
    <PageLink to="/pages/index/team_user" className={buttonClass('secondary', true)}>
      {t('rewards.detail.viewTeam')}
    </PageLink>
  )
}
