import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import {
  AreaGrid,
  Card,
  ErrorState,
  Icon,
  Later,
  ListSkeleton,
  Money,
  OwedNotice,
  Page,
  RiskNotice,
  Skeleton,
} from '../../../ui/index.ts'
import { ActivityList } from '../components/activity-list.tsx'
import { CoverageCard, RewardsCard } from '../components/rewards-card.tsx'
import { TeamCard } from '../components/team-card.tsx'
import { TodoList } from '../components/todo-list.tsx'
import { HistoryCard, WorthCard } from '../components/worth-card.tsx'

/** The way to the notifications, with how many have not been seen. */
export function Bell() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...apiQuery('notifications'), refetchInterval: WATCH_MS })
  const unseen = data?.unseen ?? 0
  const isMore = data !== undefined && unseen === data.unseen_limit
  return (
    <PageLink to="/pages/my/notifications" className="relative grid size-11 place-items-center rounded-12">
      <Icon name="bell" size={24} />
      <span className="sr-only">{t('notifications.bell', { count: unseen })}</span>
      {unseen > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-0.5 top-0.5 grid h-5 min-w-5 place-items-center rounded-full bg-badge px-1 text-12 font-semibold text-white"
        >
          {isMore ? `${unseen}+` : unseen}
        </span>
      )}
    </PageLink>
  )
}

const WAITING = 5

/** The overview: worth, rewards, open tasks and activity. */
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
          <OwedNotice owed={me.data.owed} />
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

/** The open tasks, requested with the rest of the page so that both appear together. */
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
