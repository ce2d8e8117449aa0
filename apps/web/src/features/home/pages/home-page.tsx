import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAppConfig } from '../../../lib/app-config.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { apiQuery } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { Later } from '../../../ui/later.tsx'
import { Money } from '../../../ui/money.tsx'
import { Page } from '../../../ui/page.tsx'
import { ErrorState, ListSkeleton, Notice, Skeleton } from '../../../ui/states.tsx'
import { ActivityList } from '../components/activity-list.tsx'
import { Bell } from '../components/bell.tsx'
import { HistoryCard } from '../components/history-card.tsx'
import { CoverageCard, RewardsCard } from '../components/rewards-card.tsx'
import { Shortcuts } from '../components/shortcuts.tsx'
import { TeamCard } from '../components/team-card.tsx'
import { TodoList } from '../components/todo-list.tsx'
import { WorthCard } from '../components/worth-card.tsx'

const WAITING = 5

/** How do I stand, what came in, what next. */
export default function HomePage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const me = useQuery(apiQuery('me'))
  const fund = useQuery(apiQuery('fundHoldings'))
  const amc = useQuery(apiQuery('tokenPrice')).data
  const rif = useQuery(apiQuery('tokenPrice2')).data
  // Today and yesterday, where there was anything.
  const days = useQuery(apiQuery('profitDay', { query: { limit: 2 } })).data?.items
  // The worth is told once, whole.
  const isPending = me.isPending || (me.data !== undefined && fund.isPending)
  return (
    <Page title={t('common.appTitle')} back={false} actions={<Bell />}>
      {isPending && <HomeSkeleton />}
      {me.isError && me.data === undefined && <ErrorState onRetry={() => void me.refetch()} />}
      {me.data !== undefined && !isPending && (
        <>
          <WorthCard me={me.data} amcPrice={amc?.price ?? null} fund={fund.data} />
          <Waiting me={me.data} />
          <Prices amc={amc?.price ?? null} rif={rif?.price ?? null} />
          <Shortcuts />
          <Later>
            <HistoryCard />
            <RewardsCard me={me.data} days={days} />
            {config !== undefined && <CoverageCard coverage={config.coverage_30d} />}
            <TeamCard me={me.data} />
            <ActivityList />
            <Notice
              tone="warn"
              title={t('risk.title')}
              action={
                <PageLink
                  to="/pages/my/risk"
                  className="-my-3 inline-flex min-h-11 items-center text-14 font-semibold text-accent"
                >
                  {t('info.more')}
                </PageLink>
              }
            >
              {t('risk.text')}
            </Notice>
          </Later>
        </>
      )}
    </Page>
  )
}

function Waiting({ me }: Pick<Parameters<typeof TodoList>[0], 'me'>) {
  const orders = useQuery(apiQuery('orders', { query: { status: 'UnPaid', limit: WAITING } })).data?.items
  const claims = useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: WAITING } })).data
    ?.items
  const pending = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending', limit: WAITING } })).data?.items
  const award = useQuery(apiQuery('management')).data
  return (
    <TodoList
      me={me}
      orders={orders ?? []}
      fundOrders={pending?.filter(({ status }) => status === 'UnPaid') ?? []}
      withdrawals={claims ?? []}
      award={award}
    />
  )
}

function Prices({ amc, rif }: { amc: string | null; rif: string | null }) {
  const { t } = useTranslation()
  const prices = [
    ['AMC', amc],
    ['RIF', rif],
  ] as const
  return (
    <Card className="grid grid-cols-2 gap-3 py-3">
      {prices.map(([asset, price]) => (
        <p key={asset} className="text-14">
          <span className="block text-12 text-muted">{t('home.priceOf', { asset })}</span>
          {price === null ? (
            <span className="text-muted">{t('home.unpriced')}</span>
          ) : (
            <Money amount={price} unit="USDT" className="text-16 font-semibold" />
          )}
        </p>
      ))}
    </Card>
  )
}

function HomeSkeleton() {
  return (
    <>
      <Skeleton className="h-72 rounded-12" />
      <Skeleton className="h-16 rounded-12" />
      <ListSkeleton rows={4} />
    </>
  )
}
