import type { Announcement, Me, TokenPrice } from '@rif/api-schema'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo } from 'react'
import {
  apiQuery,
  isZero,
  PageLink,
  shortestAddress,
  useIsWide,
  useIsWidest,
  useSession,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import {
  AreaGrid,
  Avatar,
  Brand,
  Card,
  Columns,
  ErrorState,
  Icon,
  Later,
  ListSkeleton,
  Money,
  NavBar,
  OwedNotice,
  PageHeading,
  priceSourceText,
  RiskNotice,
  Skeleton,
} from '../../../ui/index.ts'
import { ActivityList } from '../components/activity-list.tsx'
import { ApartList, AssetList, AssetTable } from '../components/asset-list.tsx'
import { HeldRow } from '../components/held-row.tsx'
import { HomeSearch } from '../components/home-search.tsx'
import { GettingStarted, WhatYouCanDo } from '../components/new-member.tsx'
import { NextStep } from '../components/next-step.tsx'
import { RewardsCard } from '../components/rewards-card.tsx'
import { TeamCard } from '../components/team-card.tsx'
import { TotalCard } from '../components/total-card.tsx'
import { WhereCard } from '../components/where-card.tsx'
import { placeWorth } from '../portfolio.ts'
import { type PortfolioView, usePortfolio } from '../use-portfolio.ts'

// The total waits for the wallet.
export { readBalancesAhead as readAhead } from '../../../wallet/balances.ts'

/** The link to the notifications, with the number of unseen ones. */
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
/** Few visits need it, so it is not part of the first screen. */
const AnnouncementCard = lazy(() => import('../components/announcement-card.tsx'))

/**
 * The portfolio: the total and its development, the next step, assets, rewards, the team and recent activity.
 */
export default function HomePage() {
  const me = useQuery(apiQuery('me'))
  const portfolio = usePortfolio(me.data)
  // Before the parts further down, because a browser sends six requests at a time.
  const waiting = useWaiting()
  const isWide = useIsWide()
  const isWidest = useIsWidest()
  const isNew = me.data !== undefined && portfolio !== null && hasNothing(me.data, portfolio)
  const hero = useMemo(() => <TotalCard portfolio={portfolio} isNew={isNew} />, [portfolio, isNew])
  const newest = useMemo(() => {
    if (me.data === undefined || portfolio === null || waiting === null) return LOADING
    const input = { me: me.data, portfolio, waiting }
    return isNew ? newParts(input) : partsOf({ ...input, isWide, isWidest })
  }, [me.data, portfolio, waiting, isNew, isWide, isWidest])
  // Rendered in parts, so that a phone handles taps meanwhile.
  const parts = useDeferredValue(newest)
  // Elements that stay the same are not rendered again with each of the page's reads.
  const head = useMemo(() => (isWide ? <WideHeader /> : <PhoneHeader />), [isWide])
  const body = useMemo(() => <Body isWide={isWide} hero={hero} parts={parts} />, [isWide, hero, parts])
  return (
    <div className="wide">
      {head}
      <main className="column flex flex-col pb-8 lg:px-7 lg:pt-3">
        {me.isError && me.data === undefined ? <ErrorState onRetry={() => void me.refetch()} /> : body}
      </main>
    </div>
  )
}

function WideHeader() {
  const { t } = useTranslation()
  return (
    <NavBar
      title={t('tabs.home')}
      back={false}
      actions={
        <>
          <HomeSearch />
          <Bell />
        </>
      }
    />
  )
}

/** The top of the navy field on a phone. */
function PhoneHeader() {
  const { t } = useTranslation()
  const address = useSession().tokenAddress
  return (
    <header className="sticky top-0 z-10 bg-hero text-hero-ink">
      <div className="column flex h-15 items-center pl-4 pr-2">
        <Brand />
        <PageHeading title={t('common.appTitle')} className="sr-only" />
        <span className="ml-auto flex">
          <PageLink
            to="/pages/search"
            aria-label={t('search.title')}
            className="grid size-11 place-items-center rounded-full"
          >
            <Icon name="search" size={24} />
          </PageLink>
          <Bell />
          <PageLink
            to="/pages/my/index"
            aria-label={t('home.me', { address: shortestAddress(address) })}
            className="grid size-11 place-items-center rounded-full"
          >
            <Avatar address={address} size={28} />
          </PageLink>
        </span>
      </div>
    </header>
  )
}

/** The parts of the page: those of the main column and of the side; on a phone one below the other. */
interface Parts {
  main: ReactNode[]
  side: ReactNode[]
}

const LOADING: Parts = { main: [<HomeSkeleton key="skeleton" />], side: [] }

function Body({ isWide, hero, parts }: { isWide: boolean; hero: ReactNode; parts: Parts }) {
  if (isWide)
    return (
      <Columns side={parts.side}>
        {hero}
        {parts.main}
      </Columns>
    )
  return (
    <>
      {hero}
      <div className="relative -mt-5 flex flex-col gap-6 rounded-t-24 bg-page px-4 pt-4">
        {parts.side}
        {parts.main}
      </div>
    </>
  )
}

interface PartsInput {
  me: Me
  portfolio: PortfolioView
  waiting: NonNullable<ReturnType<typeof useWaiting>>
  isWide: boolean
  /** True if the main column has enough space for a table. */
  isWidest: boolean
}

function partsOf({ me, portfolio, waiting, isWide, isWidest }: PartsInput): Parts {
  const top = [
    <OwedNotice key="owed" owed={me.owed} />,
    <NextStep key="next" me={me} {...waiting} />,
    <Announced key="announced" announcement={waiting.announcement} />,
    <WhereCard key="where" {...{ portfolio, isWide }} />,
  ]
  const assets = [
    isWidest ? (
      <AssetTable key="assets" {...{ me, portfolio }} />
    ) : (
      <AssetList key="assets" {...{ me, portfolio }} />
    ),
    <ApartList key="apart" {...{ me, portfolio }} />,
  ]
  const figures = later(
    ['rewards', <RewardsCard key="rewards" me={me} />],
    ['team', <TeamCard key="team" me={me} />],
  )
  const end = later(
    ['activity', <ActivityList key="activity" />],
    ['held', <HeldRow key="held" />],
    ['prices', <Prices key="prices" />],
    ['areas', <AreaGrid key="areas" />],
    ['risk', <Risk key="risk" />],
  )
  if (isWide) return { main: [...assets, ...end], side: [...top, ...figures] }
  return { main: [...assets, ...figures, ...end], side: top }
}

const newParts = ({ me, portfolio, waiting }: Omit<PartsInput, 'isWide' | 'isWidest'>): Parts => ({
  side: [
    <NextStep key="next" me={me} {...waiting} />,
    <Announced key="announced" announcement={waiting.announcement} />,
    <GettingStarted key="start" portfolio={portfolio} />,
  ],
  main: [
    <WhatYouCanDo key="can" />,
    ...later(
      ['held', <HeldRow key="held" />],
      ['areas', <AreaGrid key="areas" />],
      ['risk', <Risk key="risk" />],
    ),
  ],
})

const later = (...parts: readonly (readonly [string, ReactNode])[]): ReactNode[] =>
  parts.map(([key, part]) => <Later key={key}>{part}</Later>)

/** Reports whether a member has nothing on the platform and never bought or earned anything. */
function hasNothing(me: Me, { holdings }: PortfolioView): boolean {
  const places = (['platform', 'savings', 'fund'] as const).map((place) => placeWorth(holdings, place))
  return (
    places.every((micros) => micros === 0n) &&
    holdings.platform.amc === 0n &&
    isZero(me.profit_sum) &&
    isZero(me.investment_sum) &&
    me.level === 0
  )
}

function Risk() {
  const { t } = useTranslation()
  return <RiskNotice title={t('risk.title')} text={t('risk.text')} />
}

/**
 * The open tasks, requested with the rest of the page; null until they are loaded, so that both appear
 * together.
 */
function useWaiting() {
  const orders = useQuery(apiQuery('orders', { query: { status: 'UnPaid', limit: WAITING } }))
  const claims = useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: WAITING } }))
  const pending = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending', limit: WAITING } }))
  const award = useQuery(apiQuery('management'))
  const news = useQuery(apiQuery('notifications'))
  const isComplete = ![orders, claims, pending, award, news].some(({ isPending }) => isPending)
  return useMemo(
    () =>
      isComplete
        ? {
            orders: orders.data?.items ?? [],
            fundOrders: pending.data?.items.filter(({ status }) => status === 'UnPaid') ?? [],
            withdrawals: claims.data?.items ?? [],
            award: award.data,
            announcement: news.data?.announcement ?? null,
          }
        : null,
    [isComplete, orders.data, pending.data, claims.data, award.data, news.data],
  )
}

type PriceQuery = Pick<UseQueryResult<TokenPrice>, 'data' | 'isError' | 'refetch'>

/** Shows the last announcement of the operators, until the member closes it. */
function Announced({ announcement }: { announcement: Announcement | null }) {
  if (announcement === null) return null
  return (
    <Suspense fallback={<Skeleton className="h-19 rounded-16" />}>
      <AnnouncementCard announcement={announcement} />
    </Suspense>
  )
}

/** The prices of AMC and RIF. */
function Prices() {
  const { t } = useTranslation()
  const amc = useQuery(apiQuery('tokenPrice'))
  const rif = useQuery(apiQuery('tokenPrice2'))
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
          {query.data?.source != null && (
            <p className="text-12 text-muted">{priceSourceText(t, query.data.source)}</p>
          )}
        </div>
      ))}
    </Card>
  )
}

function Price({ query }: { query: PriceQuery }) {
  const { t } = useTranslation()
  const price = query.data?.price
  if (price != null) return <Money price amount={price} unit="USDT" className="text-16 font-semibold" />
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
      <Skeleton className="h-24 rounded-12" />
      <Skeleton className="h-32 rounded-12" />
      <ListSkeleton rows={3} />
    </>
  )
}
