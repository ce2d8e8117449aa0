import type { RewardDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, ErrorState, ListSkeleton, Money, Page } from '../../../ui/index.ts'
import { Recomputation, useExplanation } from '../components/recomputation.tsx'
import { RewardDue, RewardOrigin } from '../components/reward-origin.tsx'
import { MoneySource, RewardPayment } from '../components/reward-payment.tsx'

/** Why did I get this: one reward from its base to the pool that paid it, worked out again on this device. */
export default function RewardDetailPage() {
  const { t } = useTranslation()
  const { reward_id } = useSearch({ from: '/pages/rewardList/detail' })
  const query = useQuery(apiQuery('profitDetail', { params: { reward_id } }))
  return (
    <Page title={t('rewards.detail.title')}>
      {query.isPending && <ListSkeleton />}
      {query.isError && query.data === undefined && <ErrorState onRetry={() => void query.refetch()} />}
      {query.data !== undefined && <Detail reward={query.data} />}
    </Page>
  )
}

function Detail({ reward }: { reward: RewardDetail }) {
  const query = useExplanation(reward)
  const explanation = query.data?.ok ? query.data : undefined
  return (
    <>
      <Headline reward={reward} />
      <Recomputation query={query} />
      <RewardDue reward={reward} explanation={explanation} />
      <RewardPayment reward={reward} />
      <MoneySource reward={reward} />
      <RewardOrigin reward={reward} />
      <FurtherLink reward={reward} />
    </>
  )
}

function Headline({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  const nothing = isZero(reward.usdt) && isZero(reward.amc)
  return (
    <Card className="flex flex-col gap-1">
      <p className="text-14 text-muted">{t(`rewards.type.${reward.type}`)}</p>
      {(nothing || !isZero(reward.usdt)) && (
        <Money amount={reward.usdt} unit="USDT" signed className="self-start text-28 font-semibold" />
      )}
      {!isZero(reward.amc) && (
        <Money amount={reward.amc} unit="AMC" signed className="self-start text-20 font-semibold" />
      )}
      {nothing && <p className="text-14 text-muted">{t('rewards.notPaid')}</p>}
      {!isZero(reward.amc) && <p className="text-12 text-muted">{t('rewards.detail.locked')}</p>}
    </Card>
  )
}

/** To one's own package; what others ordered only they may open, so there it is the team. */
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
