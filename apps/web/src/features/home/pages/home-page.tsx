import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import {
  AreaGrid,
  Card,
  ErrorState,
  Later,
  ListSkeleton,
  Money,
  Page,
  RiskNotice,
  Skeleton,
} from '../../../ui/index.ts'
import { ActivityList } from '../components/activity-list.tsx'
import { Bell } from '../components/bell.tsx'
import { HistoryCard } from '../components/history-card.tsx'
import { CoverageCard, RewardsCard } from '../components/rewards-card.tsx'
import { TeamCard } from '../components/team-card.tsx'
import { TodoList } from '../components/todo-list.tsx'
import { WorthCard } from '../components/worth-card.tsx'

const WAITING = 5

/** How do I stand, what came in, what next. */
export default function HomePage() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('me'))
  const fund = useQuery(apiQuery('fundHoldings'))
  const amc = useQuery(apiQuery('tokenPrice'))
  // Before what stands further down: a browser asks for six things at a time.
  const waiting = useWaiting()
  const rif = useQuery(apiQuery('tokenPrice2'))
  // The worth is told once, whole.
  const isPending = me.isPending || (me.data !== undefined && (fund.isPending || amc.isPending))
  return (
    <Page title={t('common.appTitle')} back={false} actions={<Bell />}>
      {isPending && <HomeSkeleton />}
      {me.isError && me.data === undefined && <ErrorState onRetry={() => void me.refetch()} />}
      {me.data !== undefined && !isPending && (
        <>
          <WorthCard me={me.data} amcPrice={amc.data?.price} fund={fund.data} />
          <TodoList me={me.data} {...waiting} />
          <Prices amc={amc} rif={rif} />
          <AreaGrid />
          <Later>
            <HistoryCard />
          </Later>
          <Later>
            <RewardsCard me={me.data} />
          </Later>
          <Later>
            <CoverageCard />
          </Later>
          <Later>
            <TeamCard me={me.data} />
          </Later>
          <Later>
            <ActivityList />
          </Later>
          <Later>
            <RiskNotice title={t('risk.title')} text={t('risk.text')} />
          </Later>
        </>
      )}
    </Page>
  )
}

/** What waits for the member, asked for with the rest of the page, so that it is there when the rest is. */
function useWaiting() {
  const orders = useQuery(apiQuery('orders', { query: { status: 'UnPaid', limit: WAITING } })).data?.items
  const claims = useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: WAITING } })).data
    ?.items
  const pending = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending', limit: WAITING } })).data?.items
  const award = useQuery(apiQuery('management')).data
  return {
    orders: orders ?? [],
    fundOrders: pending?.filter(({ status }) => status === 'UnPaid') ?? [],
    withdrawals: claims ?? [],
    award,
  }
}

type PriceQuery = Pick<UseQueryResult<{ price: string | null }>, 'data' | 'isError' | 'refetch'>

function Prices({ amc, rif }: { amc: PriceQuery; rif: PriceQuery }) {
  const { t } = useTranslation()
  return (
    <Card className="grid grid-cols-2 gap-3 py-3">
      {(
        [
          ['AMC', amc],
          ['RIF', rif],
        ] as const
      ).map(([asset, query]) => (
        <div key={asset} className="text-14">
          <p className="text-12 text-muted">{t('home.priceOf', { asset })}</p>
          <Price query={query} />
        </div>
      ))}
    </Card>
  )
}

function Price({ query }: { query: PriceQuery }) {
  const { t } = useTranslation()
  const price = query.data?.price
  if (price != null) return <Money amount={price} unit="USDT" className="text-16 font-semibold" />
  if (price === undefined && query.isError)
    return (
      <button
        type="button"
        className="touch-line font-medium text-accent"
        onClick={() => void query.refetch()}
      >
        <span>{t('error.tapToReload')}</span>
      </button>
    )
  return <span className="text-muted">{price === null ? t('home.unpriced') : '…'}</span>
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
