import type { Reward } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAppConfig } from '../../../lib/app-config.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Page } from '../../../ui/page.tsx'
import { ErrorState, ListSkeleton, Notice, Skeleton } from '../../../ui/states.tsx'
import { ActivityList } from '../components/activity-list.tsx'
import { CoverageCard, RewardsCard } from '../components/rewards-card.tsx'
import { TeamCard } from '../components/team-card.tsx'
import { TodoList } from '../components/todo-list.tsx'
import { WorthCard } from '../components/worth-card.tsx'
import { recentActivity } from '../overview.ts'

const REWARDS = 100
const RECENT = 5

/** How do I stand, what came in, what next. */
export default function HomePage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const me = useQuery(apiQuery('me'))
  const amc = useQuery(apiQuery('tokenPrice')).data
  const rif = useQuery(apiQuery('tokenPrice2')).data
  const rewards = useQuery(apiQuery('profitAll', { query: { limit: REWARDS } })).data
  const orders = useQuery(apiQuery('orders', { query: { limit: RECENT } })).data?.items ?? []
  const unpaid =
    useQuery(apiQuery('orders', { query: { status: 'UnPaid', limit: RECENT } })).data?.items ?? []
  const withdrawals = useQuery(apiQuery('withdrawals', { query: { limit: RECENT } })).data?.items ?? []
  const claims =
    useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: RECENT } })).data?.items ?? []
  const known = rewards && { items: rewards.items, complete: rewards.next === null }
  return (
    <Page title={t('common.appTitle')} back={false}>
      {me.isPending && <HomeSkeleton />}
      {me.isError && me.data === undefined && <ErrorState onRetry={() => void me.refetch()} />}
      {me.data !== undefined && (
        <>
          <WorthCard me={me.data} amcPrice={amc?.price ?? null} />
          <TodoList orders={unpaid} withdrawals={claims} />
          <Prices amc={amc?.price ?? null} rif={rif?.price ?? null} />
          <RewardsCard me={me.data} rewards={known} />
          {config !== undefined && <CoverageCard coverage={config.coverage_30d} />}
          <TeamCard me={me.data} />
          <ActivityList entries={recentActivity(rewards?.items ?? noRewards, orders, withdrawals, RECENT)} />
          <Notice tone="warn" title={t('risk.title')}>
            {t('risk.text')}
          </Notice>
        </>
      )}
    </Page>
  )
}

const noRewards: readonly Reward[] = []

function Prices({ amc, rif }: { amc: string | null; rif: string | null }) {
  const { t } = useTranslation()
  const prices = [
    ['AMC', amc],
    ['RIF', rif],
  ] as const
  return (
    <Card className="flex justify-between gap-3 text-14">
      {prices.map(([asset, price]) => (
        <p key={asset}>
          <span className="text-muted">1 {asset} = </span>
          {price === null ? t('home.unpriced') : <Money amount={price} unit="USDT" />}
        </p>
      ))}
    </Card>
  )
}

function HomeSkeleton() {
  return (
    <>
      <Skeleton className="h-64 rounded-12" />
      <ListSkeleton rows={4} />
    </>
  )
}
